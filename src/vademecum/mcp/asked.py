"""One request, with all that its answer depends on; nothing is kept between two of them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from vademecum.mcp.callers import Caller, Options, caller_of
from vademecum.mcp.standing import StandingHome
from vademecum.mcp.versions import Dialect

if TYPE_CHECKING:  # the engine is loaded by the first call: tools are listed without it
    from vademecum.engine import Memory

__all__ = ["Asked", "Method"]

#: A model and its user wait for the answer: longer than this another process that writes is not waited for.
_PATIENCE_SECONDS = 5.0


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One request."""

    params: Mapping[str, Any]
    dialect: Dialect
    options: Options
    environ: Mapping[str, str]
    standing: StandingHome
    #: Asks the person; None: nobody can be asked.
    confirm: Callable[[str], bool] | None = None

    @property
    def caller(self) -> Caller:
        """Who asks."""
        return caller_of(self.params, self.options)

    def memory(self, cwd: str | None) -> "Memory":
        """The memory of a working directory (None: of this process). Raises UsageError, ConfigError, StorageError."""
        self.standing.find()
        from vademecum.engine import Memory
        from vademecum.home import Home
        from vademecum.routes import require_identity

        environ = self.environ
        require_identity(self.options.identity, Home.find(environ), environ)
        return Memory.open(self.options.identity, cwd=cwd, environ=environ, patience_seconds=_PATIENCE_SECONDS)


#: Answers a request; raises RpcError, VademecumError, InputRequired.
Method = Callable[[Asked], dict[str, Any]]
