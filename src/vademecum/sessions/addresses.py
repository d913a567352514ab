"""Addresses of servers on this machine: in a reference of a session, one may stand where a path stands otherwise."""

import re

from vademecum.errors import UsageError

__all__ = ["is_address", "loopback_address"]

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
#: Not looked up: whoever answers for names could answer with any machine.
_LOCALHOST = "127.0.0.1"


def is_address(place: str) -> bool:
    """Whether this is an address and no path."""
    return _ADDRESS.match(place) is not None


def loopback_address(place: str) -> str:
    """The address in its one spelling. Raises UsageError where it is none of this machine's loopback, or says more."""
    from urllib.parse import urlsplit  # here, because nearly every place is a path

    try:
        parts = urlsplit(place)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise _refused(place, f"no address ({error})") from error
    if parts.scheme != "http":
        raise _refused(place, "not http")
    # In an address a password would be kept, printed and sent to whoever listens there.
    if "@" in parts.netloc:
        raise _refused("the address", "it names a user; a password belongs into the server's variable")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise _refused(place, "it says more than host and port")
    ip = _ip(host)
    if ip is None:
        raise _refused(place, "not on this machine")
    return f"http://{ip}:{port or 80}"


def _ip(host: str) -> str | None:
    """The loopback address that a host names, as it stands in an address; None for every other host."""
    from ipaddress import ip_address

    try:
        ip = ip_address(_LOCALHOST if host == "localhost" else host)
    except ValueError:
        return None
    if not ip.is_loopback:
        return None
    return f"[{ip}]" if ip.version == 6 else str(ip)


def _refused(place: str, reason: str) -> UsageError:
    return UsageError(
        f"{place}: sessions are asked for on this machine only ({reason})",
        next_step="Name a server as in http://127.0.0.1:4096, or a file or folder that holds sessions.",
    )
