"""Where a line of memory comes from: what it rests on, who wrote it, and the words as the host keeps them."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import GENERATED, NOTES_FOLDER, ROLLOUT_FOLDER
from vademecum.engine.hiding import visibility
from vademecum.engine.history import blame_file
from vademecum.engine.reading import read_session
from vademecum.errors import NotFound, SessionUnreadable, UnsafePath, UsageError
from vademecum.learning import Explained, Explainer, Said, holds_words
from vademecum.memfs import BlamedLine, Commit, Repository, Tree, Writer, find_meant, require_file, split_lines
from vademecum.secrets import mask
from vademecum.sessions import Message, Role, Session
from vademecum.state import State

__all__ = ["Spoken", "Why", "WhyLine", "explain"]


class Spoken(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a line rests on, with the words of the conversation where the host still has them."""

    said: Said
    #: The whole message in which the person said it, or after which an agent did it; empty where it was not read.
    words: str = ""
    #: The turn of these words.
    words_turn: int = 0
    #: `host`, `rollout summary`, `note`; empty: nothing is left of the words.
    read_from: str = ""


class WhyLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of memory, explained."""

    line: Explained
    spoken: tuple[Spoken, ...] = ()
    #: Last of the lines that this holds for; 0: it is one line.
    last_line: int = 0
    #: The commit that wrote it; None: an edit that was not committed, or words that stand in no file.
    commit: Commit | None = None


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """The answer."""

    #: Empty where words were asked for.
    path: str
    lines: tuple[WhyLine, ...]


def explain(repository: Repository, database: Path, target: str) -> Why:
    """Explain a line (`PATH:LINE`), some (`PATH:FIRST-LAST`), all that a file says (`PATH`), or where words stand.

    `database`: that of the state, which need not be there.

    Raises NotFound, UsageError where the file has no such line, UnsafePath.
    """
    with State.read(database) if database.exists() else nullcontext() as state:
        return _explain(repository, state, target)


def _explain(repository: Repository, state: State | None, target: str) -> Why:
    tree = repository.tree()
    asked = _Asked(repository, state, tree)
    lines = split_lines(target)
    path = _known_path(repository, tree, lines.path if lines else target)
    if path and lines:
        return Why(path=path, lines=tuple(asked.lines(path, lines.first, lines.last)))
    if path:
        return Why(path=path, lines=tuple(asked.file(path)))
    found = asked.words(target)
    if not found:
        raise NotFound(
            f"memory has no file {target!r}, and no line that holds these words",
            next_step="Run `vade ls` to list files, or `vade search` to find words anywhere.",
        )
    return Why(path="", lines=tuple(found))


def _known_path(repository: Repository, tree: Tree, words: str) -> str:
    """The file that is meant; empty where there is none and it can only be words."""
    known, root = tree.paths(), repository.folder
    if words.endswith(".md") and not any(map(str.isspace, words)):
        return require_file(words, known, root=root)
    try:
        meant = find_meant(words, known, root=root)
    except (UsageError, UnsafePath):
        return ""  # no file is spelled so: these are words
    return "" if meant is None or meant.is_folder else meant.path


class _Asked:
    """One question."""

    def __init__(self, repository: Repository, state: State | None, tree: Tree) -> None:
        self._repository, self._state, self._tree = repository, state, tree
        self._explainer = Explainer(state, tree)
        self._hidden = visibility(state).hidden_sessions if state else frozenset[str]()
        self._sessions: dict[str, Session | None] = {}

    def lines(self, path: str, first: int, last: int) -> list[WhyLine]:
        """One line with everything that is known; of several those that say something, shortly."""
        count = self._tree.read(path).removesuffix("\n").count("\n") + 1
        if not 1 <= first <= last or first > count:
            raise UsageError(
                f"line {first} is outside {path}, which has {plural(count, 'line')}"
                if first <= last
                else f"{path}:{first}-{last} names no lines",
                next_step=f"Name lines between 1 and {count}; `vade read {path}` shows them.",
            )
        if first == last:
            return [self.line(path, first)]
        told = (self._explainer.line(path, number) for number in range(first, min(last, count) + 1))
        return [self._told(one, None, _quoted) for one in told if one.text.strip()]

    def line(self, path: str, number: int) -> WhyLine:
        """One line with everything that is known, the words read again."""
        explained = self._explainer.line(path, number)
        blamed = self._committed(path)
        commit = blamed[number - 1].commit if number <= len(blamed) else None
        return self._told(explained, commit, self._spoken)

    def file(self, path: str) -> list[WhyLine]:
        """What the file says, line by line, shortly; of a page who wrote which lines."""
        if path not in GENERATED and not path.startswith((NOTES_FOLDER, ROLLOUT_FOLDER)):
            return list(_by_commit(path, self._committed(path)))
        return [self._told(one, None, _quoted) for one in self._explainer.bullets(path)]

    def words(self, wanted: str) -> list[WhyLine]:
        """The lines that hold the words; the only one with everything that is known."""
        found = self._explainer.words(wanted)
        if len(found) == 1 and found[0].line:
            return [self.line(found[0].path, found[0].line)]
        return [self._told(one, None, _quoted) for one in found]

    def _committed(self, path: str) -> list[BlamedLine]:
        return blame_file(self._repository, path, committed_only=True)

    def _told(self, explained: Explained, commit: Commit | None, speak: Callable[[Said], Spoken]) -> WhyLine:
        by_hand = commit is not None and commit.provenance.writer is Writer.USER
        shown = msgspec.structs.replace(
            explained,
            text=mask(explained.text),
            learned=mask(explained.learned),
            superseded_by=mask(explained.superseded_by),
            is_yours=explained.is_yours or (by_hand and bool(explained.key)),
        )
        return WhyLine(line=shown, spoken=tuple(map(speak, explained.said)), commit=commit)

    def _spoken(self, said: Said) -> Spoken:
        quoted = _quoted(said)
        session = self._read(said.session) if said.session and said.turn else None
        message = session and _human_words(session.messages, said)
        if not message:
            return quoted
        return Spoken(said=quoted.said, words=message.text, words_turn=message.index, read_from="host")

    def _read(self, session_id: str) -> Session | None:
        if session_id not in self._sessions:
            self._sessions[session_id] = self._load(session_id)
        return self._sessions[session_id]

    def _load(self, session_id: str) -> Session | None:
        if self._state is None or session_id in self._hidden or not self._state.sources.of_session(session_id):
            return None
        try:
            return read_session(self._state, session_id)
        except (SessionUnreadable, NotFound):
            return None  # the host has it no more: the rollout summary quotes it


def _quoted(said: Said) -> Spoken:
    source = "" if not said.quote else "rollout summary" if said.session else "note"
    return Spoken(said=msgspec.structs.replace(said, quote=mask(said.quote)), read_from=source)


def _human_words(messages: Sequence[Message], said: Said) -> Message | None:
    """The person's message of that turn; of what an agent did there, the person's last one before it."""
    human = [message for message in messages if message.role is Role.HUMAN]
    there = next((message for message in human if message.index == said.turn), None)
    if there is not None:
        # Turns move where a conversation was rewound: then the words are elsewhere, or nowhere.
        if not said.quote or holds_words(there.text, said.quote):
            return there
        return next((message for message in human if holds_words(message.text, said.quote)), None)
    return next((message for message in reversed(human) if message.index < said.turn), None)


def _by_commit(path: str, blamed: Sequence[BlamedLine]) -> list[WhyLine]:
    found: list[WhyLine] = []
    for line in blamed:
        if found and found[-1].commit == line.commit:
            found[-1] = msgspec.structs.replace(found[-1], last_line=line.line)
        else:
            explained = Explained(path=path, line=line.line, text=line.text)
            found.append(WhyLine(line=explained, last_line=line.line, commit=line.commit))
    return found
