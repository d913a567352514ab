"""`make demo`: learn from the bundled example sessions into a throw-away home, and show what came of it."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def vade(home: Path, *words: str) -> None:
    """Run one command as a person would, with its line shown first."""
    print(f"\n$ vade {shlex.join(words)}", flush=True)
    environ = {**os.environ, "VADEMECUM_HOME": str(home)}
    subprocess.run([sys.executable, "-m", "vademecum", *words], cwd=ROOT, env=environ, check=True)


def main(folder: str) -> None:
    """The whole walk: sessions in, memory repository and prompt block out."""
    home = ROOT / folder
    shutil.rmtree(home, ignore_errors=True)
    print("Example sessions of four agents: a web shop and a billing service (examples/).")
    vade(home, "learn", "--from", "examples", "--all", "--now")
    vade(home, "sessions")
    vade(home, "log")
    print("\nWhat the next session in the shop will be given:")
    vade(home, "context", "--cwd", "/home/ada/shop")
    print("\nWhere one of these lines comes from:")
    vade(home, "why", "we use pnpm in this repo")
    print("\nAgain over the same sessions:")
    vade(home, "learn", "--from", "examples", "--all", "--now")
    print(f"\nThe memory repository: {home / 'identities/default/memory'} (plain markdown, plain git).")
    print("With your own sessions: .venv/bin/vade learn, then .venv/bin/vade context")


if __name__ == "__main__":
    main(sys.argv[1])
