"""Methods of our own plugins: what a session is given, what its answers cite, and what becomes of it.

A plugin that runs inside of its host asks the same process that serves the tools. These methods are named in what the
server says of itself, and mean nothing to other clients.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import msgspec

from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.mcp.asked import Asked, Method
from vademecum.mcp.messages import INVALID_PARAMS, RpcError

__all__ = ["EXTENSIONS"]

_Told = TypeVar("_Told", bound=msgspec.Struct)


class _Context(msgspec.Struct, frozen=True, kw_only=True):
    host: str
    session: str
    cwd: str
    #: `start`, `resume`, `compact` or `turn`.
    event: str


class _Cite(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    session: str | None = None
    message: str | None = None


class _Event(msgspec.Struct, frozen=True, kw_only=True):
    host: str
    session: str
    #: In the words of hooks, but for `deleted`, which no hook tells.
    event: Literal["prompt", "stop", "session-end", "deleted"]
    cwd: str = ""
    #: The address that the host says it can be asked at; it may say so without listening there.
    server: str = ""


def _context(asked: Asked) -> dict[str, Any]:
    """The block of a session, and one line where memory has changed since it was given."""
    told = _read(_Context, asked.params)
    memory = asked.memory(told.cwd)
    return msgspec.to_builtins(memory.inject(host=told.host, session=told.session, cwd=told.cwd, event=told.event))


def _cite(asked: Asked) -> dict[str, Any]:
    """The answer without its citation block, and how many citations of it were counted."""
    told = _read(_Cite, asked.params)
    cited = asked.memory(asked.caller.cwd).cite(told.text, session=told.session, message=told.message)
    return {"text": cited.text, "counted": cited.counted}


def _event(asked: Asked) -> dict[str, Any]:
    """Write down what became of a session, and maybe have it learned; of an agent that learns for us nothing is."""
    from vademecum.engine import note_event, start_learner

    told = _read(_Event, asked.params)
    if asked.environ.get(LEARNER_VARIABLE):
        return {}
    home = asked.standing.find()
    note_event(home, host=told.host, event=told.event, session=told.session, cwd=told.cwd, server=told.server)
    start_learner(home, asked.environ)
    return {}


def _read(kind: type[_Told], params: Mapping[str, Any]) -> _Told:
    try:
        return msgspec.convert(params, kind)
    except msgspec.ValidationError as error:
        raise RpcError(INVALID_PARAMS, str(error)) from error


#: They are named in what the server says of itself.
EXTENSIONS: Mapping[str, Method] = {
    "vademecum/context": _context,
    "vademecum/cite": _cite,
    "vademecum/event": _event,
}
