"""Installs the agent programs that `make test-hosts` drives, in the versions that tests/support/clients.py names.

    .venv/bin/python scripts/install_clients.py

One `npm install` each, 1.9 GB in all, into `$VADEMECUM_TEST_CLIENTS` or `.clients/`; npm's own settings say from where.
What is installed already is left alone. Without npm, or without its registry, the tests of what is missing are skipped,
and one line says so; any other failure is one.
"""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.clients import PACKAGES, Package  # noqa: E402  the path has to be set first

#: What npm says when it gets no answer.
UNREACHED = re.compile(r"npm (?:error|ERR!) code (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)")
INSTALL_SECONDS = 300


class CannotInstall(Exception):
    """npm ended without the package; its argument is what npm said."""


class RegistryUnreached(Exception):
    """npm got no answer from its registry."""


def install(npm: str, package: Package) -> None:
    """Install one package where it is not there yet. Raises CannotInstall, RegistryUnreached."""
    if package.is_installed:
        print(f"{package.spec} is installed")
        return
    began = time.monotonic()
    package.folder.mkdir(parents=True, exist_ok=True)
    # Without a package.json of its own, npm would install into a folder above that has one.
    (package.folder / "package.json").write_text(json.dumps({"private": True}), encoding="utf-8")
    command = [npm, "install", "--no-audit", "--no-fund", "--save-exact", package.spec]
    try:
        run = subprocess.run(
            command, cwd=package.folder, capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise RegistryUnreached from None
    if UNREACHED.search(run.stderr):
        raise RegistryUnreached
    if run.returncode or not package.is_installed:
        raise CannotInstall(f"npm ended with {run.returncode}\n{run.stderr}")
    print(f"{package.spec} installed in {time.monotonic() - began:.0f} s")


def main() -> int:
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not on the PATH, so no agent program is installed: its tests are skipped", file=sys.stderr)
        return 0
    has_failed = False
    for package in PACKAGES:
        try:
            install(npm, package)
        except RegistryUnreached:
            print(f"npm cannot reach its registry, so the tests that need {package.spec} are skipped", file=sys.stderr)
        except CannotInstall as error:
            print(f"{package.spec} could not be installed: {error}", file=sys.stderr)
            has_failed = True
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
