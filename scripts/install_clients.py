"""Installs the agent programs that `make test-hosts` drives, in the versions that tests/support/clients.py names.

    .venv/bin/python scripts/install_clients.py

One `npm install` each, 1.4 GB in all, into `$VADEMECUM_TEST_CLIENTS` or `.clients/`; npm's own settings say from where.
What is installed already is left alone.
"""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.clients import PACKAGES, Package  # noqa: E402  the path has to be set first


def install(npm: str, package: Package) -> bool:
    """Whether the package is there now."""
    if package.is_installed:
        print(f"{package.spec} is installed")
        return True
    began = time.monotonic()
    package.folder.mkdir(parents=True, exist_ok=True)
    # Without a package.json of its own, npm would install into a folder above that has one.
    (package.folder / "package.json").write_text(json.dumps({"private": True}), encoding="utf-8")
    command = [npm, "install", "--no-audit", "--no-fund", "--save-exact", package.spec]
    run = subprocess.run(command, cwd=package.folder, capture_output=True, text=True, check=False)
    if run.returncode or not package.is_installed:
        print(f"{package.spec} could not be installed: npm ended with {run.returncode}\n{run.stderr}", file=sys.stderr)
        return False
    print(f"{package.spec} installed in {time.monotonic() - began:.0f} s")
    return True


def main() -> int:
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not on the PATH, so no agent program is installed: its tests are skipped", file=sys.stderr)
        return 0
    missing = [package for package in PACKAGES if not install(npm, package)]
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
