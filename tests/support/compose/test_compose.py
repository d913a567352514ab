import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.compose import (
    Assistant,
    Compaction,
    Format,
    HostKind,
    HostText,
    Human,
    Rewound,
    Script,
    SubAgent,
    Tool,
    opencode_session_id,
    shell,
    write_claude_code,
    write_codex,
    write_opencode_db,
    write_opencode_tree,
    write_pi,
    write_sessions,
)
from support.compose.zstd import decompress

SCRIPT = Script(
    label="everything",
    cwd="/srv/demo",
    turns=(
        HostText(text="always say hello", kind=HostKind.AGENTS_MD),
        HostText(text="hook says hi", kind=HostKind.HOOK),
        Human(text="fix the flaky test"),
        Assistant(text="Let me look.", final=False),
        shell("pytest -q", "1 failed", failed=True),
        Tool(tool="edit", input={"path": "/srv/demo/a.py", "old": "x", "new": "y"}, output="ok"),
        Tool(tool="docs/lookup", input={"query": "clock"}, output="nothing"),
        Rewound(turns=(Human(text="do it the other way"), Assistant(text="Other way."))),
        SubAgent(prompt="find the clock", result="it is real time"),
        HostText(text="mind the todo list"),
        Compaction(summary="The test was flaky."),
        Human(text="thanks"),
        Assistant(text="Fixed."),
    ),
)


def lines_of(path: Path) -> list[dict]:
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = decompress(data)
    return [json.loads(line) for line in data.splitlines()]


def _bytes_below(form: Format, folder: Path) -> dict[Path, bytes]:
    write_sessions(form, folder, [SCRIPT])
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


@pytest.mark.parametrize("form", [form for form in Format if form is not Format.OPENCODE_DB])
def test_same_script_gives_same_bytes(form: Format, tmp_path: Path):
    first, second = (_bytes_below(form, tmp_path / name) for name in ("a", "b"))
    assert first == second
    assert first


def test_claude_code_rewound_turns_are_a_branch_beside_the_live_one(tmp_path: Path):
    lines = lines_of(write_claude_code(tmp_path, SCRIPT))
    by_id = {line["uuid"]: line for line in lines if "uuid" in line}
    leaf = next(line["leafUuid"] for line in reversed(lines) if line["type"] == "last-prompt")
    live = []
    while leaf:
        live.append(by_id[leaf])
        leaf = by_id[leaf]["parentUuid"] or by_id[leaf].get("logicalParentUuid")
    words = [line["message"]["content"] for line in live if line["type"] == "user"]
    assert "fix the flaky test" in words
    assert "do it the other way" not in words
    assert "do it the other way" in [line.get("message", {}).get("content") for line in lines]


def test_claude_code_sub_agent_stands_in_its_own_file(tmp_path: Path):
    write_claude_code(tmp_path, SCRIPT)
    (path,) = tmp_path.glob("projects/-srv-demo/*/subagents/agent-*.jsonl")
    assert all(line["isSidechain"] for line in lines_of(path))


@pytest.mark.parametrize("compressed", [False, True])
def test_codex_rollouts_hold_each_human_message_once_as_response_item(compressed: bool, tmp_path: Path):
    lines = lines_of(write_codex(tmp_path, SCRIPT, compressed=compressed))
    items = [line["payload"] for line in lines if line["type"] == "response_item"]
    texts = [item["content"][0]["text"] for item in items if item.get("role") == "user"]
    assert texts.count("fix the flaky test") == 1
    assert [line["ordinal"] for line in lines] == list(range(len(lines)))
    assert any(line["payload"].get("type") == "thread_rolled_back" for line in lines)


@pytest.mark.parametrize("checkpointed", [False, True])
def test_opencode_database_opens_read_only_and_holds_session_and_sub_agent(checkpointed: bool, tmp_path: Path):
    path = write_opencode_db(tmp_path, [SCRIPT], checkpointed=checkpointed)
    assert path.with_name("opencode.db-wal").exists() is not checkpointed
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        parents = dict(database.execute("SELECT id, parent_id FROM session").fetchall())
        texts = [json.loads(data).get("text") for (data,) in database.execute("SELECT data FROM part ORDER BY id")]
    session_id = opencode_session_id(SCRIPT)
    assert parents[session_id] is None
    assert session_id in parents.values()
    assert "fix the flaky test" in texts
    assert "do it the other way" not in texts


def test_opencode_marks_turns_taken_back_at_the_end(tmp_path: Path):
    turns = (*SCRIPT.turns[2:4], Rewound(turns=(Human(text="last words"), Assistant(text="Hm."))))
    storage = write_opencode_tree(tmp_path, [Script(label="end", cwd="/srv/demo", turns=turns)])
    (session,) = [json.loads(path.read_text()) for path in storage.glob("session/*/*.json")]
    dead = json.loads((storage / "message" / session["id"] / f"{session['revert']['messageID']}.json").read_text())
    assert dead["role"] == "user"


def test_pi_live_branch_ends_at_the_last_line(tmp_path: Path):
    lines = lines_of(write_pi(tmp_path, SCRIPT))
    by_id = {line["id"]: line for line in lines[1:]}
    at, words = lines[-1]["id"], []
    while at:
        message = by_id[at].get("message", {})
        words += [block.get("text") for block in message.get("content", []) if message.get("role") == "user"]
        at = by_id[at]["parentId"]
    assert words == ["thanks", "fix the flaky test"]
