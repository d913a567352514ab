"""Search in one identity: the index brought up to date, and what may not be shown kept out of every answer."""

from pathlib import Path
from typing import Protocol

import msgspec

from vademecum.artifacts import forgotten_sessions
from vademecum.engine.hiding import kept_away, visibility, which_are_listed
from vademecum.engine.reading import known_sessions, project_finder
from vademecum.engine.spending import usage_counts
from vademecum.errors import DatabaseBroken, StorageError
from vademecum.home import IdentityFolder
from vademecum.memfs import Tree
from vademecum.recall import SearchIndex, SearchResult, search
from vademecum.state import State

__all__ = ["Asked", "search_memory"]


#: How long an answer may wait for memory files to be read. Only thousands of them at once take longer.
_HASTY_SECONDS = 2.0


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is searched for."""

    #: As it was typed, filters included.
    query: str
    limit: int
    offset: int = 0
    #: Memory files that are not to be found.
    hidden_paths: frozenset[str] = frozenset()
    #: The answer must come soon: a lost index is not filled from all sessions first, nor from very many files.
    is_hasty: bool = False


def search_memory(folder: IdentityFolder, tree: Tree, asked: Asked, *, rebuild: bool = False) -> SearchResult:
    """One page of what answers. A damaged index is thrown away and filled again.

    Where the disk is full or read-only, an index in memory does, made of what can be read.
    """
    with State.read(folder.state) as state:

        def ask(index: SearchIndex, *, is_new: bool = False) -> SearchResult:
            with index:
                return _search(index, tree, state, asked, rebuild=rebuild or is_new)

        try:
            return _on_disk(folder.search, ask)
        except StorageError as error:
            # The state may break as well, and a good index must not be thrown away for it.
            if str(folder.state) in error.paths:
                raise
            return _in_memory(folder.search, ask)


class _Ask(Protocol):
    def __call__(self, index: SearchIndex, *, is_new: bool = False) -> SearchResult: ...


def _on_disk(path: Path, ask: _Ask) -> SearchResult:
    try:
        return ask(SearchIndex.open(path))
    except DatabaseBroken as error:
        if str(path) not in error.paths:
            raise
    SearchIndex.discard(path)
    return ask(SearchIndex.open(path), is_new=True)


def _in_memory(path: Path, ask: _Ask) -> SearchResult:
    try:
        return ask(SearchIndex.copy(path))
    except StorageError:
        return ask(SearchIndex.blank(path), is_new=True)


def _search(index: SearchIndex, tree: Tree, state: State, asked: Asked, *, rebuild: bool) -> SearchResult:
    forgotten = forgotten_sessions(tree)
    is_lost = rebuild or index.revision is None
    lacks_sessions = is_lost and asked.is_hasty and bool(state.sources.all())
    if is_lost and not asked.is_hasty:
        index.rebuild(tree, known_sessions(state, forgotten), project_finder(state))
    index.sync_memory(tree, most_seconds=_HASTY_SECONDS if asked.is_hasty else None)
    lacks_files = index.revision != tree.revision
    if lacks_sessions:
        index.mark_lost()
    visible = visibility(state, which_are_listed(index.sessions(), kept_away(tree)))
    found = search(
        index,
        asked.query,
        limit=asked.limit,
        offset=asked.offset,
        visibility=msgspec.structs.replace(visible, hidden_paths=asked.hidden_paths),
        usage=usage_counts(state),
    )
    return msgspec.structs.replace(found, lacks_sessions=lacks_sessions, lacks_files=lacks_files)
