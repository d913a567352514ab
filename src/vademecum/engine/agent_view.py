"""What an agent is shown of one identity's memory: all of it but what a person took out or switched off.

A person reads the archive of what they removed, and the recap of a session that they have just switched off. An agent
would take both for memory. So here neither is listed, found, opened or explained.
"""

from collections.abc import Collection, Iterator
from functools import cached_property

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    NOTES_FOLDER,
    ROLLOUT_FOLDER,
    SUMMARY_PATH,
    parse_note,
    parse_rollout_summary,
    session_hash,
)
from vademecum.engine.hiding import kept_away, visibility, which_are_listed
from vademecum.engine.searching import Asked, search_memory
from vademecum.engine.why import Spoken, Why, WhyLine, explain
from vademecum.errors import FrontMatterInvalid, NotFound
from vademecum.home import IdentityFolder
from vademecum.learning import rollout_path, text_of
from vademecum.memfs import Listing, Reading, Repository, Tree, find_meant, front_matter, operations, shown
from vademecum.recall import SearchResult
from vademecum.state import SessionMode, State

__all__ = ["AgentView", "Entry", "Folder"]

_OF_GENERATED = {
    HANDBOOK_PATH: "the handbook: what was learned, by project; search it first",
    SUMMARY_PATH: "the summary of it, which stands in your context already",
}
_DESCRIPTION_CHARACTERS = 200


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a folder."""

    #: From the root of the memory repository; a folder ends with a slash.
    path: str
    size_bytes: int
    #: What it is about, in one line; empty where nothing says so.
    description: str


class Folder(msgspec.Struct, frozen=True, kw_only=True):
    """Some of the entries of a folder."""

    entries: tuple[Entry, ...]
    #: How many it has in all.
    total: int


class AgentView:
    """One identity's memory as it stands now, for an agent."""

    def __init__(self, folder: IdentityFolder, repository: Repository) -> None:
        self._folder, self._repository = folder, repository
        self._tree = repository.tree()

    @cached_property
    def _kept_out(self) -> tuple[frozenset[str], frozenset[str]]:
        """The ids of sessions and the paths that are not shown."""
        away = kept_away(self._tree)
        hidden: frozenset[str] = frozenset()
        paths: set[str] = {ARCHIVE_PATH}
        stems: set[str] = set()
        if self._folder.state.exists():
            with State.read(self._folder.state) as state:
                heads = state.records.heads()
                hidden = visibility(state, which_are_listed((head.session_id for head in heads), away)).hidden_sessions
                stems = {head.stem for head in heads}
                paths |= {rollout_path(head.stem) for head in heads if head.session_id in hidden}
        told = dict(_sessions_told(self._tree, stems)) if away else {}
        listed = which_are_listed(told.values(), away)
        return hidden | listed, frozenset(paths | {path for path, session in told.items() if session in listed})

    @cached_property
    def _files(self) -> "_Shown":
        return _Shown(self._tree, self._kept_out[1])

    def is_folder(self, path: str) -> bool:
        """Whether a folder is meant by this."""
        meant = find_meant(path, self._files.paths(), root=self._folder.memory)
        return meant is not None and meant.is_folder

    def read(self, path: str, *, offset: int, limit: int) -> Reading:
        """Lines of a memory file from file line `offset`. Raises NotFound, UsageError past the end."""
        self._refuse_hidden(path)
        return operations.read_lines(self._files, self._folder.memory, path, offset=offset, limit=limit)

    def ls(self, path: str, *, offset: int, limit: int) -> Folder:
        """Entries of a folder, folders first, or the one file of this name. Raises NotFound.

        Files that are named by the time they were made stand the other way round: what is newest is looked for most.
        """
        self._refuse_hidden(path)
        root = self._folder.memory
        meant = find_meant(path, self._files.paths(), root=root)
        if meant is not None and not meant.is_folder:
            found = [Listing(path=meant.path, size_bytes=self._files.size(meant.path))]
        else:
            found = _newest_first(operations.list_folder(self._files, root, path))
        page = found[offset : offset + limit]
        return Folder(entries=tuple(map(self._described, page)), total=len(found))

    def search(self, query: str, *, limit: int, offset: int) -> SearchResult:
        """One page of what answers, at once: past sessions are missing from it where the index was lost."""
        asked = Asked(query=query, limit=limit, offset=offset, hidden_paths=self._kept_out[1], is_hasty=True)
        return search_memory(self._folder, self._tree, asked)

    def recaps(self, sessions: Collection[str]) -> dict[str, str]:
        """The rollout summaries that tell of these sessions, as far as there are any: session -> path."""
        if not sessions or not self._folder.state.exists():
            return {}
        with State.read(self._folder.state) as state:
            paths = {record.session_id: rollout_path(record.stem) for record in state.records.chosen(sessions)}
        return {session: path for session, path in paths.items() if self._files.has(path)}

    def mode(self, session: str) -> SessionMode:
        """Whether this session, named by its whole id, may be learned from."""
        if session_hash(session) in kept_away(self._tree):
            return SessionMode.DISABLED
        if not self._folder.state.exists():
            return SessionMode.ENABLED
        with State.read(self._folder.state) as state:
            return state.modes.get(session) or SessionMode.ENABLED

    def why(self, target: str) -> Why:
        """Where a line, what a file says, or a statement comes from; nothing of what was taken out.

        Raises NotFound, UsageError.
        """
        why = explain(self._repository, self._folder.state, target)
        sessions, paths = self._kept_out
        lines = tuple(_without(sessions, line) for line in why.lines if line.line.path not in paths)
        if why.path in paths or (why.lines and not lines):
            raise NotFound(f"memory has no file {target!r}, and no line that holds these words")
        return msgspec.structs.replace(why, lines=lines)

    def _refuse_hidden(self, path: str) -> None:
        """As if it were not there: what is hidden would else be told by another error than what is absent."""
        meant = find_meant(path, self._tree.paths(), root=self._folder.memory)
        if meant is not None and meant.path in self._kept_out[1]:
            raise NotFound(f"there is no file {path.strip()!r} in memory", paths=(path.strip(),))

    def _described(self, entry: Listing) -> Entry:
        path = entry.path
        about = "" if path.endswith("/") or not self._files.has(path) else _about(path, self._files)
        return Entry(path=path, size_bytes=entry.size_bytes, description=about)


class _Shown:
    """The files of a revision but for those that are hidden."""

    def __init__(self, tree: Tree, hidden: Collection[str]) -> None:
        self._tree, self._hidden = tree, hidden

    @cached_property
    def _paths(self) -> list[str]:
        return [path for path in self._tree.paths() if path not in self._hidden]

    def paths(self) -> list[str]:
        return self._paths

    def has(self, path: str) -> bool:
        return path not in self._hidden and self._tree.has(path)

    def read(self, path: str) -> str:
        return self._tree.read(path)

    def size(self, path: str) -> int:
        return self._tree.size(path)


def _newest_first(found: list[Listing]) -> list[Listing]:
    is_dated = all(entry.path.startswith((ROLLOUT_FOLDER, NOTES_FOLDER)) for entry in found)
    return sorted(found, key=lambda entry: entry.path, reverse=True) if is_dated else found


def _sessions_told(tree: Tree, known_stems: Collection[str]) -> Iterator[tuple[str, str]]:
    """Rollout summary -> its session, of those that the state knows nothing of."""
    known = {rollout_path(stem) for stem in known_stems}
    for path in tree.paths():
        if path.startswith(ROLLOUT_FOLDER) and path not in known:
            summary = parse_rollout_summary(text_of(tree, path))
            if summary:
                yield path, summary.session_id


def _about(path: str, files: _Shown) -> str:
    if path in _OF_GENERATED:
        return _OF_GENERATED[path]
    try:
        text = shown(path, files.read(path))
        meta = front_matter.parse(text).meta
    except FrontMatterInvalid:
        return "its header cannot be read"
    told = str(meta.get("description", ""))
    if path.startswith(NOTES_FOLDER):
        told = parse_note(path, text).text
    elif path.startswith(ROLLOUT_FOLDER) and (summary := parse_rollout_summary(text)):
        told = f"{summary.description} ({summary.host}, {summary.updated_at:%Y-%m-%d}, {summary.cwd})"
    return " ".join(told.split())[:_DESCRIPTION_CHARACTERS]


def _without(hidden: Collection[str], line: WhyLine) -> WhyLine:
    """The line without the words of sessions that are not shown."""
    return msgspec.structs.replace(line, spoken=tuple(_hushed(item, hidden) for item in line.spoken))


def _hushed(item: Spoken, hidden: Collection[str]) -> Spoken:
    if item.said.session not in hidden:
        return item
    return Spoken(said=msgspec.structs.replace(item.said, quote=""))
