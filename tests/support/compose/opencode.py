"""opencode sessions (1.x): session, messages and parts, as rows of the V1 database or as the older tree of files."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from support.compose.ids import Ids
from support.compose.jsonl import dumps
from support.compose.script import (
    Assistant,
    Clock,
    Compaction,
    HostText,
    Human,
    Rewound,
    Script,
    SubAgent,
    Tool,
    Turn,
    milliseconds,
)

__all__ = ["opencode_session_id", "write_opencode_db", "write_opencode_tree"]

VERSION = "1.18.33"
_MODEL = {"providerID": "anthropic", "modelID": "claude-opus-5-5"}
_TOKENS = {"total": 940, "input": 900, "output": 40, "reasoning": 0, "cache": {"write": 0, "read": 0}}

_SCHEMA = """
CREATE TABLE `project` (`id` text PRIMARY KEY, `worktree` text NOT NULL, `vcs` text, `name` text, `icon_url` text,
  `icon_url_override` text, `icon_color` text, `time_created` integer NOT NULL, `time_updated` integer NOT NULL,
  `time_initialized` integer, `sandboxes` text NOT NULL, `commands` text);
CREATE TABLE `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `workspace_id` text, `parent_id` text,
  `slug` text NOT NULL, `directory` text NOT NULL, `path` text, `title` text NOT NULL, `version` text NOT NULL,
  `share_url` text, `summary_additions` integer, `summary_deletions` integer, `summary_files` integer,
  `summary_diffs` text, `metadata` text, `cost` real DEFAULT 0 NOT NULL, `tokens_input` integer DEFAULT 0 NOT NULL,
  `tokens_output` integer DEFAULT 0 NOT NULL, `tokens_reasoning` integer DEFAULT 0 NOT NULL,
  `tokens_cache_read` integer DEFAULT 0 NOT NULL, `tokens_cache_write` integer DEFAULT 0 NOT NULL, `revert` text,
  `permission` text, `agent` text, `model` text, `time_created` integer NOT NULL, `time_updated` integer NOT NULL,
  `time_compacting` integer, `time_archived` integer,
  FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE);
CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL, `data` text NOT NULL,
  FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE);
CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL,
  `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL,
  FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE);
CREATE TABLE `todo` (`session_id` text NOT NULL, `content` text NOT NULL, `status` text NOT NULL,
  `priority` text NOT NULL, `position` integer NOT NULL, `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL, PRIMARY KEY(`session_id`, `position`));
CREATE INDEX `message_session_time_created_id_idx` ON `message` (`session_id`,`time_created`,`id`);
CREATE INDEX `part_message_id_id_idx` ON `part` (`message_id`,`id`);
CREATE INDEX `part_session_idx` ON `part` (`session_id`);
CREATE INDEX `session_project_idx` ON `session` (`project_id`);
CREATE INDEX `session_parent_idx` ON `session` (`parent_id`);
"""


def opencode_session_id(script: Script) -> str:
    """The id that both writers give to this session."""
    return Ids("opencode", script).descending("ses", script.started_at)


def write_opencode_db(folder: Path, scripts: Sequence[Script], *, checkpointed: bool = False) -> Path:
    """Writes `<folder>/opencode.db` anew, with all these sessions.

    As with a running host, the rows stand in the write-ahead log beside it; `checkpointed` gives one whole file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "opencode.db"
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        work = Path(scratch) / path.name
        database = sqlite3.connect(work)
        try:
            database.execute("PRAGMA journal_mode=WAL")
            database.executescript(_SCHEMA)
            for script in scripts:
                for talk in _talks(script):
                    _insert(database, talk)
            database.commit()
            if checkpointed:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            # Copied while open: closing the last connection would fold the log into the database.
            for suffix in ("",) if checkpointed else ("", "-wal"):
                shutil.copyfile(f"{work}{suffix}", f"{path}{suffix}")
        finally:
            database.close()
    return path


def _insert(database: sqlite3.Connection, talk: "_Talk") -> None:
    row = talk.row
    moments = (row["time"]["created"], row["time"]["updated"])
    database.execute(
        "INSERT OR IGNORE INTO project(id, worktree, vcs, time_created, time_updated, sandboxes)"
        " VALUES (?,?,'git',?,?,'[]')",
        (row["projectID"], row["directory"], *moments),
    )
    database.execute(
        "INSERT INTO session(id, project_id, parent_id, slug, directory, path, title, version, revert, agent, model,"
        " time_created, time_updated) VALUES (?,?,?,?,?,'',?,?,?,'build',?,?,?)",
        (
            row["id"],
            row["projectID"],
            row.get("parentID"),
            "quiet-lagoon",
            row["directory"],
            row["title"],
            VERSION,
            dumps(row["revert"]) if "revert" in row else None,
            dumps({"id": _MODEL["modelID"], "providerID": _MODEL["providerID"]}),
            *moments,
        ),
    )
    for message in talk.messages:
        moment = message.moment
        database.execute(
            "INSERT INTO message VALUES (?,?,?,?,?)", (message.id, row["id"], moment, moment, dumps(message.data))
        )
        database.executemany(
            "INSERT INTO part VALUES (?,?,?,?,?,?)",
            [(part_id, message.id, row["id"], moment, moment, dumps(data)) for part_id, data in message.parts],
        )


def write_opencode_tree(folder: Path, scripts: Sequence[Script]) -> Path:
    """Writes `<folder>/storage/{project,session,message,part}/...json`; gives the storage folder."""
    storage = folder / "storage"
    for script in scripts:
        for talk in _talks(script):
            _write_talk(storage, talk)
    return storage


def _write_talk(storage: Path, talk: "_Talk") -> None:
    row = talk.row
    project = {"id": row["projectID"], "worktree": row["directory"], "vcs": "git", "time": row["time"]}
    _write_json(storage / "project" / f"{row['projectID']}.json", project)
    _write_json(storage / "session" / row["projectID"] / f"{row['id']}.json", row)
    for message in talk.messages:
        head = {"id": message.id, "sessionID": row["id"]}
        _write_json(storage / "message" / row["id"] / f"{message.id}.json", head | message.data)
        for part_id, data in message.parts:
            where = {"id": part_id, "messageID": message.id, "sessionID": row["id"]}
            _write_json(storage / "part" / message.id / f"{part_id}.json", where | data)


def _write_json(path: Path, value: Mapping[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dumps(value), encoding="utf-8")


@dataclass
class _Message:
    id: str
    moment: int
    data: dict[str, object]
    parts: list[tuple[str, dict[str, object]]] = field(default_factory=list)


def _talks(script: Script) -> "list[_Talk]":
    """The session of this script, then the sessions of its sub-agents."""
    talk = _Talk(script, Ids("opencode", script), Clock(script.started_at))
    talk.add_all(script.turns)
    talk.settle()
    return [talk, *talk.children]


class _Talk:
    """One session: its row, its messages with their parts."""

    def __init__(self, script: Script, ids: Ids, clock: Clock, parent_id: str | None = None) -> None:
        self.script, self.ids, self.clock = script, ids, clock
        self.messages: list[_Message] = []
        self.children: list[_Talk] = []
        project_id = Ids("opencode", Script(label=script.cwd, cwd=script.cwd, turns=(), seed=script.seed)).hex(40)
        self.row: dict[str, object] = {
            "id": ids.descending("ses", clock.now),
            "version": VERSION,
            "projectID": project_id,
            "directory": script.cwd,
            "title": script.title,
        }
        if parent_id:
            self.row["parentID"] = parent_id
        self.dead_from: str | None = None

    def settle(self) -> None:
        """Fixes the times, and the mark of turns which were taken back at the very end."""
        updated = milliseconds(self.clock.now)
        self.row["time"] = {"created": milliseconds(self.clock.start), "updated": updated}
        if self.dead_from:
            self.row["revert"] = {"messageID": self.dead_from, "snapshot": self.ids.hex(40)}

    def add_all(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self.clock.tick(turn.seconds)
            self.add(turn)

    def add(self, turn: Turn) -> None:
        match turn:
            case Human():
                self.drop_dead_branch()
                self.part(self.user_message(), {"type": "text", "text": turn.text})
            case Assistant():
                self.part(self.step(), {"type": "text", "text": turn.text, "time": self.span()})
                if turn.final:
                    self.finish("stop")
            case Tool():
                self.tool(turn)
            case HostText():
                last = self.messages[-1] if self.messages and self.messages[-1].data["role"] == "user" else None
                text = f"<system-reminder>\n{turn.text}\n</system-reminder>"
                self.part(last or self.user_message(), {"type": "text", "text": text, "synthetic": True})
            case Compaction():
                self.part(self.user_message(), {"type": "compaction", "auto": True})
                answer = self.assistant_message(mode="compaction", summary=True)
                self.part(answer, {"type": "text", "text": turn.summary, "time": self.span()})
            case Rewound():
                before = len(self.messages)
                self.add_all(turn.turns)
                self.dead_from = self.messages[before].id if len(self.messages) > before else None
            case SubAgent():
                self.sub_agent(turn)

    def drop_dead_branch(self) -> None:
        """The host deletes what was taken back as soon as the user speaks again."""
        if self.dead_from:
            self.messages = [message for message in self.messages if message.id < self.dead_from]
            self.dead_from = None

    def span(self) -> dict[str, int]:
        moment = milliseconds(self.clock.now)
        return {"start": moment, "end": moment}

    def user_message(self) -> _Message:
        moment = milliseconds(self.clock.now)
        data: dict[str, object] = {"role": "user", "time": {"created": moment}, "agent": "build", "model": _MODEL}
        return self.message(data | {"summary": {"diffs": []}})

    def assistant_message(self, mode: str = "build", **fields: object) -> _Message:
        moment = milliseconds(self.clock.now)
        parent = next((m.id for m in reversed(self.messages) if m.data["role"] == "user"), "")
        data: dict[str, object] = {
            "parentID": parent,
            "role": "assistant",
            "mode": mode,
            "agent": mode,
            "path": {"cwd": self.script.cwd, "root": self.script.cwd},
            "cost": 0,
            "tokens": _TOKENS,
            "time": {"created": moment, "completed": moment + 900},
            "finish": "stop",
        }
        return self.message(data | _MODEL | fields)

    def message(self, data: dict[str, object]) -> _Message:
        now = self.clock.now
        message = _Message(self.ids.ascending("msg", now), milliseconds(now), data)
        self.messages.append(message)
        return message

    def part(self, message: _Message, data: dict[str, object]) -> None:
        message.parts.append((self.ids.ascending("prt", self.clock.now), data))

    def step(self) -> _Message:
        """The assistant message that is being written; a finished one is not continued."""
        last = self.messages[-1] if self.messages else None
        if last and last.data["role"] == "assistant" and last.parts[-1][1]["type"] == "text":
            return last
        message = self.assistant_message()
        self.part(message, {"type": "step-start", "snapshot": self.ids.hex(40)})
        return message

    def finish(self, reason: str) -> None:
        message = self.messages[-1]
        message.data["finish"] = reason
        finish = {"type": "step-finish", "reason": reason, "snapshot": self.ids.hex(40), "tokens": _TOKENS, "cost": 0}
        self.part(message, finish)

    def tool(self, turn: Tool) -> None:
        message = self.step()
        self.part(message, _tool_part(turn, f"call_{self.ids.hex(24)}", self.span()))
        self.clock.tick(1)
        self.finish("tool-calls")
        if turn.tool in {"write", "edit"}:
            self.part(message, {"type": "patch", "hash": self.ids.hex(40), "files": [turn.input["path"]]})

    def sub_agent(self, turn: SubAgent) -> None:
        child = _Talk(self.script, self.ids, Clock(self.clock.now), parent_id=str(self.row["id"]))
        child.row["title"] = "Look into it (@general subagent)"
        child.add_all((Human(text=turn.prompt), *turn.turns, Assistant(text=turn.result)))
        child.settle()
        self.children.append(child)
        self.tool(Tool(tool="task", input={"description": "Look into it", "prompt": turn.prompt}, output=turn.result))


def _tool_part(turn: Tool, call_id: str, span: Mapping[str, int]) -> dict[str, object]:
    name, arguments = _call(turn)
    head: dict[str, object] = {"type": "tool", "tool": name, "callID": call_id}
    if turn.failed and name != "bash":
        return head | {"state": {"status": "error", "input": arguments, "error": turn.output, "time": span}}
    metadata: dict[str, object] = {"truncated": False}
    if name == "bash":
        metadata |= {"output": turn.output, "exit": int(turn.failed)}
    state = {"status": "completed", "input": arguments, "output": turn.output, "metadata": metadata}
    return head | {"state": state | {"title": next(iter(arguments.values()), name), "time": span}}


def _call(turn: Tool) -> tuple[str, dict[str, str]]:
    match turn.tool:
        case "shell":
            return "bash", {"command": turn.input["command"], "description": "Run a command"}
        case "read":
            return "read", {"filePath": turn.input["path"]}
        case "write":
            return "write", {"filePath": turn.input["path"], "content": turn.input["content"]}
        case "edit":
            return "edit", {
                "filePath": turn.input["path"],
                "oldString": turn.input["old"],
                "newString": turn.input["new"],
            }
        case _:
            return turn.tool.replace("/", "_"), dict(turn.input)
