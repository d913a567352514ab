"""Records the conversation of tests/support/clients_story.py with the installed clients into tests/fixtures/real.

    .venv/bin/python scripts/record_clients.py [HOST...]

What the vendors wrote (prompts, tool descriptions) is cut, paths of this machine become `/home/user`, the fake secret
becomes a placeholder. Records without talk that come with every request are kept once. Ids, times and the shape of all
other records stay as the client wrote them.
"""

import hashlib
import json
import re
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.clients_driving import CLIENTS  # noqa: E402  the path has to be set first
from support.clients_recorded import HOME, RECORDED, SECRET_PLACE, STORES, recorded_files  # noqa: E402  as above
from support.clients_story import SECRET, Held, hold  # noqa: E402  as above

CUT = "(cut)"
#: Keys below which nothing is said: what stands there is the vendor's, or numbers without use.
EMPTIED_KEYS = frozenset(
    {
        # Claude Code
        *("cacheControl", "params", "rendered", "shape", "tail", "usage"),
        # Codex
        *("base_instructions", "developer_instructions", "info", "rate_limits", "settings", "state"),
        *("thread_token_usage", "turn_token_usage", "user_instructions"),
    }
)
#: Types of records (of payloads, where a record has one) of which the first is kept.
KEPT_ONCE = frozenset(
    {
        *("api-request", "api-request-blob", "api-request-shape", "atis-latch", "cost-state", "tools-used"),
        *("token_count", "token_usage_record", "thread_settings_applied"),
    }
)
#: With them Gemini CLI begins to tell the model where it is; of the rest the directories are kept.
OPENING_WORDS = "<session_context>"
OPENCODE_TABLES = frozenset({"message", "part", "project", "session"})


def emptied(value: object) -> object:
    """The value with its text cut and its containers empty."""
    match value:
        case str():
            return CUT
        case list():
            return []
        case dict():
            return {key: emptied(inner) for key, inner in value.items() if not isinstance(inner, list | dict)}
        case _:
            return value


def without_vendor_text(value: object) -> object:
    """A record without what the vendor wrote, at any depth."""
    if isinstance(value, list):
        return [without_vendor_text(inner) for inner in value]
    if isinstance(value, str) and value.startswith(OPENING_WORDS):
        return "\n".join([OPENING_WORDS, *(line for line in value.splitlines() if line.startswith("  - "))])
    if not isinstance(value, dict):
        return value
    record = {
        key: emptied(inner) if key in EMPTIED_KEYS else without_vendor_text(inner) for key, inner in value.items()
    }
    if isinstance(attachment := value.get("attachment"), dict):
        record["attachment"] = {key: emptied(inner) for key, inner in attachment.items()} | {"type": attachment["type"]}
    if value.get("type") == "api-request-blob":
        record["message"] = emptied(value["message"])
    if value.get("role") == "developer":
        record["content"] = [{"type": "input_text", "text": CUT}]
    return record


def hash_of(path: str) -> str:
    return hashlib.sha256(path.encode()).hexdigest()


def anonymous(text: str, home: Path) -> str:
    """The text without the secret and without paths of this machine, however a client spells them."""
    spellings = {
        str(home): HOME,
        str(home).replace("/", "-"): HOME.replace("/", "-"),
        re.sub(r"[^A-Za-z0-9]", "-", str(home)): HOME.replace("/", "-"),
        # Gemini CLI knows a project by the hash of its path.
        hash_of(f"{home}/project"): hash_of(f"{HOME}/project"),
        SECRET: SECRET_PLACE,
    }
    for spelling, replacement in spellings.items():
        text = text.replace(spelling, replacement)
    return text


def kind_of(record: dict[str, Any]) -> str:
    payload = record.get("payload")
    kind = payload.get("type") if isinstance(payload, dict) else None
    return kind or record.get("type", "")


def recorded_lines(path: Path) -> str:
    """A JSONL file, record by record."""
    seen: set[str] = set()
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        kind = kind_of(record)
        if kind not in seen & KEPT_ONCE:
            lines.append(json.dumps(without_vendor_text(record), ensure_ascii=False, separators=(",", ":")) + "\n")
        seen.add(kind)
    return "".join(lines)


def recorded_dump(path: Path) -> str:
    """A database: the whole schema, and the rows of the tables that hold the conversation."""
    with closing(sqlite3.connect(path)) as connection:
        statements = list(connection.iterdump())
    inserted = (re.match(r'INSERT INTO "?(\w+)', statement) for statement in statements)
    kept = (
        statement
        for statement, insert in zip(statements, inserted, strict=True)
        if insert is None or insert[1] in OPENCODE_TABLES
    )
    return "\n".join(kept) + "\n"


def record(held: Held) -> None:
    """Replace the recorded store of a host by the one that was held in."""
    store, target = held.home / STORES[held.host], RECORDED / held.host
    shutil.rmtree(target, ignore_errors=True)
    for path in sorted([*store.rglob("*.jsonl"), *store.glob("*.db")]):
        is_database = path.suffix == ".db"
        content = recorded_dump(path) if is_database else recorded_lines(path)
        name = path.relative_to(store).with_suffix(".sql" if is_database else path.suffix)
        destination = target / anonymous(str(name), held.home)
        destination.parent.mkdir(parents=True, exist_ok=True)
        destination.write_text(anonymous(content, held.home), encoding="utf-8")


def main() -> None:
    wanted = set(sys.argv[1:]) or {client.host for client in CLIENTS}
    for client in (client for client in CLIENTS if client.host in wanted):
        if client.missing:
            print(f"{client.host}: {' and '.join(client.missing)} not installed, the old recording stays")
            continue
        with tempfile.TemporaryDirectory() as folder:
            record(hold(client, Path(folder)))
        sizes = [f"{path.name} {path.stat().st_size} bytes" for path in recorded_files(client.host)]
        print(f"{client.host}: {', '.join(sizes)}")


if __name__ == "__main__":
    main()
