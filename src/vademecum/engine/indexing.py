"""What is done with every session that is learned, beside its record: its citations count, and search finds it."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager

from vademecum.artifacts import forgotten_sessions
from vademecum.engine.hiding import take_listed_out
from vademecum.engine.reading import known_sessions, project_finder
from vademecum.errors import VademecumError
from vademecum.home import IdentityFolder
from vademecum.learning import Citing, Listener
from vademecum.memfs import Repository
from vademecum.recall import SearchIndex
from vademecum.sessions import Session
from vademecum.state import State

__all__ = ["indexing"]


@contextmanager
def indexing(state: State, folder: IdentityFolder, repository: Repository) -> Generator[Listener]:
    """What counts the citations of learned sessions, and puts them into the search index.

    An index that cannot be opened fails session by session.
    """
    citing = Citing(state, repository)
    with ExitStack() as opened:
        try:
            index = opened.enter_context(SearchIndex.open(folder.search))
            tree = repository.tree()
            take_listed_out(index, tree)
            if index.revision is None:
                # The index was lost: sessions that are learned already are not read again by this pass.
                index.rebuild(tree, known_sessions(state, forgotten_sessions(tree)), project_finder(state))
        except VademecumError as error:
            yield _failing(error)
            return

        def listen(session: Session, project: str) -> None:
            citing.count_session(session)
            index.sync_sessions([session], lambda _session: project)

        yield listen


def _failing(error: VademecumError) -> Listener:
    def listen(_session: Session, _project: str) -> None:
        raise error

    return listen
