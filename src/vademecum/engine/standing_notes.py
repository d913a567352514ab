"""A note that is asked for twice: where its words stand in memory already, nothing is to be written."""

from vademecum.artifacts import ARCHIVE_PATH, HANDBOOK_PATH, NOTES_FOLDER, RENDERED, parse_note, without_memory_headings
from vademecum.memfs import Tree, Writer

__all__ = ["standing_note"]


def standing_note(tree: Tree, words: str, *, is_said: bool) -> str | None:
    """The path of the note that says these words and holds; None where there is none.

    `is_said`: the words are the user's own. Those confirm what an agent wrote by itself, so that is no note of theirs.
    """
    said = without_memory_headings(words).split()
    for path in filter(_is_note, tree.paths()):
        note = parse_note(path, _text(tree, path))
        is_as_good = not (is_said and note.is_unconfirmed)
        if is_as_good and note.text.split() == said and not _is_taken_back(tree, path):
            return path
    return None


def _is_note(path: str) -> bool:
    return path.startswith(NOTES_FOLDER) and path.endswith(".md")


def _is_taken_back(tree: Tree, path: str) -> bool:
    """Whether a person removed from memory what the note says: said again, it comes back by a newer note only."""
    if any(path in _text(tree, artefact) for artefact in RENDERED):
        return False
    learned = tree.newest_of(Writer.LEARN)
    return path in _text(tree, ARCHIVE_PATH) or (learned is not None and path in _text(learned, HANDBOOK_PATH))


def _text(tree: Tree, path: str) -> str:
    return tree.read_bytes(path).decode(errors="replace").replace("\r\n", "\n") if tree.has(path) else ""
