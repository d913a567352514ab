"""A session as text within a budget: what matters most is kept, in source order, with numbered turns.

    [t1] human: use pnpm here, never npm
    [t2] commentary: I look at the lock file first.
    [t2] tool exec_command: {"cmd":"ls"}
    package.json
    [... 14 rows left out ...]
    [t9] final: Done.

Rows are chosen tier by tier (human words, finals, commentary, other agents, host text, tools), the newest first inside
a tier; the opening request, the last request and the last final come before all others. The text was masked before
(`sessions.load`), so cuts here divide no secret.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from vademecum.amounts import plural
from vademecum.errors import UsageError
from vademecum.sessions.model import Message, Role, Session, ToolCall

__all__ = ["MIN_BUDGET_BYTES", "Rendering", "render"]

#: Below this the opening request, the last request and the last final would not fit together.
MIN_BUDGET_BYTES = 1_000
TOOL_ROW_BYTES = 8_000
ROW_BYTES = 10_000
#: The part of the budget that one human row may take, where that is more than `ROW_BYTES`.
HUMAN_SHARE = 4
#: Room for the mark inside a row that is cut.
_CUT_BYTES = 48
#: A row is not cut to less than this.
_LEAST_ROW_BYTES = 200
_NAME_CHARS = 64
#: A cut takes this many bytes more rather than to divide a mark in brackets, such as a masked secret's.
_BRACKET_BYTES = 64

#: The order in which roles are served.
_TIERS = (Role.HUMAN, Role.FINAL, Role.COMMENTARY, Role.OTHER_AGENT, Role.HOST, Role.TOOL)
_TIER_OF_ROLE = {role: tier for tier, role in enumerate(_TIERS)}
#: A line of the text itself that would read like the beginning of a row or like a mark.
_ROW_LIKE = re.compile(r"(^|[\r\v\f\x85\u2028\u2029])(?=\[(?:t\d|\.\.\.))", re.MULTILINE)


class Rendering(msgspec.Struct, frozen=True, kw_only=True):
    """What was rendered, and what was not."""

    text: str
    #: UTF-8 bytes of `text`; never more than the budget.
    size_bytes: int
    #: Turn numbers (`Message.index`) that stand in the text, ascending; only these can be cited.
    turns: tuple[int, ...]
    #: Rows left out, by role. Tool calls count as `tool`.
    omitted: dict[Role, int]
    #: Rows that stand in the text with their middle cut out.
    cut: int


class _Row(msgspec.Struct, frozen=True):
    place: int
    turn: int
    role: Role
    data: bytes

    @property
    def size_bytes(self) -> int:
        """With the newline that ends it."""
        return len(self.data) + 1


def render(session: Session, budget_bytes: int) -> Rendering:
    """Render a session that came from `sessions.load` in at most `budget_bytes` of UTF-8.

    Raises UsageError where the budget is below `MIN_BUDGET_BYTES`.
    """
    if budget_bytes < MIN_BUDGET_BYTES:
        raise UsageError(f"a session cannot be rendered in {budget_bytes} bytes; {MIN_BUDGET_BYTES} is the least")
    rows = list(_rows(session))
    allotted = _Allotment(rows, budget_bytes).serve()
    data = b"".join(_pieces(rows, allotted)).removesuffix(b"\n")
    return Rendering(
        text=data.decode(),
        size_bytes=len(data),
        turns=tuple(sorted({row.turn for row in rows if row.place in allotted})),
        omitted=dict(Counter(row.role for row in rows if row.place not in allotted)),
        cut=sum(allotted.get(row.place, row.size_bytes) < row.size_bytes for row in rows),
    )


def _rows(session: Session) -> Iterator[_Row]:
    place = 0
    for message in session.messages:
        for role, label, text in _parts(message):
            data = f"[t{message.index}] {label}: {_plain(text)}".encode("utf-8", "replace")
            yield _Row(place, message.index, role, data)
            place += 1


def _parts(message: Message) -> Iterator[tuple[Role, str, str]]:
    if message.text.strip():
        yield message.role, message.role.replace("_", " "), message.text
    for call in message.tool_calls:
        yield Role.TOOL, _tool_label(call), f"{call.input}\n{call.output}"


def _tool_label(call: ToolCall) -> str:
    name = " ".join(call.name.split())[:_NAME_CHARS] or "unnamed"
    return f"tool {name} (failed)" if call.failed else f"tool {name}"


def _plain(text: str) -> str:
    """The text with a space before what would read like a row of ours, so that no output can speak as another turn."""
    return _ROW_LIKE.sub(r"\1 ", text.strip())


class _Allotment:
    """Divides the budget among rows and the marks of the gaps between them."""

    def __init__(self, rows: Sequence[_Row], budget_bytes: int) -> None:
        self._rows = rows
        self._budget_bytes = budget_bytes
        #: What a gap between chosen rows costs, at most.
        self._mark_bytes = len(_mark(len(rows)))
        # As long as no row is chosen, all of them are one gap.
        self._left_bytes = budget_bytes - self._mark_bytes
        self._bytes_of_place: dict[int, int] = {}

    def serve(self) -> dict[int, int]:
        """Bytes per row, by its place; rows that are not in the result are left out."""
        for row in _indispensable(self._rows):
            self._give(row, min(self._most(row), self._budget_bytes // HUMAN_SHARE))
        for row in sorted(self._rows, key=lambda row: (_TIER_OF_ROLE[row.role], -row.place)):
            self._give(row, self._most(row))
        return self._bytes_of_place

    def _most(self, row: _Row) -> int:
        if row.role is Role.HUMAN:
            return max(ROW_BYTES, self._budget_bytes // HUMAN_SHARE)
        return TOOL_ROW_BYTES if row.role is Role.TOOL else ROW_BYTES

    def _give(self, row: _Row, most_bytes: int) -> None:
        has = self._bytes_of_place.get(row.place, 0)
        marks = 0 if has else self._mark_bytes * self._more_gaps(row.place)
        given = min(row.size_bytes, most_bytes, has + self._left_bytes - marks)
        if given <= has or given < min(row.size_bytes, _LEAST_ROW_BYTES):
            return
        self._left_bytes -= given - has + marks
        self._bytes_of_place[row.place] = given

    def _more_gaps(self, place: int) -> int:
        """How many gaps there will be more (-1: one less) when the row at this place is chosen."""
        before = place == 0 or place - 1 in self._bytes_of_place
        after = place == len(self._rows) - 1 or place + 1 in self._bytes_of_place
        return 1 - before - after


def _indispensable(rows: Sequence[_Row]) -> Iterator[_Row]:
    humans = [row for row in rows if row.role is Role.HUMAN]
    finals = [row for row in rows if row.role is Role.FINAL]
    yield from humans[:1]
    yield from humans[1:][-1:]
    yield from finals[-1:]


def _pieces(rows: Iterable[_Row], allotted: dict[int, int]) -> Iterator[bytes]:
    gap = 0
    for row in rows:
        if row.place in allotted:
            yield _mark(gap)
            gap = 0
            yield _cut(row.data, allotted[row.place] - 1) + b"\n"
        else:
            gap += 1
    yield _mark(gap)


def _mark(gap: int) -> bytes:
    return f"[... {plural(gap, 'row')} left out ...]\n".encode() if gap else b""


def _cut(data: bytes, most_bytes: int) -> bytes:
    """The row in at most `most_bytes`: whole, or head and tail with a mark between; no character or mark is divided."""
    if len(data) <= most_bytes:
        return data
    room = most_bytes - _CUT_BYTES
    head = _whole_head(data[: room - room // 3])
    tail = _whole_tail(data[len(data) - room // 3 :])
    left_out = len(data) - len(head) - len(tail)
    # The tail stays on the line of the mark: were it to begin a line, it could read like a row.
    return head + f"\n[... {left_out} bytes left out ...] ".encode() + tail


def _whole_head(data: bytes) -> bytes:
    head = data.decode("utf-8", "ignore").encode()
    bracket = head.rfind(b"[", max(1, len(head) - _BRACKET_BYTES))
    return head if bracket < 0 or b"]" in head[bracket:] else head[:bracket]


def _whole_tail(data: bytes) -> bytes:
    tail = data.decode("utf-8", "ignore").encode()
    bracket = tail.find(b"]", 0, _BRACKET_BYTES)
    return tail if bracket < 0 or b"[" in tail[:bracket] else tail[bracket + 1 :]
