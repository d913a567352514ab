"""Notes: what somebody asks to remember, each in a file of its own."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from vademecum.artifacts import (
    MAX_NOTE_CHARACTERS,
    NOTES_FOLDER,
    UNCONFIRMED_DAYS,
    Note,
    confirmed_note,
    note_path,
    parse_note,
    render_note,
    unconfirmed_notes,
    without_memory_headings,
)
from vademecum.engine.answers import Edit
from vademecum.engine.standing_notes import standing_note
from vademecum.errors import NoChange, NotFound, RefusedError, SecretFound, SessionUnreadable, UsageError
from vademecum.memfs import Provenance, Repository, Writer
from vademecum.secrets import mask
from vademecum.sessions import HOSTS, Origin, Role, SessionRef, discover, kept_ref, load
from vademecum.sessions.cleaning import strip_private
from vademecum.state import State

__all__ = ["NewNote", "confirm_note", "fit_note", "human_words", "keep_note", "known_origin", "refuse_odd_session"]

_MAX_SESSION_CHARACTERS = 256
#: A shorter id stands in the names of many files.
_TELLING = 8
#: More notes than these nobody looks through.
_MOST_UNCONFIRMED = 100


class NewNote(msgspec.Struct, frozen=True, kw_only=True):
    """A note before it is written."""

    #: As it will stand in the file.
    words: str
    #: Who wrote it down.
    writer: Origin = Origin.HUMAN
    #: The session in which that was.
    session: str | None = None
    #: Whether the words are the user's own.
    is_said: bool = True

    @property
    def origin(self) -> Origin:
        """Whose words they are."""
        return Origin.HUMAN if self.is_said else self.writer


def fit_note(text: str, *, allow_secret: bool) -> str:
    """The words of a note, before anything is made for it. Raises UsageError, SecretFound."""
    words = "\n".join(text.splitlines()).strip()
    if "\0" in words or any("\ud800" <= character <= "\udfff" for character in words):
        raise UsageError("a note is text: this one holds a zero byte, or half of a character")
    if not words or len(words) > MAX_NOTE_CHARACTERS:
        raise UsageError(f"a note has 1 to {MAX_NOTE_CHARACTERS} characters, this one has {len(words)}")
    if not without_memory_headings(words).strip():
        raise UsageError("a note says something: this one is a heading of a memory file and no more")
    if strip_private(words) != words:
        raise UsageError(
            "the note holds a <private> part, and what stands there is kept nowhere",
            intact="No note was written.",
            next_step="Leave that part out, or take its marks away.",
        )
    masked = mask(words)
    if masked != words and not allow_secret:
        raise SecretFound(
            f"the note holds what looks like a secret: {masked[:200]}",
            intact="No note was written.",
            next_step="Say where the secret is kept instead; if it is none, use --allow.",
        )
    return words


def known_origin(origin: str, session: str | None) -> Origin:
    """Who writes a note down. Raises UsageError for a word that is no origin, and for the id of no session."""
    if origin not in set(Origin):
        raise UsageError(f"{origin!r} is no origin", next_step=f"It is one of {', '.join(Origin)}.")
    refuse_odd_session(session)
    return Origin(origin)


def refuse_odd_session(session: str | None) -> None:
    """Raises UsageError for the id of a session that no host has."""
    if session is not None and not 1 <= len(session) <= _MAX_SESSION_CHARACTERS:
        raise UsageError(f"a session id has 1 to {_MAX_SESSION_CHARACTERS} characters, this one has {len(session)}")


def human_words(session: str, state_path: Path, environ: Mapping[str, str], *, host: str = "") -> Iterator[str]:
    """What the user said in a session, message by message, without what they pasted; nothing where it is not found.

    `host`: the only one whose sessions are looked through, where it is known.
    """
    from vademecum.learners.extractive import own_lines  # it takes a while to load, and most notes are typed

    for ref in _places_of(session, state_path, environ, (host,) if host in HOSTS else None):
        with suppress(SessionUnreadable):  # then nobody can tell what was said there
            found = load(ref)
            if found.id == session:
                for message in found.messages:
                    if message.role is Role.HUMAN:
                        yield "\n".join(own_lines(message.text))
                return


def _places_of(
    session: str, state_path: Path, environ: Mapping[str, str], hosts: Collection[str] | None
) -> Iterator[SessionRef]:
    """Where the session lies, or may lie: known from learning, else by its name."""
    if state_path.exists():
        with State.open(state_path) as state:
            sources = state.sources.of_session(session)
            for source in (one for one in sources if hosts is None or one.host in hosts):
                place = (source.host, source.path, source.session_key, source.fingerprint)
                yield kept_ref(*place, seen_at=source.seen_at)
    for ref in discover(hosts=hosts, sources=None, environ=environ, home=Path.home()).refs:
        if ref.session_id == session or (len(session) >= _TELLING and session in Path(ref.path).name):
            yield ref


def keep_note(repository: Repository, note: NewNote) -> Edit:
    """Commit these words, which `fit_note` has passed, as a note, unless one that stands says them.

    Raises RefusedError, BusyError, StorageError.
    """
    masked = mask(note.words)
    is_secret = masked != note.words
    now = datetime.now(UTC)
    # The free name is chosen under the lock: two notes of one second must not become one.
    with repository.writing("keeping a note"):
        tree = repository.tree()
        standing = standing_note(tree, note.words, is_said=note.is_said)
        if standing is not None:
            return _known(repository, standing, masked)
        if not note.is_said and len(list(unconfirmed_notes(tree))) >= _MOST_UNCONFIRMED:
            raise RefusedError(
                f"{_MOST_UNCONFIRMED} notes of agents wait for the person already",
                next_step="Let the user say it; `vade status` tells them how to look through those that wait.",
            )
        taken = frozenset(name for name in tree.paths() if name.startswith(NOTES_FOLDER))
        path = note_path(masked, now, taken)
        text = render_note(
            note.words,
            origin=note.origin.value,
            created_at=now,
            session=note.session or "",
            lets_secret_pass=is_secret,
        )
        commit = repository.commit(
            {path: text},
            subject=f"Note: {' '.join(masked.split())[:60]}",
            cleared=(path,),
            provenance=Provenance(
                writer=Writer.MEMORY_TOOL,
                session=note.session,
                origin=note.writer.value,
                allowed="secret" if is_secret else None,
            ),
        )
    assert commit is not None, "a new path is always a change"
    return Edit(commit=commit.id, subject=commit.subject, paths=commit.paths, message=_remembered(path, masked, note))


def _known(repository: Repository, path: str, shown: str) -> Edit:
    """The answer to a note that stands: with the commit that holds it, and nothing new."""
    (commit,) = repository.log(path, limit=1)
    message = f"this stands already in {path}; nothing was written\n  {_told(shown)}"
    return Edit(commit=commit.id, subject=commit.subject, paths=(path,), message=message)


def _told(shown: str) -> str:
    return " ".join(shown.split())[:200]


def _remembered(path: str, shown: str, note: NewNote) -> str:
    lines = [f"remembered in {path}; it is in the context from now on", f"  {_told(shown)}"]
    if not note.is_said:
        lines.append(
            "The user did not say this in so many words, so it stands apart as unconfirmed and expires after "
            f"{UNCONFIRMED_DAYS} days. Tell them: `vade note --confirm {path}` keeps it."
        )
    return "\n".join(lines)


def confirm_note(repository: Repository, path: str) -> Edit:
    """A person says that an agent's note is right: from now on it is as if it were their own.

    Raises NotFound, NoChange, DirtyPath, BusyError, StorageError.
    """
    with repository.writing("confirming a note"):
        tree = repository.tree()
        note = _note_at(path, tree.read(path) if path.startswith(NOTES_FOLDER) and tree.has(path) else None)
        if not note.is_unconfirmed:
            raise NoChange(f"{path} is confirmed already", next_step="Edit the file to change what it says.")
        commit = repository.commit(
            {path: confirmed_note(tree.read(path), datetime.now(UTC))},
            subject=f"Confirm the note: {' '.join(mask(note.text).split())[:60]}",
            provenance=Provenance(writer=Writer.MEMORY_TOOL, origin=Origin.HUMAN.value),
        )
    assert commit is not None, "a confirmed note has another header"
    message = f"confirmed {path}; it counts as your own words from now on"
    return Edit(commit=commit.id, subject=commit.subject, paths=commit.paths, message=message)


def _note_at(path: str, text: str | None) -> Note:
    if text is None:
        raise NotFound(f"there is no note {path}", next_step=f"`vade ls {NOTES_FOLDER}` lists them.")
    return parse_note(path, text)
