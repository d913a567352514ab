"""An identity as it was opened: where it lies, by which settings and routes, and its memory repository."""

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Self

from vademecum.config import Config, default_config, load_config
from vademecum.engine.founding import begin_memory, found_memory, open_memory
from vademecum.errors import ConfigError, RepositoryMissing
from vademecum.home import Home, IdentityFolder, project_root
from vademecum.hook_settings import publish_hook_settings
from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.locks import PATIENT_SECONDS, Locks
from vademecum.memfs import Repository, Tree
from vademecum.recall import Context, compile_context
from vademecum.routes import Route, Routes

__all__ = ["FIRST_STEP", "Opened"]

#: What a newcomer does, as every command says it that finds nothing.
FIRST_STEP = "Run `vade learn` to learn from your sessions, or `vade note TEXT` to write something down."


class Opened:
    """One identity, with the home that it lies in. Nothing is made before `begin` or `create`."""

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
        self.home, self.folder, self.config, self.environ = home, folder, config, environ
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
    ) -> Self:
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
        return bool(self.environ.get(LEARNER_VARIABLE))

    @cached_property
    def locks(self) -> Locks:
        """The locks of this identity."""
        return Locks(self.folder.locks, patience_seconds=self._patience_seconds)

    def begin(self) -> bool:
        """Make the memory repository where there is none, over files that lie there too; whether it was made now."""
        existed = self.folder.exists
        begin_memory(self.folder, self.locks)
        self._tell_hooks()
        return not existed

    def create(self) -> bool:
        """Make the memory repository where nothing is; whether it was made now. Raises RepositoryMissing."""
        existed = self.folder.exists
        found_memory(self.folder, self.locks)
        self._tell_hooks()
        return not existed

    def _tell_hooks(self) -> None:
        self.routes.keep(self.route)
        with suppress(ConfigError):  # said to whoever reads the settings; hooks go on with what they know
            publish_hook_settings(self.home)

    def repository(self) -> Repository:
        """The memory repository. Raises RepositoryMissing where nothing was written yet."""
        if self.folder.is_blank:
            whose = f" (the one of {self.route.folder})" if self.route.folder else ""
            raise RepositoryMissing(f"identity {self.folder.name!r}{whose} has no memory yet", next_step=FIRST_STEP)
        return open_memory(self.folder, self.locks)

    def tree(self, revision: str | None = None) -> Tree:
        """A committed state; None: the newest."""
        return self.repository().tree(revision)

    def context(self, *, cwd: str | None = None, revision: str | None = None) -> Context:
        """The block for a working directory (default: the present one)."""
        place = os.path.normpath(Path(cwd or ".").absolute())
        return compile_context(
            self.tree(revision),
            places=tuple(dict.fromkeys((place, project_root(place)))),
            budget_tokens=self.config.budget_tokens,
            cache=None if revision else self.folder.cache,
        )

    @property
    def takes_all(self) -> bool:
        """Whether this identity learns every session, wherever it was held."""
        return self.route.is_by_name or self.routes.lead_to_one

    def identity_of(self, cwd: str) -> str:
        """The name of the identity that learns the sessions of a working directory."""
        return self.folder.name if self.takes_all else self.routes.of(cwd).identity
