"""What a session is given, as a plugin or a server asks for it; a hook process gives the same bytes by itself."""

from vademecum.engine.opened import Opened
from vademecum.engine.spool import refuse_odd_host
from vademecum.errors import UsageError
from vademecum.recall import NO_INJECTION, Injection, Moment, pinned

__all__ = ["inject"]


def inject(opened: Opened, *, host: str, session: str, cwd: str, event: str) -> Injection:
    """The block of a session in a working directory; nothing where the settings say so, or nothing was written yet.

    An agent that learns for us is given nothing: it would find what it is to judge.

    Raises UsageError for an unknown event or an empty session id.
    """
    if event not in set(Moment) or not session:
        raise UsageError(f"a session is given its block at {', '.join(Moment)}, by its id: not {event!r}, {session!r}")
    refuse_odd_host(host)
    if opened.is_learners or not opened.config.use_memories or opened.folder.is_blank:
        return NO_INJECTION
    return pinned(
        opened.folder.pins,
        host=host,
        session=session,
        moment=Moment(event),
        revision=opened.tree().revision,
        compiled=lambda: opened.context(cwd=cwd).text,
    )
