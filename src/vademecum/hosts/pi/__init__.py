"""pi: an extension in its own folder (facts of `@mariozechner/pi-coding-agent` 0.73 and `@earendil-works/...` 1.6)."""

from vademecum.hosts.pi.host import PI

__all__ = ["PI"]
