"""Notes: what a person asks to remember, each in a file of its own."""

from datetime import UTC, datetime

from vademecum.artifacts import MAX_NOTE_CHARACTERS, NOTES_FOLDER, note_path, render_note
from vademecum.engine.answers import Edit
from vademecum.errors import SecretFound, UsageError
from vademecum.memfs import Provenance, Repository, Writer
from vademecum.secrets import mask

__all__ = ["fit_note", "keep_note"]


def fit_note(text: str, *, allow_secret: bool) -> str:
    """The words of a note, before anything is made for it. Raises UsageError, SecretFound."""
    words = text.strip()
    if not words or len(words) > MAX_NOTE_CHARACTERS:
        raise UsageError(f"a note has 1 to {MAX_NOTE_CHARACTERS} characters, this one has {len(words)}")
    masked = mask(words)
    if masked != words and not allow_secret:
        raise SecretFound(
            f"the note holds what looks like a secret: {masked[:200]}",
            intact="No note was written.",
            next_step="Say where the secret is kept instead; if it is none, use --allow.",
        )
    return words


def keep_note(repository: Repository, words: str) -> Edit:
    """Commit these words, which `fit_note` has passed, as a note of the person's. Raises BusyError, StorageError."""
    masked = mask(words)
    now = datetime.now(UTC)
    # The free name is chosen under the lock: two notes of one second must not become one.
    with repository.writing("keeping a note"):
        taken = frozenset(name for name in repository.tree().paths() if name.startswith(NOTES_FOLDER))
        path = note_path(masked, now, taken)
        commit = repository.commit(
            {path: render_note(words, origin="human", created_at=now, lets_secret_pass=masked != words)},
            subject=f"Note: {' '.join(masked.split())[:60]}",
            cleared=(path,),
            provenance=Provenance(writer=Writer.MEMORY_TOOL, origin="human"),
        )
    assert commit is not None, "a new path is always a change"
    message = f"remembered in {path}; it is in the context from now on"
    return Edit(commit=commit.id, subject=commit.subject, paths=commit.paths, message=message)
