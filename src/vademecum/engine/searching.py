"""Search over memory files and sessions, with an index that is made anew where it broke."""

from pathlib import Path

from vademecum.artifacts import forgotten_sessions
from vademecum.engine.overview import kept_away, usage_counts, visibility, which_are_listed
from vademecum.engine.reading import known_sessions, project_finder
from vademecum.errors import DatabaseBroken
from vademecum.memfs import Tree
from vademecum.recall import SearchIndex, SearchResult, search
from vademecum.state import State

__all__ = ["search_all"]


def search_all(
    database: Path, tree: Tree, state: State, query: str, *, limit: int, offset: int, rebuild: bool
) -> SearchResult:
    """Search at a revision. `rebuild`: make the index anew first. Raises DatabaseBroken for the state only."""
    try:
        return _search(database, tree, state, query, limit, offset, rebuild=rebuild)
    except DatabaseBroken as error:
        # The state may break as well, and a good index must not be thrown away for it.
        if str(database) not in error.paths:
            raise
    SearchIndex.discard(database)
    return _search(database, tree, state, query, limit, offset, rebuild=True)


def _search(
    database: Path, tree: Tree, state: State, query: str, limit: int, offset: int, *, rebuild: bool
) -> SearchResult:
    forgotten = forgotten_sessions(tree)
    with SearchIndex.open(database) as index:
        if rebuild or index.revision is None:
            index.rebuild(tree, known_sessions(state, forgotten), project_finder(state))
        index.sync_memory(tree)
        visible = visibility(state, which_are_listed(index.sessions(), kept_away(tree)))
        return search(index, query, limit=limit, offset=offset, visibility=visible, usage=usage_counts(state))
