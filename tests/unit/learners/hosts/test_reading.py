"""The files of a draft in a prompt: what has to be read in any case, the rest as far as it fits."""

import re

from support.memfs import create, draft, page
from vademecum.learners import tokens_of
from vademecum.learners.hosts.reading import files_of


def shown(tmp_path, most_tokens=100_000, said="", given="INPUT"):
    repository = create(tmp_path)
    with draft(repository, tmp_path) as work:
        work.write("MEMORY.md", "HANDBOOK\n")
        work.write("reference/page.md", page("PAGE" * 100))
        (work.inputs / "input.md").write_text(given)
        (work.folder / "picture.md").write_bytes(b"\xff\xfe")
        (work.folder / "link.md").symlink_to("/etc/hostname")
        return files_of(work, most_tokens, said)


def test_every_file_stands_there_with_its_path_artefacts_first(tmp_path):
    text = shown(tmp_path)
    places = [text.index(word) for word in ("MEMORY.md begins", "HANDBOOK", ".inputs/input.md begins", "INPUT", "PAGE")]
    assert places == sorted(places)


def test_what_does_not_fit_is_named_but_for_the_artefacts(tmp_path):
    text = shown(tmp_path, most_tokens=200, given="INPUT" * 100)
    assert "HANDBOOK" in text
    assert "INPUT" not in text
    assert "PAGE" not in text
    assert "- .inputs/input.md\n" in text.partition("# Files that are not shown")[2]
    assert "- reference/page.md\n" in text


def test_names_of_what_does_not_fit_take_room_as_well(tmp_path):
    """Else a memory of many pages would never be read."""
    text = shown(tmp_path, most_tokens=300, given="I" * 350)
    assert "III" in text
    assert "- reference/page.md\n" in text
    assert tokens_of(text) <= 300


def test_names_that_have_no_room_are_counted(tmp_path):
    """Else a memory of thousands of sessions could never be consolidated."""
    repository = create(tmp_path)
    with draft(repository, tmp_path) as work:
        for number in range(100):
            work.write(f"reference/page-{number:03}.md", page("PAGE" * 100))
        text = files_of(work, 500, "")
    assert tokens_of(text) <= 500
    named = text.count("- reference/")
    assert 0 < named < 100
    assert re.search(r"\[\.\.\. \d\d more files \.\.\.\]", text)


def test_an_input_that_the_prompt_holds_whole_is_only_named(tmp_path):
    """The order may be another: new sessions come first in a prompt."""
    text = shown(tmp_path, said="# Told\n\nsecond\n\nfirst\n", given="first\n\nsecond\n")
    assert ".inputs/input.md begins" not in text
    assert "- .inputs/input.md\n" in text.partition("# Files that stand above")[2]


def test_an_input_that_the_prompt_holds_in_part_is_shown(tmp_path):
    assert "third" in shown(tmp_path, said="first\n\nsecond", given="first\n\nsecond\n\nthird")


def test_links_are_not_followed_and_what_is_no_text_is_only_named(tmp_path):
    text = shown(tmp_path)
    assert "link.md" not in text
    assert "picture.md begins" not in text
    assert "- picture.md\n" in text
