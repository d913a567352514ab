"""What of our environment an agent gets, and where its program is.

Nothing but what the program needs to run, to reach its provider, and to find its login. Everything else stays out: the
variables of an agent that we may run inside of, and whatever a project put there.
"""

import os
import shutil
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from vademecum.errors import LoginRefused
from vademecum.learner_names import LEARNER_VARIABLE

__all__ = ["find_program", "pick", "scrubbed"]

#: Names; `*` stands for any part of one.
_COMMON = (
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_*",
    "TZ",
    "TMPDIR",
    "XDG_*",
    "DBUS_SESSION_BUS_ADDRESS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
)
_SET = "Run `vade config set agent.program PATH` with the absolute path of the program, or `unset` it."


def scrubbed(environ: Mapping[str, str], own: Iterable[str]) -> dict[str, str]:
    """What every program needs, and the names of `own`; with the sign that it runs for a learner."""
    return {**pick(environ, (*_COMMON, *own)), "TERM": "dumb", LEARNER_VARIABLE: "1"}


def pick(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The variables of these names; `*` stands for any part of one."""
    wanted = tuple(names)
    return {name: value for name, value in environ.items() if any(fnmatchcase(name, each) for each in wanted)}


def find_program(command: str, setting: str, environ: Mapping[str, str]) -> str:
    """The absolute path of an agent's program: the one that the setting names, else the first on the PATH.

    Folders of the PATH that are relative are passed over: they depend on where one stands, which may be a project that
    nobody trusts. Raises LoginRefused where there is none.
    """
    if setting:
        if os.access(setting, os.X_OK) and Path(setting).is_file():
            return setting
        raise LoginRefused(f"{setting}, which the setting agent.program names, is no program", next_step=_SET)
    folders = [folder for folder in environ.get("PATH", "").split(os.pathsep) if folder.startswith(os.sep)]
    found = shutil.which(command, path=os.pathsep.join(folders)) if folders else None
    if found is None:
        raise LoginRefused(
            f"the program `{command}` is not on the PATH",
            next_step=f"Install it and log in, or name it: `vade config set agent.program /path/to/{command}`.",
        )
    return found
