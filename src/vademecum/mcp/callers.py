"""Who calls: which host, which session and which working directory a message belongs to.

Our own plugins say it with each message (`_meta.vademecum`). Other hosts are described by arguments of the command that
they start, for nothing in this room knows one by its name: where their session id stands in a message, or the id of a
call that their session files hold. Variables of the environment are not looked at: hosts that set one go on with an
earlier session, or begin a new one, under the old value. One process may serve several sessions, so nothing of this is
kept between two messages.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from vademecum.errors import UsageError
from vademecum.mcp.messages import as_object

__all__ = ["Caller", "Options", "caller_of", "read_options"]

_OURS = "vademecum"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of the command."""

    #: How the host is called.
    host: str | None = None
    #: Whose memory, whatever the working directory.
    identity: str | None = None
    #: Where the session id stands in `_meta`: keys with dots between them.
    session_meta: str | None = None
    #: The key of `_meta` with the id under which the host writes a call into the file of its session.
    call_meta: str | None = None
    #: The key of a tool's own `_meta` by which the host offers it without being searched for.
    everyday_meta: str | None = None


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Who sent a message."""

    host: str | None = None
    session: str | None = None
    #: None: the working directory of this process.
    cwd: str | None = None
    #: The id under which the host writes this call into the file of the session.
    call: str | None = None


def read_options(words: Sequence[str]) -> Options:
    """Options as `--name value`. Raises UsageError."""
    known = {f"--{name.replace('_', '-')}": name for name in Options.__struct_fields__}
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word not in known or not rest:
            what = f"{word} needs a value" if word in known else f"there is no option {word}"
            raise UsageError(what, next_step=f"The options are {', '.join(known)}; each takes one value.")
        given[known[word]] = rest.pop(0)
    return msgspec.convert(given, Options)


def caller_of(params: Mapping[str, Any], options: Options) -> Caller:
    """Who sent a message with these params: what it says itself comes first."""
    meta = _object(params.get("_meta"))
    told = _object(meta.get(_OURS))
    return Caller(
        host=_text(told.get("host")) or options.host,
        session=_text(told.get("session")) or _session(meta, options),
        cwd=_text(told.get("cwd")),
        call=_text(meta.get(options.call_meta)) if options.call_meta else None,
    )


def _session(meta: Mapping[str, Any], options: Options) -> str | None:
    value: object = meta
    for key in options.session_meta.split(".") if options.session_meta else ():
        value = _object(value).get(key)
    return _text(value)


def _object(value: object) -> Mapping[str, Any]:
    return as_object(value) or {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
