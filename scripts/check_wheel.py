"""`make wheel-test`: the wheel alone, as a user installs it.

Builds the wheel, installs it with the locked runtime packages into a fresh virtual environment, and there runs
`vade --version`, `vade learn` over the examples and `vade context`. So a file that the wheel lacks, or a package that
only developers have, is found before a user finds it. The learner `model` must say there what it needs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "locks/runtime.txt"
#: Said in the examples' web shop: what the context of that project must hold.
PROJECT, RULE = "/home/ada/shop", "pnpm"
#: What a default install lacks, and how the program says so.
EXTRA, USAGE = "vademecum[llm]", 2
HASHED = ("--quiet", "--only-binary", ":all:", "--require-hashes", "-r", str(LOCK))


def run(*command: str | Path, cwd: Path = ROOT, environ: dict[str, str] | None = None) -> str:
    """What a program prints; where it fails, so does this one."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=cwd, env=environ).stdout


def build(folder: Path) -> Path:
    """The wheel, built by the pinned hatchling of the developers' environment."""
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """The `bin` folder of a fresh environment that holds the wheel and its locked packages."""
    python = folder / "bin/python"
    if uv := shutil.which("uv"):
        run(uv, "venv", "--quiet", "--python", sys.executable, folder)
        pip: tuple[str | Path, ...] = (uv, "pip", "install", "--python", python)
    else:
        run(sys.executable, "-m", "venv", folder)
        pip = (python, "-m", "pip", "install", "--disable-pip-version-check")
    run(*pip, *HASHED)
    run(*pip, "--quiet", "--no-deps", wheel)
    return python.parent


def walk(programs: Path, folder: Path) -> None:
    """Version, learning and context, outside of the sources and with a home of its own."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "VADEMECUM_HOME": str(folder / "home")}

    def vade(*words: str) -> str:
        return run(programs / "vade", *words, cwd=folder, environ=environ)

    version = vade("--version").strip()
    vade("learn", "--from", str(ROOT / "examples"), "--all", "--now")
    if RULE not in vade("context", "--cwd", PROJECT):
        sys.exit(f"the installed wheel learned nothing of {RULE!r} from the examples")
    asked = {**environ, "VADEMECUM_MODEL_EXTRACT_MODEL": "openai:any"}
    command = (programs / "vade", "learn", "--learner", "model")
    refused = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder, env=asked)
    if refused.returncode != USAGE or EXTRA not in refused.stderr:
        sys.exit(f"the installed wheel does not name {EXTRA!r} to who wants a model: {refused.stderr}")
    print(f"wheel: {version} installs, learns and answers without the developers' packages")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        walk(install(build(folder / "dist"), folder / "venv"), folder)


if __name__ == "__main__":
    main()
