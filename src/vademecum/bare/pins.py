"""Pins: a session keeps the very bytes that it was given until its host compacts it, so that a prompt cache stays warm.

<identity>/runtime/pins/<host>-<32 digits of SHA-256 of the session id>.json
"""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

from vademecum.bare.files import decoded, digest, encoded, read_own_file, replace_file

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself costs a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["given", "inject", "loosen"]

_CHANGED = "(vademecum: memory changed since its block was given to this session; memory_search finds what is new)"

#: The folders above a pin that are ours: `identities/<identity>/runtime/pins`.
_OWN_FOLDERS = 4


def inject(
    pins: str, host: str, session: str, event: str, newest: "tuple[str, Callable[[], str]]"
) -> tuple[str, str, str, str]:
    """(text, revision, notice, standing) for a session: the bytes that it was given before, or the newest, pinned.

    `event`: `start`, `resume`, `turn`, or `compact`, after which nothing of what was given stands any more. `newest`:
    a revision, and a function that gives its text. The notice is one line, once for every change of the text since.
    Standing: `pinned` before, `fresh`, or `loose` where no pin can be written.
    """
    path = _pin_path(pins, host, session)
    pin = None if event == "compact" else _pin(path, session)
    revision, compiled = newest
    if pin and not pin["is_loose"]:
        return pin["text"], pin["revision"], _notice(path, pin, revision, compiled), "pinned"
    text = compiled()
    pin = {"session": session, "revision": revision, "text": text, "is_loose": False}
    is_kept = _keep_pin(path, pin | {"seen": revision, "told": _body_digest(text)})
    return text, revision, "", "fresh" if is_kept else "loose"


def given(pins: str, host: str, session: str) -> tuple[str, str] | None:
    """(text, revision) that the session has; None where it has none, or is about to get another."""
    pin = _pin(_pin_path(pins, host, session), session)
    return (pin["text"], pin["revision"]) if pin and not pin["is_loose"] else None


def loosen(pins: str, host: str, session: str) -> None:
    """The host is about to compact the session: what it was given does not stand any more."""
    path = _pin_path(pins, host, session)
    if pin := _pin(path, session):
        _keep_pin(path, pin | {"is_loose": True})


def _pin_path(pins: str, host: str, session: str) -> str:
    return pins + "/" + host + "-" + digest(session)[:32] + ".json"


def _pin(path: str, session: str) -> dict | None:
    kinds = {"text": str, "revision": str, "seen": str, "told": str, "is_loose": bool}
    try:
        pin = decoded(read_own_file(path, folders=_OWN_FOLDERS))
    except (OSError, ValueError):
        return None  # absent or damaged: the session gets the newest
    is_whole = pin.get("session") == session and all(type(pin.get(key)) is kind for key, kind in kinds.items())
    return pin if is_whole else None


def _notice(path: str, pin: dict, revision: str, compiled: "Callable[[], str]") -> str:
    if revision == pin["seen"]:
        return ""
    told = _body_digest(compiled())
    # Only where it is kept that it was said: a full disk must not have it said at every turn.
    is_kept = _keep_pin(path, pin | {"seen": revision, "told": told})
    return _CHANGED if is_kept and told != pin["told"] else ""


def _keep_pin(path: str, pin: dict) -> bool:
    try:
        replace_file(path, encoded(pin), folders=_OWN_FOLDERS)
    except OSError:
        return False
    return True


def _body_digest(text: str) -> str:
    """Of what a reader learns from a block: neither its fence, whose nonce follows every file, nor its revision."""
    return digest(text.partition("\n")[2].rpartition("\nmemory revision ")[0])
