"""Writing lines of JSON as the hosts do: compact, UTF-8, one object a line."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["dumps", "write_jsonl"]


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_jsonl(path: Path, lines: Iterable[Mapping[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
