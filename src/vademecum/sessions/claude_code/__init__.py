"""Claude Code session files: `<config>/projects/<key>/<session>.jsonl`, as written by its versions 1 and 2.

Lines form a tree (`tree`); `lines` and `words` say what one line holds. Folder names are
lossy, so cwd, branch and ids are taken from inside the file. Sub-agents have files of their own, whose lines are all
side chains (`<session>/subagents/agent-<id>.jsonl`, formerly `agent-<hash>.jsonl` beside the sessions), or lie as side
chains in the session.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from vademecum.sessions.assembly import span
from vademecum.sessions.claude_code.lines import TALKING, Entry, parse
from vademecum.sessions.claude_code.words import QUESTION_TOOL, answers, results, words
from vademecum.sessions.clock import stored_time
from vademecum.sessions.discovery import file_ref, walk_files
from vademecum.sessions.jsonl import read_lines
from vademecum.sessions.marks import exclusion_of
from vademecum.sessions.model import Exclusion, Role, Session, SessionRef
from vademecum.sessions.reasons import PassedOver
from vademecum.sessions.talk import Fragment, Talk
from vademecum.sessions.tree import LiveBranch

__all__ = ["discover", "host", "read", "recognises", "roots"]

host = "claude-code"

#: Lines of a sub-agent's file that are read to learn whose it is; of the others, only what tools it calls: its talk is
#: never learned from.
_SUB_AGENT_LINES = 50


def roots(environ: Mapping[str, str], home: Path) -> list[Path]:
    """`$CLAUDE_CONFIG_DIR/projects`, else `~/.claude/projects`."""
    config = environ.get("CLAUDE_CONFIG_DIR")
    return [(Path(config) if config else home / ".claude") / "projects"]


def discover(root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
    """Every `.jsonl` file below the folder, sub-agents included, or the one file that is named."""
    for path in walk_files(root, skipped, suffixes=(".jsonl",)):
        ref = file_ref(host, path, skipped)
        if ref is not None:
            yield ref


def recognises(head: bytes, path: Path) -> bool:
    """Lines of a tree with the session's id on them."""
    del path
    return (
        head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
        and (b'"sessionId"' in head or b'"isSidechain"' in head)
        and any(name in head for name in (b'"parentUuid"', b'"leafUuid"', b'"queue-operation"'))
    )


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The live branch of the file, or None where no line belongs to a session. Raises OSError."""
    transcript = _Transcript(Path(ref.path), skipped)
    for line in read_lines(ref.path, skipped=skipped):
        if transcript.is_sub_agent and line.number > _SUB_AGENT_LINES and b'"tool_use"' not in line.data:
            continue
        entry = parse(line, skipped)
        if entry is not None:
            transcript.add(entry)
    return transcript.session(ref)


class _Transcript:
    """What is known of the session while its lines pass by."""

    def __init__(self, path: Path, skipped: Counter[str]) -> None:
        self._file_id = path.stem
        self.is_sub_agent = path.parent.name == "subagents"
        self._skipped = skipped
        self._talk = Talk(skipped)
        self._branch = LiveBranch[Fragment](
            settle=self._talk.settle, family=lambda fragment: fragment.family, skipped=skipped
        )
        self._inside = self._cwd = self._git_branch = self._title = ""
        self._is_own = False
        self._human_cwds: Counter[str] = Counter()
        self._first: datetime | None = None
        self._last: datetime | None = None
        self._side_lines = self._main_lines = 0
        self._polluted = False

    def add(self, entry: Entry) -> None:
        if entry.session_id and entry.session_id != self._inside:
            self._inside = entry.session_id
            self._is_own = self._is_own or self._inside == self._file_id
        if entry.custom_title:
            self._title = entry.custom_title
        if entry.leaf_uuid and entry.type == "last-prompt":
            self._branch.name_leaf(entry.leaf_uuid)
        if entry.is_sidechain:
            self._side_lines += 1
            self._skipped[PassedOver.SIDECHAIN] += not self.is_sub_agent
            self._polluted = self._polluted or _brings_in(entry)
        elif not entry.uuid or self._grow(entry, entry.uuid):
            self._take_words(entry)

    def _grow(self, entry: Entry, uuid: str) -> bool:
        talk = entry.type in TALKING or entry.is_queued_prompt
        self._main_lines += talk
        if entry.cwd:
            self._cwd = entry.cwd
        if entry.git_branch:
            self._git_branch = entry.git_branch
        return self._branch.add(uuid, _parent(entry), talk=talk)

    def _take_words(self, entry: Entry) -> None:
        at = stored_time(entry.timestamp)
        if at is not None:
            self._first = at if self._first is None or at < self._first else self._first
            self._last = at if self._last is None or at > self._last else self._last
        fragment = words(entry, self._skipped)
        if fragment is not None:
            self._hang(fragment, entry, at)
        for result in results(entry):
            self._branch.weigh(result.size_bytes)
            if self._talk.bring(result) == QUESTION_TOOL and not result.failed:
                for answer in answers(entry, result):
                    self._hang(answer, entry, at)

    def _hang(self, fragment: Fragment, entry: Entry, at: datetime | None) -> None:
        fragment.at = at
        if fragment.role is Role.HUMAN and entry.cwd:
            self._human_cwds[entry.cwd] += 1
        for call in fragment.calls:
            self._talk.expect(call)
        self._branch.hang(fragment, size_bytes=fragment.size_bytes)

    def session(self, ref: SessionRef) -> Session | None:
        self._branch.finish()
        if not self._inside or not (self._main_lines or self._side_lines):
            return None
        messages = self._talk.messages()
        sub_agent = self.is_sub_agent or not self._main_lines
        own = self._file_id if sub_agent or self._is_own else self._inside
        started, updated = span(self._first, self._last, ref.modified_at)
        return Session(
            id=own,
            host=host,
            cwd=self._human_cwds.most_common(1)[0][0] if self._human_cwds else self._cwd,
            branch=self._git_branch or None,
            started_at=started,
            updated_at=updated,
            parent_id=self._inside if sub_agent else None,
            messages=() if sub_agent else messages,
            title=self._title,
            exclusion=Exclusion.SUB_AGENT if sub_agent else exclusion_of(self._title, messages),
            is_polluted_inside=self._polluted,
        )


def _brings_in(entry: Entry) -> bool:
    """Whether a helper of the agent calls a tool there that brings in text from outside."""
    fragment = words(entry, Counter())
    return fragment is not None and any(call.is_external for call in fragment.calls)


def _parent(entry: Entry) -> str | None:
    """The id of the line before on the same branch; empty: the line before in the file; None: the branch begins here.

    A compaction begins a new tree and names what it continues. Lines of the host's own (hook output on resuming) may
    come without a parent too; only talk begins a branch.
    """
    parent = entry.parent_uuid or entry.logical_parent_uuid
    if parent or entry.type not in TALKING or entry.is_compact_summary:
        return parent or ""
    return None
