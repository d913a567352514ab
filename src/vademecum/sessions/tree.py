"""The live branch of a transcript that is a tree: each line names its parent, and a rewind leaves a dead branch.

Exact for a window of recent lines. Older lines are settled: those on the live branch are handed on in file order, the
rest is counted `rewound` and forgotten. So a file of any length costs the memory of the window only; a rewind that
reaches back beyond the window is taken for a continuation.
"""

from collections import Counter
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from vademecum.sessions.reasons import PassedOver

__all__ = ["LiveBranch"]

#: Lines whose parents are known exactly; half of them are settled when the window is full.
WINDOW_LINES = 20_000
#: The same for what their text takes in memory.
WINDOW_BYTES = 32 << 20
#: More than any host puts on a line.
ITEMS_PER_LINE = 64

T = TypeVar("T")


class _Node(msgspec.Struct, Generic[T], gc=False):
    id: str
    #: Place of its parent in the file; -1 for a root.
    parent: int
    #: Whether it may be the end of the branch.
    talk: bool
    items: tuple[T, ...] = ()
    size_bytes: int = 0


class LiveBranch(Generic[T]):
    """Takes the lines of one file in order and hands the items of the live branch to `settle`, in file order.

    `family` gives the key of an item whose lines belong together wherever they hang in the tree (the parts of one
    answer hang in different branches when its tool calls run in parallel), or an empty string.
    """

    def __init__(self, *, settle: Callable[[T], object], family: Callable[[T], str], skipped: Counter[str]) -> None:
        self._settle = settle
        self._family = family
        self._skipped = skipped
        self._nodes: list[_Node[T]] = []
        #: Place in the file of the oldest node in the window.
        self._base = 0
        self._places: dict[str, int] = {}
        self._size_bytes = 0
        self._newest_talk = -1
        self._leaf_id = ""
        self._leaf = -1
        #: Place of the last line that was written before the host named the leaf.
        self._leaf_named_at = -1

    def add(self, node_id: str, parent_id: str | None, *, talk: bool) -> bool:
        """Append a line; False (counted `duplicate_id`) where its id stands in the window already.

        `parent_id` None makes it a root. A parent that is not known (its line was broken or capped, or follows only
        later) is taken to be the line before, so that one bad line does not cut the branch in two.
        """
        if node_id in self._places:
            self._skipped[PassedOver.DUPLICATE_ID] += 1
            return False
        place = self._base + len(self._nodes)
        parent = -1 if parent_id is None else self._places.get(parent_id, place - 1)
        self._nodes.append(_Node(node_id, parent, talk))
        self._places[node_id] = place
        if talk:
            self._newest_talk = place
        if node_id == self._leaf_id:
            self._leaf = self._leaf_named_at = place
        if len(self._nodes) > WINDOW_LINES or self._size_bytes > WINDOW_BYTES:
            self._shift()
        return True

    def hang(self, item: T, *, size_bytes: int) -> None:
        """Put an item on the line that was added last. Without any line it is settled at once."""
        if not self._nodes:
            self._settle(item)
            return
        node = self._nodes[-1]
        if len(node.items) >= ITEMS_PER_LINE:
            self._skipped[PassedOver.TOO_MANY_MESSAGES] += 1
            return
        node.items += (item,)
        self.weigh(size_bytes)

    def weigh(self, size_bytes: int) -> None:
        """Memory that the line added last takes besides its items: tool output, which goes to its call."""
        if self._nodes:
            self._nodes[-1].size_bytes += size_bytes
            self._size_bytes += size_bytes

    def name_leaf(self, node_id: str) -> None:
        """The host says that this line is the end of the live branch; it may be written only later."""
        self._leaf_id = node_id
        self._leaf = self._places.get(node_id, -1)
        self._leaf_named_at = self._base + len(self._nodes) - 1

    def finish(self) -> None:
        """Settle all that is left."""
        self._settle_first(len(self._nodes))

    def _shift(self) -> None:
        half_lines, half_bytes = len(self._nodes) // 2, self._size_bytes // 2
        count = size_bytes = 0
        for node in self._nodes:
            if count >= half_lines or size_bytes > half_bytes:
                break
            size_bytes += node.size_bytes
            count += 1
        self._settle_first(count)

    def _settle_first(self, count: int) -> None:
        live = self._live_places()
        families = self._families(live)
        for place, node in enumerate(self._nodes[:count], self._base):
            del self._places[node.id]
            self._size_bytes -= node.size_bytes
            for item in node.items:
                if place in live or self._family(item) in families:
                    self._settle(item)
                else:
                    self._skipped[PassedOver.REWOUND] += 1
        del self._nodes[:count]
        self._base += count

    def _families(self, live: set[int]) -> set[str]:
        base, nodes = self._base, self._nodes
        families = {self._family(item) for place in live for item in nodes[place - base].items}
        families.discard("")
        return families

    def _live_places(self) -> set[int]:
        base, nodes = self._base, self._nodes
        place = self._live_leaf()
        live: set[int] = set()
        # Parents stand before their children, so this ends.
        while place >= base:
            live.add(place)
            place = nodes[place - base].parent
        return live

    def _live_leaf(self) -> int:
        last = self._base + len(self._nodes) - 1
        newest = self._newest_talk if self._newest_talk >= self._base else last
        if self._leaf < self._base or newest > self._leaf_named_at:
            return newest
        below = {self._leaf}
        for place in range(self._leaf + 1, last + 1):
            if self._nodes[place - self._base].parent in below:
                below.add(place)
        return max((place for place in below if self._nodes[place - self._base].talk), default=self._leaf)
