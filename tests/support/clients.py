"""The real agent programs that tests may drive: which versions, from which packages, and where they are installed.

They are optional: `make test-hosts` installs them, all other tests run without. Everything lies in one folder that
may be deleted at any time: `$VADEMECUM_TEST_CLIENTS`, else `.clients/` beside the sources.
"""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "CLAUDE_CODE",
    "CODEX",
    "GEMINI",
    "NODE",
    "OPENCODE",
    "OPENCODE_PLUGIN",
    "PACKAGES",
    "PI",
    "PI_NEWER",
    "Package",
    "cache_folder",
]

_ROOT = Path(__file__).resolve().parents[2]


def cache_folder() -> Path:
    """Where the packages are installed."""
    return Path(os.environ.get("VADEMECUM_TEST_CLIENTS") or _ROOT / ".clients")


@dataclass(frozen=True, kw_only=True)
class Package:
    """One npm package in exactly one version, in a folder of its own."""

    name: str
    version: str
    #: The command that it brings; empty for a library.
    command: str = ""

    @property
    def spec(self) -> str:
        """As npm wants it."""
        return f"{self.name}@{self.version}"

    @property
    def folder(self) -> Path:
        """The folder of its installation. The version is part of the name, so a new pin is a new installation."""
        return cache_folder() / f"{self.name.strip('@').replace('/', '-')}-{self.version}"

    @property
    def program(self) -> Path:
        """The command's absolute path."""
        return self.folder / "node_modules" / ".bin" / self.command

    @property
    def is_installed(self) -> bool:
        """Whether the installation was finished: npm puts packages in place as its last step."""
        return self.program.exists() if self.command else (self.folder / "node_modules" / self.name).is_dir()


CLAUDE_CODE = Package(name="@anthropic-ai/claude-code", version="2.1.332", command="claude")
CODEX = Package(name="@openai/codex", version="0.171.0", command="codex")
OPENCODE = Package(name="opencode-ai", version="1.18.33", command="opencode")
#: opencode installs this into every configuration folder at its first start, and waits for it.
OPENCODE_PLUGIN = Package(name="@opencode-ai/plugin", version=OPENCODE.version)
PI = Package(name="@mariozechner/pi-coding-agent", version="0.73.1", command="pi")
#: Node itself, as npm has it for each machine: the newer pi asks for 22.19, and many a machine has an older one.
NODE = Package(
    name=f"node-{platform.system().lower()}-{'arm64' if platform.machine() in ('arm64', 'aarch64') else 'x64'}",
    version="22.23.5",
    command="node",
)
#: Where pi is developed on.
PI_NEWER = Package(name="@earendil-works/pi-coding-agent", version="1.6.0", command="pi")
GEMINI = Package(name="@google/gemini-cli", version="0.61.0", command="gemini")

PACKAGES = (CLAUDE_CODE, CODEX, OPENCODE, OPENCODE_PLUGIN, PI, NODE, PI_NEWER, GEMINI)
