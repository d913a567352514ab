"""Nothing that somebody else wrote may move the terminal or hide text, and JSON stays what it was."""

import ast
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vademecum.cli
from vademecum.cli.printing import (
    Style,
    clipped,
    flat,
    home_as_tilde,
    json_line,
    printable,
    say,
    say_styled,
    size,
)

SOURCES = sorted(Path(vademecum.cli.__file__).parent.glob("*.py"))
UNSAFE = [*map(chr, (0x00, 0x07, 0x08, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0x200B, 0x2028, 0x202E, 0x2066, 0xFEFF, 0xE0041))]


@pytest.mark.parametrize("character", [*UNSAFE, "\ud800"], ids=lambda character: f"U+{ord(character):04X}")
class TestUnsafeCharacters:
    def test_a_person_sees_that_something_stood_there(self, character, capsys):
        say(f"a{character}b")
        assert capsys.readouterr().out == "a\ufffdb\n"

    def test_json_says_it_without_holding_it(self, character):
        line = json_line({f"k{character}": [f"a{character}b"]})
        assert character not in line
        assert json.loads(line) == {f"k{character}": [f"a{character}b"]}


class TestStyles:
    """Colours are for terminals that want them; what is printed in colour is as harmless as everything else."""

    @pytest.fixture
    def on_terminal(self, monkeypatch):
        return lambda: monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    def test_a_terminal_shows_them(self, on_terminal, capsys):
        on_terminal()
        say_styled(("a\x1b[2J", Style.ADDED), ("b", Style.PLAIN))
        assert capsys.readouterr().out == "\x1b[32ma\ufffd[2J\x1b[0mb\n"

    @pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
    def test_a_person_may_switch_them_off(self, on_terminal, capsys, monkeypatch, name, value):
        on_terminal()
        monkeypatch.setenv(name, value)
        say_styled(("a", Style.REMOVED))
        assert capsys.readouterr().out == "a\n"

    def test_a_file_or_a_pipe_gets_none(self, capsys):
        say_styled(("a", Style.REMOVED), ("b", Style.FAINT))
        assert capsys.readouterr().out == "ab\n"


@given(st.text())
def test_json_is_the_same_object_and_harmless_text(text):
    line = json_line({"text": text})
    assert json.loads(line) == {"text": text}
    assert printable(line) == line


def test_words_of_any_script_stay_readable_in_json():
    assert json_line({"text": "部署 é 🙂"}) == '{"text":"部署 é 🙂"}'


def test_what_belongs_on_one_line_cannot_forge_another():
    assert flat("an id\nerror[busy]: \x1b[2Jx\r") == "an id error[busy]: \ufffd[2Jx"


@pytest.mark.parametrize("path", [path for path in SOURCES if path.name != "printing.py"], ids=lambda path: path.name)
def test_only_one_module_writes_to_the_terminal(path):
    calls = [node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    assert {"echo", "secho", "print", "write"}.isdisjoint(getattr(c, "attr", getattr(c, "id", "")) for c in calls)


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_300, "1.3 KB"),
        (999_949, "999.9 KB"),
        (999_951, "1.0 MB"),
        (5 * 10**12, "5000.0 GB"),
    ],
)
def test_a_size_never_reads_as_nothing(size_bytes, words):
    assert size(size_bytes) == words


def test_the_home_folder_is_a_tilde_and_its_neighbours_are_not(closed_home):
    assert home_as_tilde(str(closed_home)) == "~"
    assert home_as_tilde(f"{closed_home}/shop") == "~/shop"
    assert home_as_tilde(f"{closed_home}-old/shop") == f"{closed_home}-old/shop"


def test_a_path_that_is_too_wide_keeps_its_end():
    assert clipped("/home/ada/src/shop", 10) == "…/src/shop"
    assert clipped("/short", 10) == "/short"
