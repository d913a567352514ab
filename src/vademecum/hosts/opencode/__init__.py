"""opencode: a plugin in its own folder, for version 1 (facts of 1.18, run against a scripted model) and version 2.

Both versions load scripts from `plugins/` below their settings; their shared `opencode.json` is left alone, for the one
refuses the whole file over a key of the other.
"""

from vademecum.hosts.opencode.host import OPENCODE

__all__ = ["OPENCODE"]
