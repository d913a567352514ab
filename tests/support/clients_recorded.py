"""The recorded stores in tests/fixtures/real: where they belong, and how they come back to life.

A store is what a real client left behind after the conversation of `clients_story`; `clients_recording` makes them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from support.clients_story import SECRET, Held

__all__ = ["HOME", "RECORDED", "SECRET_PLACE", "STORES", "recorded_files", "restore"]

RECORDED = Path(__file__).resolve().parents[1] / "fixtures" / "real"
#: The home that the recorded clients believed in.
HOME = "/home/user"
#: Stands for the secret, which is composed at run time.
SECRET_PLACE = "@@SECRET@@"
#: Where the hosts keep their sessions, below a home.
STORES = {
    "claude-code": ".claude/projects",
    "codex": ".codex/sessions",
    "opencode": ".local/share/opencode",
    "pi": ".pi/agent/sessions",
    "gemini": ".gemini/tmp",
}


def recorded_files(host: str) -> Iterator[Path]:
    """The files of one host's recorded store."""
    return (path for path in sorted((RECORDED / host).rglob("*")) if path.is_file())


def restore(host: str, home: Path) -> Held:
    """Put a host's recorded store below a home, where the host would have it. A database is recorded as its dump."""
    for source in recorded_files(host):
        content = source.read_text(encoding="utf-8").replace(SECRET_PLACE, SECRET)
        target = home / STORES[host] / source.relative_to(RECORDED / host)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".sql":
            with closing(sqlite3.connect(target.with_suffix(".db"))) as connection:
                connection.executescript(content)
        else:
            target.write_text(content, encoding="utf-8")
    return Held(host=host, home=home, cwd=f"{HOME}/project")
