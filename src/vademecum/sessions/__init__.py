"""What happened: the sessions of every host, found, read and cleaned.

`discover` finds sessions, `load` reads one, `render` shows one within a budget. Text leaves this room through `load`
only: masked, without private parts, without our own memory in it. All else here is one module per host format and what
they share.
"""

from collections import Counter

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions.addresses import is_address
from vademecum.sessions.discovery import Discovery, Looked, ReadBefore, discover
from vademecum.sessions.kept import as_kept, kept_id, kept_ref, where_kept
from vademecum.sessions.marks import LEARNER_MARK
from vademecum.sessions.model import Exclusion, Message, Origin, Role, Session, SessionRef, ToolCall
from vademecum.sessions.reasons import PassedOver, reason_words
from vademecum.sessions.registry import HOSTS, calling_session, reader_for, server_holds
from vademecum.sessions.render import MIN_BUDGET_BYTES, Rendering, render
from vademecum.sessions.served import with_server

__all__ = [
    "HOSTS",
    "LEARNER_MARK",
    "MIN_BUDGET_BYTES",
    "Discovery",
    "Exclusion",
    "Looked",
    "Message",
    "Origin",
    "PassedOver",
    "ReadBefore",
    "Rendering",
    "Role",
    "Session",
    "SessionRef",
    "ToolCall",
    "as_kept",
    "calling_session",
    "discover",
    "is_address",
    "kept_id",
    "kept_ref",
    "load",
    "reason_words",
    "render",
    "server_holds",
    "where_kept",
    "with_server",
]


#: Longest id of a session that is believed.
MAX_ID_CHARS = 256


def load(ref: SessionRef) -> Session:
    """Read one session, clean. `Session.skipped` says what was left out.

    Raises SessionUnreadable where the file is gone, out of reach, or holds no session.
    """
    # Here, because the border brings the secret scanner along, and many who import this room read no session.
    from vademecum.sessions.cleaning import clean

    skipped: Counter[str] = Counter()
    try:
        session = reader_for(ref.host).read(ref, skipped)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise SessionUnreadable(f"the session file cannot be read: {reason}", paths=(ref.path,)) from error
    if session is None:
        raise SessionUnreadable("the file holds no session", paths=(ref.path,))
    if not 0 < len(session.id) <= MAX_ID_CHARS or not session.id.isprintable():
        raise SessionUnreadable("the file names its session by what is no id", paths=(ref.path,))
    counts = {str(reason): count for reason, count in skipped.items() if count}
    return clean(msgspec.structs.replace(session, skipped=counts))
