"""What goes by itself after a time.

It goes in a commit that says so: an event in the history, never a matter of the clock of whoever reads.

- A note that an agent wrote by itself and nobody confirmed.
- A resource of an extension with the time in its name, `extensions/<name>/resources/2026-11-30T18-49-23-*.md`.
"""

import re
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from vademecum.amounts import plural
from vademecum.artifacts import NOTES_FOLDER, UNCONFIRMED_DAYS, Note, parse_note, parse_time, unconfirmed_notes
from vademecum.learning.ancestor import add_to_baseline
from vademecum.learning.sources import text_of
from vademecum.memfs import Change, Provenance, Repository, Tree, Writer

__all__ = ["heard_notes", "is_input", "tidy"]

_NOTES_LAST = timedelta(days=UNCONFIRMED_DAYS)
_RESOURCES_LAST = timedelta(days=7)
_EXTENSIONS = "extensions/"
_RESOURCE = re.compile(
    r"(?P<extension>extensions/[^/]+/)resources/(?P<day>\d{4}-\d{2}-\d{2})T(?P<time>\d{2}-\d{2}-\d{2})"
    r"(?:[^/0-9][^/]*)?(?:\.md|/scope\.json)"
)


def tidy(repository: Repository, now: datetime) -> None:
    """Take out what is over. A file that a person has edited and not committed waits for the next time."""
    tree = repository.tree()
    notes = [note.path for note in unconfirmed_notes(tree) if _is_over(repository, note, now)]
    if notes:
        _let_go(
            repository,
            tree,
            notes,
            f"Let {plural(len(notes), 'unconfirmed note')} expire after {UNCONFIRMED_DAYS} days",
        )
    tree = repository.tree()
    resources = list(_old_resources(tree, now))
    if resources:
        _let_go(repository, tree, resources, f"Prune {plural(len(resources), 'resource')} of extensions after 7 days")


def heard_notes(tree: Tree) -> frozenset[str]:
    """The notes that learning listens to: all but those that an agent wrote by itself and nobody confirmed."""
    unconfirmed = {note.path for note in unconfirmed_notes(tree)}
    notes = (path for path in tree.below(NOTES_FOLDER) if path.endswith(".md"))
    return frozenset(path for path in notes if path not in unconfirmed)


def is_input(change: Change, before: Tree, after: Tree) -> bool:
    """Whether a learner would see the change: an unconfirmed note comes and goes without it."""
    if not change.path.startswith(NOTES_FOLDER):
        return True
    states = [parse_note(change.path, text_of(tree, change.path)) for tree in (before, after) if tree.has(change.path)]
    return not all(note.is_unconfirmed for note in states)


def _is_over(repository: Repository, note: Note, now: datetime) -> bool:
    if now - note.created_at < _NOTES_LAST:
        return False
    # A person who brought it back gives it as many days again.
    newest = next(iter(repository.log(note.path, limit=1)), None)
    return newest is None or now - newest.at >= _NOTES_LAST


def _old_resources(tree: Tree, now: datetime) -> Iterator[str]:
    for path in tree.below(_EXTENSIONS):
        found = _RESOURCE.fullmatch(path)
        # A folder without instructions is no extension: nobody said how its files are to be treated.
        if found and tree.has(f"{found['extension']}instructions.md"):
            at = parse_time(f"{found['day']}T{found['time'].replace('-', ':')}")
            if at is not None and now - at >= _RESOURCES_LAST:
                yield path


def _let_go(repository: Repository, tree: Tree, paths: Collection[str], subject: str) -> None:
    with repository.writing(subject):
        held = repository.obstacles(dict.fromkeys(paths))
        gone = [path for path in paths if path not in held]
        if not gone:
            return
        repository.commit(
            dict.fromkeys(gone), subject=subject, provenance=Provenance(writer=Writer.LEARN), on=tree.revision
        )
        # No input: it was seen when it came.
        if baseline := repository.baseline():
            add_to_baseline(repository, tree, {path: None for path in gone if baseline.has(path)})
