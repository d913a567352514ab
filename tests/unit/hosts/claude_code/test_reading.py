"""Files of Claude Code are read with or without comments, and written only where it reads them itself."""

import pytest

from vademecum.errors import CannotEdit
from vademecum.hosts.claude_code import reading

DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [None, "", "{}", '{"a": [1, true, null]}'])
def test_what_the_agent_reads_may_be_written_to(text):
    reading.refuse_unread(text)
    assert reading.read(text) == ({"a": [1, True, None]} if text and "a" in text else {})


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a": 1} // mine', '/* mine */ {"a": 1}'])
def test_what_it_would_not_read_is_read_and_not_written_to(text):
    assert reading.read(text) == {"a": 1}
    with pytest.raises(CannotEdit, match="reads nothing of such a file"):
        reading.refuse_unread(text)


@pytest.mark.parametrize("text", ["{", "nothing", DEEP])
def test_what_nobody_can_read_is_refused(text):
    for act in (reading.read, reading.refuse_unread):
        with pytest.raises(CannotEdit, match="line 1"):
            act(text)


@pytest.mark.parametrize(("data", "told"), [(b'{"vademecum": {}}', True), (b"\xffvademecum", True), (b"{}", False)])
def test_a_file_that_does_not_tell_of_us_is_known_without_reading_it(tmp_path, data, told):
    file = tmp_path / "file.json"
    file.write_bytes(data)
    assert reading.tells_of_us(file) is told
    assert not reading.tells_of_us(tmp_path)
    assert not reading.tells_of_us(tmp_path / "nowhere")
