"""One identity's memory, as Python, the CLI and later every surface use it."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vademecum.artifacts import forgotten_sessions, is_said, switched_off_sessions
from vademecum.config import Config, default_config, load_config
from vademecum.engine import history
from vademecum.engine.answers import Edit, Listing, Reading, SessionRow, Status
from vademecum.engine.founding import begin_memory, found_memory, open_memory
from vademecum.engine.history import Difference, Undone
from vademecum.engine.inspecting import Inspection, inspect
from vademecum.engine.losing import refuse_while_gone, with_loss
from vademecum.engine.noting import NewNote, confirm_note, fit_note, human_words, keep_note, known_origin
from vademecum.engine.reading import read_session
from vademecum.engine.review import Proposals
from vademecum.engine.run_work import RunWork, work_of
from vademecum.engine.searching import Asked, search_memory
from vademecum.engine.session_rows import session_rows
from vademecum.engine.spending import UsageReport, usage_of
from vademecum.engine.status import status_of
from vademecum.errors import ConfigError, NotFound, RepositoryMissing
from vademecum.home import Home, IdentityFolder, project_root
from vademecum.hook_settings import publish_hook_settings
from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.locks import PATIENT_SECONDS, Locks
from vademecum.memfs import (
    Adoption,
    BlamedLine,
    Commit,
    Repository,
    Shown,
    Tree,
    operations,
    show,
)
from vademecum.recall import Context, Injection, SearchResult, compile_context, given_to, refresh
from vademecum.routes import Route, Routes
from vademecum.sessions import Origin
from vademecum.state import ModelRequest, Run, State

if TYPE_CHECKING:
    from vademecum.engine.agent_view import AgentView
    from vademecum.engine.citing import Cited
    from vademecum.engine.editing import Editor
    from vademecum.engine.forgetting import Forgetting
    from vademecum.engine.learn import LearnReport, LearnRequest
    from vademecum.engine.resetting import Resetting
    from vademecum.engine.switching import Switching
    from vademecum.engine.why import Why
    from vademecum.learning import Progress
    from vademecum.sessions import Discovery, Session

__all__ = [
    "FIRST_STEP",
    "Memory",
]

#: What a newcomer does, as every command says it that finds nothing.
FIRST_STEP = "Run `vade learn` to learn from your sessions, or `vade note TEXT` to write something down."


class Memory:
    """One identity's memory. Every method opens what it needs and closes it again; nothing stays resident."""

    def __init__(
        self,
        home: Home,
        folder: IdentityFolder,
        config: Config,
        environ: Mapping[str, str],
        routes: Routes,
        route: Route,
        patience_seconds: float = PATIENT_SECONDS,
    ) -> None:
        self.home, self.folder, self.config, self._environ = home, folder, config, environ
        self.routes, self.route, self._patience_seconds = routes, route, patience_seconds

    @classmethod
    def open(
        cls,
        identity: str | None = None,
        *,
        cwd: str | None = None,
        home: str | os.PathLike[str] | None = None,
        environ: Mapping[str, str] | None = None,
        must_exist: bool = False,
        with_defaults: bool = False,
        patience_seconds: float = PATIENT_SECONDS,
    ) -> "Memory":
        """Open an identity, else that of a working directory (default: the present one); nothing is created yet.

        `with_defaults`: do not read the settings of the home, which may be broken. `patience_seconds`: the longest wait
        for another process that writes.

        Raises UsageError for a bad name, UnknownIdentity where `must_exist` and the one that was named was never
        written, ConfigError.
        """
        environ = os.environ if environ is None else environ
        place = Home(root=Path(home).expanduser().absolute()) if home is not None else Home.find(environ)
        config = default_config(environ) if with_defaults else load_config(place.config, environ)
        routes = Routes(place, config)
        route = routes.choose(identity, environ, cwd)
        folder = routes.folder_of(route, must_exist=must_exist)
        return cls(place, folder, config, environ, routes, route, patience_seconds)

    @property
    def is_learners(self) -> bool:
        """Whether it was opened by an agent that learns for us, which only reads."""
        return bool(self._environ.get(LEARNER_VARIABLE))

    @cached_property
    def _locks(self) -> Locks:
        return Locks(self.folder.locks, patience_seconds=self._patience_seconds)

    def begin(self) -> bool:
        """Make the memory repository where there is none, over files that lie there too; whether it was made now."""
        existed = self.folder.exists
        begin_memory(self.folder, self._locks)
        self._tell_hooks()
        return not existed

    def create(self) -> bool:
        """Make the memory repository where nothing is; whether it was made now. Raises RepositoryMissing."""
        existed = self.folder.exists
        found_memory(self.folder, self._locks)
        self._tell_hooks()
        return not existed

    def _tell_hooks(self) -> None:
        self.routes.keep(self.route)
        with suppress(ConfigError):  # said to whoever reads the settings; hooks go on with what they know
            publish_hook_settings(self.home)

    def _repository(self) -> Repository:
        if self.folder.is_blank:
            whose = f" (the one of {self.route.folder})" if self.route.folder else ""
            raise RepositoryMissing(f"identity {self.folder.name!r}{whose} has no memory yet", next_step=FIRST_STEP)
        return open_memory(self.folder, self._locks)

    @property
    def proposals(self) -> Proposals:
        """What waits for the person's word. Raises RepositoryMissing where nothing was written yet."""
        return Proposals(self._repository(), self.folder, self._locks)

    def tree(self, revision: str | None = None) -> Tree:
        """A committed state; None: the newest."""
        return self._repository().tree(revision)

    def context(self, *, cwd: str | None = None, revision: str | None = None) -> Context:
        """The block for a working directory (default: the present one)."""
        place = os.path.normpath(Path(cwd or ".").absolute())
        return compile_context(
            self.tree(revision),
            places=tuple(dict.fromkeys((place, project_root(place)))),
            budget_tokens=self.config.budget_tokens,
            cache=None if revision else self.folder.cache,
        )

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

        return AgentView(self.folder, self._repository())

    def read(self, path: str, *, offset: int = 1, limit: int = 400) -> Reading:
        """Lines of a memory file from file line `offset`. Raises NotFound, UsageError past the end."""
        return operations.read_lines(self.tree(), self.folder.memory, path, offset=offset, limit=limit)

    def ls(self, path: str = "") -> list[Listing]:
        """The entries of a memory folder, folders first. Raises NotFound."""
        return operations.list_folder(self.tree(), self.folder.memory, path)

    def log(self, path: str | None = None, *, limit: int = 20, offset: int = 0) -> list[Commit]:
        """Commits, newest first; of a file or folder those that changed it. Raises NotFound where none ever did."""
        return history.log(self._repository(), path, limit=limit, offset=offset)

    def show(self, rev: str) -> Shown:
        """One commit with what it changed. Raises NotFound."""
        return show(self._repository(), rev)

    def diff(self, *revs: str, paths: Collection[str] = ()) -> Difference:
        """Hand edits (no revision), what came since a revision, or what lies between two. Raises NotFound."""
        return history.diff(self._repository(), revs, paths)

    def blame(self, path: str) -> list[BlamedLine]:
        """Who wrote each line of a file. Raises NotFound."""
        return history.blame_file(self._repository(), path)

    def why(self, target: str) -> "Why":
        """Where a line (`PATH:LINE`), what a file says (`PATH`), or a statement (its words) comes from.

        Raises NotFound, UsageError.
        """
        from vademecum.engine.why import explain

        return explain(self._repository(), self.folder.state, target)

    def cite(self, answer: str, *, session: str | None = None, message: str | None = None) -> "Cited":
        """Take an answer's citation block out of it, and count it where both ids are given. Raises UsageError."""
        from vademecum.engine.citing import take_citations

        return take_citations(self.folder, self._locks, answer, session, message, is_learner=self.is_learners)

    def undo(self, target: str | None = None, *, paths: Collection[str] = (), dry_run: bool = False) -> Undone:
        """Take back a commit, all commits of a run, or the newest commit, as the person's own act.

        Raises NotFound, NoChange, RefusedError; MergeConflict where later changes stand in the way.
        """
        repository = self._repository()
        if dry_run:
            return history.rehearse_undo(repository, target, paths)
        undone = history.take_back_commits(repository, target, paths)
        refresh(repository.tree(), self.folder.cache)
        return undone

    def runs(self, *, limit: int = 20) -> list[Run]:
        """The ledger, newest first."""
        if not self.folder.state.exists():
            return []
        with State.read(self.folder.state) as state:
            return state.runs.list(limit=limit)

    def run(self, run_id: str) -> Run:
        """One row of the ledger. Raises NotFound."""
        if not self.folder.state.exists():
            raise NotFound(f"there is no run {run_id}", next_step="Run `vade learn` first.")
        with State.read(self.folder.state) as state:
            return state.runs.get(run_id)

    def requests_of(self, run: Run) -> list[ModelRequest]:
        """Every request to a model that a run made, in order."""
        with State.read(self.folder.state) as state:
            return state.requests.of_run(run.id)

    def work_of(self, run: Run) -> RunWork | None:
        """What a run changed in the memory; None where it changed nothing."""
        return None if self.folder.is_blank else work_of(self._repository(), run.id)

    def usage(self, *, days: int = 14) -> UsageReport:
        """Which memories answers used, and what the newest days of learning took."""
        if not self.folder.state.exists():
            return UsageReport()
        with State.read(self.folder.state) as state:
            return usage_of(state, days=days)

    def sessions(self) -> list[SessionRow]:
        """Every session that memory holds a record of, newest first."""
        if not self.folder.state.exists():
            return []
        with State.read(self.folder.state) as state:
            if not self.folder.exists:
                return session_rows(state)
            tree = self.tree()
            return session_rows(state, forgotten_sessions(tree), switched_off_sessions(tree))

    def session(self, session_id: str) -> "Session":
        """The session itself, read again from its host, clean. Raises NotFound, SessionUnreadable."""
        if self.folder.state.exists():
            with State.read(self.folder.state) as state:
                return read_session(state, session_id)
        raise NotFound(f"no session {session_id!r} was seen here", next_step="Run `vade learn` first.")

    def status(self, *, cwd: str | None = None) -> Status:
        """How this identity stands; also where nothing was written yet."""
        repository = None if self.folder.is_blank else self._repository()
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

        return Editor(self._repository, self.create, cache=self.folder.cache, model_edits=self.config.model_edits)

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
        repository = self._repository()
        edit = keep_note(repository, NewNote(words=words, writer=writer, session=session, is_said=is_users))
        refresh(repository.tree(), self.folder.cache)
        return with_loss(edit, self.folder, repository) if is_new else edit

    def _said(self, session: str | None, host: str) -> Iterable[str]:
        return human_words(session, self.folder.state, self._environ, host=host) if session else ()

    def confirm_note(self, path: str) -> Edit:
        """Take over what an agent wrote down by itself. Raises NotFound, NoChange."""
        repository = self._repository()
        edit = confirm_note(repository, path)
        refresh(repository.tree(), self.folder.cache)
        return edit

    def adopt(self) -> Adoption:
        """Commit a person's uncommitted edits of memory files; what may not become durable is left and reported."""
        repository = self._repository()
        adoption = repository.adopt()
        refresh(repository.tree(), self.folder.cache)
        return adoption

    @property
    def forgetting(self) -> "Forgetting":
        """Let go of files and sessions, for good where a person wants that."""
        from vademecum.engine.forgetting import Forgetting

        return Forgetting(self.folder, self._repository(), self._locks)

    @property
    def resetting(self) -> "Resetting":
        """Begin anew, and the trash of what was there before."""
        from vademecum.engine.resetting import Resetting

        return Resetting(self.folder, self._repository(), self._locks)

    @property
    def switching(self) -> "Switching":
        """Switch sessions off for memory, and on again."""
        from vademecum.engine.switching import Switching

        refuse_while_gone(self.folder)
        self.create()
        return Switching(self.folder, self._repository(), self._locks, self._environ)

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

        return learn(self, request, self._environ, found=found, progress=progress)

    @property
    def takes_all(self) -> bool:
        """Whether this identity learns every session, wherever it was held."""
        return self.route.is_by_name or self.routes.lead_to_one

    def identity_of(self, cwd: str) -> str:
        """The name of the identity that learns the sessions of a working directory."""
        return self.folder.name if self.takes_all else self.routes.of(cwd).identity
