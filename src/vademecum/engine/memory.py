"""One identity's memory, as Python, the CLI and later every surface use it."""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from vademecum.artifacts import forgotten_sessions, is_said, switched_off_sessions
from vademecum.engine import history
from vademecum.engine.answers import Edit, Listing, Reading, SessionRow, Status
from vademecum.engine.history import Difference, Undone
from vademecum.engine.inspecting import Inspection, inspect
from vademecum.engine.ledger import Ledger
from vademecum.engine.losing import with_loss
from vademecum.engine.noting import NewNote, confirm_note, fit_note, human_words, keep_note, known_origin
from vademecum.engine.opened import Opened
from vademecum.engine.reading import read_session
from vademecum.engine.review import Proposals
from vademecum.engine.searching import Asked, search_memory
from vademecum.engine.session_rows import session_rows
from vademecum.engine.status import status_of
from vademecum.errors import NotFound
from vademecum.memfs import Adoption, BlamedLine, Commit, Shown, operations, show
from vademecum.recall import Context, Injection, SearchResult, given_to, refresh
from vademecum.sessions import Origin
from vademecum.state import State

if TYPE_CHECKING:
    from vademecum.engine.agent_view import AgentView
    from vademecum.engine.citing import Cited
    from vademecum.engine.editing import Editor
    from vademecum.engine.forgetting import Forgetting
    from vademecum.engine.forgetting_lines import LineForgetting
    from vademecum.engine.learn import LearnReport, LearnRequest
    from vademecum.engine.resetting import Resetting
    from vademecum.engine.switching import Switching
    from vademecum.engine.why import Why
    from vademecum.learning import Progress
    from vademecum.sessions import Discovery, Session

__all__ = ["Memory"]


class Memory(Opened):
    """One identity's memory. Every method opens what it needs and closes it again; nothing stays resident."""

    @property
    def proposals(self) -> Proposals:
        """What waits for the person's word. Raises RepositoryMissing where nothing was written yet."""
        return Proposals(self.repository(), self.folder, self.locks)

    def inject(self, *, host: str, session: str, cwd: str, event: str) -> Injection:
        """What a session is given at its `start`, at a `turn`, at `resume` or after `compact`. Raises UsageError."""
        from vademecum.engine.injecting import inject

        return inject(self, host=host, session=session, cwd=cwd, event=event)

    def given(self, *, host: str, session: str) -> Context | None:
        """What a session was given and has still, byte for byte; None where it was given nothing."""
        return given_to(self.folder.pins, host=host, session=session)

    def search(
        self, query: str, *, where: str = "all", limit: int = 10, offset: int = 0, rebuild: bool = False
    ) -> SearchResult:
        """Search memory files and session messages. `where`: `memory`, `sessions` or `all`."""
        words = query if where == "all" else f"in:{where} {query}"
        asked = Asked(query=words, limit=limit, offset=offset)
        return search_memory(self.folder, self.tree(), asked, rebuild=rebuild)

    @property
    def for_agents(self) -> "AgentView":
        """Memory as an agent is shown it, without what a person took out or switched off."""
        from vademecum.engine.agent_view import AgentView

        return AgentView(self.folder, self.repository())

    def read(self, path: str, *, offset: int = 1, limit: int = 400) -> Reading:
        """Lines of a memory file from file line `offset`. Raises NotFound, UsageError past the end."""
        return operations.read_lines(self.tree(), self.folder.memory, path, offset=offset, limit=limit)

    def ls(self, path: str = "") -> list[Listing]:
        """The entries of a memory folder, folders first. Raises NotFound."""
        return operations.list_folder(self.tree(), self.folder.memory, path)

    def log(self, path: str | None = None, *, limit: int = 20, offset: int = 0) -> list[Commit]:
        """Commits, newest first; of a file or folder those that changed it. Raises NotFound where none ever did."""
        return history.log(self.repository(), path, limit=limit, offset=offset)

    def show(self, rev: str) -> Shown:
        """One commit with what it changed. Raises NotFound."""
        return show(self.repository(), rev)

    def diff(self, *revs: str, paths: Collection[str] = ()) -> Difference:
        """Hand edits (no revision), what came since a revision, or what lies between two. Raises NotFound."""
        return history.diff(self.repository(), revs, paths)

    def blame(self, path: str) -> list[BlamedLine]:
        """Who wrote each line of a file. Raises NotFound."""
        return history.blame_file(self.repository(), path)

    def why(self, target: str) -> "Why":
        """Where a line (`PATH:LINE`), what a file says (`PATH`), or a statement (its words) comes from.

        Raises NotFound, UsageError.
        """
        from vademecum.engine.why import explain

        return explain(self.repository(), self.folder.state, target)

    def cite(self, answer: str, *, session: str | None = None, message: str | None = None) -> "Cited":
        """Take an answer's citation block out of it, and count it where both ids are given. Raises UsageError."""
        from vademecum.engine.citing import take_citations

        return take_citations(self.folder, self.locks, answer, session, message, is_learner=self.is_learners)

    def undo(self, target: str | None = None, *, paths: Collection[str] = (), dry_run: bool = False) -> Undone:
        """Take back a commit, all commits of a run, or the newest commit, as the person's own act.

        Raises NotFound, NoChange, RefusedError; MergeConflict where later changes stand in the way.
        """
        repository = self.repository()
        if dry_run:
            return history.rehearse_undo(repository, target, paths)
        undone = history.take_back_commits(repository, target, paths)
        refresh(repository.tree(), self.folder.cache)
        return undone

    @property
    def ledger(self) -> Ledger:
        """What every pass did, asked of models and took, and what memory was used for."""
        return Ledger(self)

    def sessions(self, *, titled: bool = False) -> list[SessionRow]:
        """Every session that memory holds a record of, newest first.

        `titled`: with first words and reasons, for which the text of every record is read.
        """
        if not self.folder.state.exists():
            return []
        with State.read(self.folder.state) as state:
            tree = self.tree() if self.folder.exists else None
            lists = (forgotten_sessions(tree), switched_off_sessions(tree)) if tree is not None else ()
            rows = session_rows(state, *lists)
            if not titled:
                return rows
            from vademecum.engine.every_session import with_titles

            return with_titles(rows, state, tree)

    def unlearned_sessions(self) -> list[SessionRow]:
        """The sessions that hosts have and memory holds no record of, with the reason, newest first."""
        from vademecum.engine.every_session import unlearned_sessions

        tree = self.tree() if self.folder.exists else None
        if not self.folder.state.exists():
            return unlearned_sessions(self, None, tree)
        with State.read(self.folder.state) as state:
            return unlearned_sessions(self, state, tree)

    def session(self, session_id: str) -> "Session":
        """The session itself, read again from its host, clean. Raises NotFound, SessionUnreadable."""
        if self.folder.state.exists():
            with State.read(self.folder.state) as state:
                return read_session(state, session_id)
        raise NotFound(f"no session {session_id!r} was seen here", next_step="Run `vade learn` first.")

    def status(self, *, cwd: str | None = None) -> Status:
        """How this identity stands; also where nothing was written yet."""
        repository = None if self.folder.is_blank else self.repository()
        return status_of(
            self.folder,
            self.config,
            repository=repository,
            context=self.context(cwd=cwd) if repository else None,
            proposals=self.proposals.list() if repository else [],
            route=self.route,
            home=self.home.root,
        )

    def inspect(self, *, cwd: str | None = None) -> Inspection:
        """As `status`, with jobs, failures, files and settings beside it."""
        tree, context = (None, None) if self.folder.is_blank else (self.tree(), self.context(cwd=cwd))
        return inspect(self.status(cwd=cwd), self.folder, self.config, tree, context)

    @cached_property
    def edit(self) -> "Editor":
        """The edits of memory files, each one commit."""
        from vademecum.engine.editing import Editor

        return Editor(self.repository, self.create, cache=self.folder.cache, model_edits=self.config.model_edits)

    def note(
        self,
        text: str,
        *,
        origin: str = Origin.HUMAN,
        session: str | None = None,
        host: str = "",
        said: Iterable[str] | None = None,
        allow_secret: bool = False,
    ) -> Edit:
        """Keep what somebody asks to remember: it stands in the very next context. Raises SecretFound, UsageError.

        `origin`: who writes it down. A model's note counts as the user's where it repeats what they said in that
        `session`: in `said`, where the caller knows their messages, else in what their `host` has stored of it.
        """
        words, writer = fit_note(text, allow_secret=allow_secret), known_origin(origin, session)
        is_users = writer is Origin.HUMAN or is_said(words, self._said(session, host) if said is None else said)
        is_new = self.create()
        repository = self.repository()
        edit = keep_note(repository, NewNote(words=words, writer=writer, session=session, is_said=is_users))
        refresh(repository.tree(), self.folder.cache)
        return with_loss(edit, self.folder, repository) if is_new else edit

    def _said(self, session: str | None, host: str) -> Iterable[str]:
        return human_words(session, self.folder.state, self.environ, host=host) if session else ()

    def confirm_note(self, path: str) -> Edit:
        """Take over what an agent wrote down by itself. Raises NotFound, NoChange."""
        repository = self.repository()
        edit = confirm_note(repository, path)
        refresh(repository.tree(), self.folder.cache)
        return edit

    def adopt(self) -> Adoption:
        """Commit a person's uncommitted edits of memory files; what may not become durable is left and reported."""
        repository = self.repository()
        adoption = repository.adopt()
        refresh(repository.tree(), self.folder.cache)
        return adoption

    @property
    def forgetting(self) -> "Forgetting":
        """Let go of files and sessions, for good where a person wants that."""
        from vademecum.engine.forgetting import Forgetting

        return Forgetting(self.folder, self.repository(), self.locks)

    @property
    def line_forgetting(self) -> "LineForgetting":
        """Let go of single lines."""
        from vademecum.engine.forgetting_lines import LineForgetting

        return LineForgetting(self.folder, self.repository(), self.locks)

    @property
    def resetting(self) -> "Resetting":
        """Begin anew, and the trash of what was there before."""
        from vademecum.engine.resetting import Resetting

        return Resetting(self.folder, self.repository(), self.locks)

    @property
    def switching(self) -> "Switching":
        """Switch sessions off for memory, and on again."""
        from vademecum.engine.switching import Switching

        return Switching(self)

    def learn(
        self,
        request: "LearnRequest | None" = None,
        *,
        found: "Callable[[Discovery], None]" = lambda _discovery: None,
        progress: "Progress" = lambda _ref, _what: None,
    ) -> "LearnReport":
        """Learn from finished sessions: find, extract, consolidate.

        An identity that was opened by its name takes them all; else each goes to the identity of its own directory.
        `found` is called once with what there is, `progress` after every session.
        """
        from vademecum.engine.whole_pass import learn

        return learn(self, request, found=found, progress=progress)
