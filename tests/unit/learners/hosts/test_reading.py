"""The files of a draft in a prompt: what has to be read in any case, the rest as far as it fits."""

from support.memfs import create, draft, page
from vademecum.learners.hosts.reading import files_of


def shown(tmp_path, most_characters=100_000):
    repository = create(tmp_path)
    with draft(repository, tmp_path) as work:
        work.write("MEMORY.md", "HANDBOOK\n")
        work.write("reference/page.md", page("PAGE" * 100))
        (work.inputs / "input.md").write_text("INPUT")
        (work.folder / "picture.md").write_bytes(b"\xff\xfe")
        (work.folder / "link.md").symlink_to("/etc/hostname")
        return files_of(work, most_characters)


def test_every_file_stands_there_with_its_path_inputs_first(tmp_path):
    text = shown(tmp_path)
    places = [text.index(word) for word in (".inputs/input.md begins", "INPUT", "MEMORY.md begins", "HANDBOOK", "PAGE")]
    assert places == sorted(places)


def test_what_does_not_fit_is_named_but_for_inputs_and_artefacts(tmp_path):
    text = shown(tmp_path, most_characters=200)
    assert "INPUT" in text
    assert "HANDBOOK" in text
    assert "PAGE" not in text
    assert "- reference/page.md\n" in text


def test_links_are_not_followed_and_what_is_no_text_is_only_named(tmp_path):
    text = shown(tmp_path)
    assert "link.md" not in text
    assert "picture.md begins" not in text
    assert "- picture.md\n" in text
