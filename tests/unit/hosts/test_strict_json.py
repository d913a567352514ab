"""Files of hosts are read with or without comments, and written only where the host reads them itself."""

import pytest

from vademecum.errors import CannotEdit
from vademecum.hosts import strict_json

DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [None, "", "\n", "{}", '{"a": [1, true, null]}'])
def test_what_the_agent_reads_may_be_written_to(text):
    strict_json.refuse_unread(text, "Any host")
    assert strict_json.read(text) == ({"a": [1, True, None]} if text and "a" in text else {})


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a": 1} // mine', '/* mine */ {"a": 1}'])
def test_what_it_would_not_read_is_read_and_not_written_to(text):
    assert strict_json.read(text) == {"a": 1}
    with pytest.raises(CannotEdit, match="reads nothing of such a file"):
        strict_json.refuse_unread(text, "Any host")


@pytest.mark.parametrize("text", ["{", "nothing", DEEP])
def test_what_nobody_can_read_is_refused(text):
    for act in (strict_json.read, lambda text: strict_json.refuse_unread(text, "Any host")):
        with pytest.raises(CannotEdit, match="line 1"):
            act(text)


@pytest.mark.parametrize(("data", "told"), [(b'{"vademecum": {}}', True), (b"\xffvademecum", True), (b"{}", False)])
def test_a_file_that_does_not_tell_of_us_is_known_without_reading_it(tmp_path, data, told):
    file = tmp_path / "file.json"
    file.write_bytes(data)
    assert strict_json.tells_of_us(file) is told
    assert not strict_json.tells_of_us(tmp_path)
    assert not strict_json.tells_of_us(tmp_path / "nowhere")
