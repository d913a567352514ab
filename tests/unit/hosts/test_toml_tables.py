"""One table changes in TOML; everything else stays to the byte."""

import tomllib

import pytest
from hypothesis import assume, given

from support.config_texts import is_subsequence, toml_texts
from vademecum.errors import CannotEdit
from vademecum.hosts.toml_tables import put_table, read_tables, take_table

NAME = ("mcp_servers", "vademecum")
MARK = "# vademecum: ours"
ENTRY = {"command": "/a b/python", "args": ["-I", 'x"y\\'], "env": {"HOME_OF": "/é"}}


def put(text, values=None):
    return put_table(text, NAME, values or ENTRY, MARK)


@given(toml_texts())
def test_a_table_is_added_and_nothing_else_changes(text):
    assume(_is_toml(text))
    changed = put(text)
    assert changed.startswith(text)
    assert tomllib.loads(changed)["mcp_servers"]["vademecum"] == ENTRY


@given(toml_texts())
def test_a_table_that_is_taken_out_leaves_the_text_of_before(text):
    """A text without a line end may keep the one that came before the table."""
    assume(_is_toml(text))
    back = take_table(put(text), NAME, MARK)
    assert back is not None
    assert back.rstrip("\r\n") == text.rstrip("\r\n")
    if text.endswith("\n") and text.strip():
        assert back == text


@pytest.mark.slow
@pytest.mark.timeout(60)
@given(toml_texts(), toml_texts())
def test_what_was_written_around_it_stays(before, after):
    text = put(before if before.endswith("\n") else before + "\n") + after
    assume(_is_toml(text) and "mcp_servers" not in after and not after.lstrip().startswith('"'))
    back = take_table(text, NAME, MARK)
    assert back is not None
    assert is_subsequence(back, text)
    assert "vademecum" not in back


@given(toml_texts())
def test_what_stands_there_already_changes_nothing(text):
    assume(_is_toml(text))
    assert put(put(text)) == put(text)


def _is_toml(text):
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def test_the_entry_that_is_out_of_date_is_changed_where_it_stands():
    text = put("a = 1\n") + "tool_timeout_sec = 9 # mine\n\n# next\n[b]\n"
    changed = put(text, {**ENTRY, "command": "/new/python"})
    assert changed == text.replace("/a b/python", "/new/python")


def test_what_a_newer_version_writes_is_added():
    text = "[mcp_servers.vademecum]\ncommand = 'x'\n"
    assert put(text, {"command": "x", "args": ["y"]}) == "[mcp_servers.vademecum]\nargs = [\"y\"]\ncommand = 'x'\n"


def test_what_must_not_stand_there_any_more_goes():
    assert put(put("a = 1\n"), {"env": None}) == put("a = 1\n").replace('env = {HOME_OF = "/é"}\n', "")
    assert put("", {"command": "x", "env": None}) == f'{MARK}\n[mcp_servers.vademecum]\ncommand = "x"\n'


def test_comments_around_the_table_stay():
    text = "# above\n\n" + put("").replace("[mcp", "# inside\n[mcp", 1) + "\n# below\n[z]\n"
    assert take_table(text, NAME, MARK) == "# above\n# inside\n\n# below\n[z]\n"


def test_tables_below_it_go_with_it():
    text = (
        put("a = 1\n")
        + "\n[mcp_servers.vademecum.tools.memory]\napproval = 'x'\n\n[mcp_servers.other]\ncommand = 'y'\n"
    )
    assert read_tables(take_table(text, NAME, MARK)) == {"a": 1, "mcp_servers": {"other": {"command": "y"}}}


def test_other_ways_to_write_it_are_taken_out_too():
    assert take_table("[mcp_servers]\nvademecum = {command = 'x'}\na.command = 'y'\n", NAME, MARK) == (
        "[mcp_servers]\na.command = 'y'\n"
    )
    assert take_table("mcp_servers.vademecum.command = 'x'\n", NAME, MARK) == ""


@pytest.mark.parametrize(
    "text", ["mcp_servers = {}\n", "mcp_servers = 1\n", "[[mcp_servers]]\na = 1\n", "mcp_servers.vademecum = 1\n"]
)
def test_what_stands_in_the_way_is_refused_not_guessed(text):
    with pytest.raises(CannotEdit, match="cannot be changed"):
        put(text)


def test_an_entry_among_others_on_one_line_is_refused():
    with pytest.raises(CannotEdit, match="in a form that this program does not change") as refused:
        take_table("mcp_servers = {vademecum = {command = 'x'}, other = {command = 'y'}}\n", NAME, MARK)
    assert "by hand" in refused.value.next_step


@pytest.mark.parametrize("text", ["a = \n", "a = 1\na = 2\n", "[a\n", "\ufeffa = 1\n", "a = 1\rb = 2\n"])
def test_what_is_no_toml_is_refused_with_its_line(text):
    with pytest.raises(CannotEdit, match=r"no TOML: .+line 1|no TOML: .+line 2"):
        put(text)


def test_nothing_is_taken_out_where_nothing_is():
    assert take_table(None, NAME, MARK) is None
    assert take_table("a = 1\n", NAME, MARK) == "a = 1\n"
