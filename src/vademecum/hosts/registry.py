"""Every host that memory can be plugged into."""

from vademecum.errors import UsageError
from vademecum.guesses import did_you_mean
from vademecum.hosts.claude_code import CLAUDE_CODE
from vademecum.hosts.codex import CODEX
from vademecum.hosts.gemini import GEMINI
from vademecum.hosts.opencode import OPENCODE
from vademecum.hosts.pi import PI
from vademecum.hosts.protocol import Host

__all__ = ["HOSTS", "host_named"]

HOSTS: tuple[Host, ...] = (CLAUDE_CODE, CODEX, GEMINI, OPENCODE, PI)


def host_named(name: str) -> Host:
    """The host of this name. Raises UsageError."""
    for host in HOSTS:
        if host.name == name:
            return host
    known = [host.name for host in HOSTS]
    raise UsageError(
        f"there is no host {name!r}{did_you_mean(name, known)}", next_step=f"The hosts are {', '.join(known)}."
    )
