"""The live branch of a tree of lines."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.sessions import tree
from vademecum.sessions.tree import LiveBranch


class Growth:
    """A branch whose items are strings: `family/text` or plain."""

    def __init__(self) -> None:
        self.live: list[str] = []
        self.skipped: Counter[str] = Counter()
        self.branch = LiveBranch[str](settle=self.live.append, family=_family, skipped=self.skipped)

    def line(self, node_id: str, parent: str | None, *, talk: bool = True, family: str = "") -> None:
        if self.branch.add(node_id, parent, talk=talk):
            self.branch.hang(f"{family}/{node_id}" if family else node_id, size_bytes=100)

    def finish(self) -> list[str]:
        self.branch.finish()
        return self.live


def _family(item: str) -> str:
    family, slash, _ = item.partition("/")
    return family if slash else ""


def chain(growth: Growth, *names: str, parent: str | None = None) -> None:
    for name in names:
        growth.line(name, parent)
        parent = name


def test_a_straight_chain_is_all_live() -> None:
    growth = Growth()
    chain(growth, "a", "b", "c")
    assert growth.finish() == ["a", "b", "c"]
    assert not growth.skipped


def test_the_newest_line_ends_the_live_branch() -> None:
    """What a rewind left behind is counted."""
    growth = Growth()
    chain(growth, "a", "b", "dead1", "dead2")
    chain(growth, "c", "d", parent="b")
    assert growth.finish() == ["a", "b", "c", "d"]
    assert growth.skipped == {"rewound": 2}


def test_a_second_root_leaves_the_first_one_behind() -> None:
    """Editing the first prompt begins the tree anew."""
    growth = Growth()
    chain(growth, "a", "b")
    chain(growth, "c", "d")
    assert growth.finish() == ["c", "d"]


def test_the_leaf_that_the_host_names_beats_the_newest_line() -> None:
    growth = Growth()
    chain(growth, "a", "b")
    chain(growth, "x", parent="a")
    growth.branch.name_leaf("b")
    assert growth.finish() == ["a", "b"]


def test_what_hangs_below_the_named_leaf_is_live() -> None:
    """Hosts name a leaf before the last lines of the turn are written."""
    growth = Growth()
    chain(growth, "a", "b", "c")
    chain(growth, "x", parent="a")
    growth.branch.name_leaf("b")
    assert growth.finish() == ["a", "b", "c"]


def test_a_leaf_may_be_named_before_it_is_written() -> None:
    growth = Growth()
    chain(growth, "a")
    growth.branch.name_leaf("b")
    chain(growth, "b", "c", parent="a")
    assert growth.finish() == ["a", "b", "c"]


def test_talk_after_the_host_named_a_leaf_is_newer_than_its_word() -> None:
    """A rewind whose new branch the host has not named yet."""
    growth = Growth()
    chain(growth, "a", "b")
    growth.branch.name_leaf("b")
    chain(growth, "c", parent="a")
    assert growth.finish() == ["a", "c"]


def test_an_unknown_named_leaf_is_passed_over() -> None:
    growth = Growth()
    chain(growth, "a", "b")
    growth.branch.name_leaf("elsewhere")
    assert growth.finish() == ["a", "b"]


def test_lines_without_talk_do_not_end_the_branch() -> None:
    growth = Growth()
    chain(growth, "a", "b")
    growth.line("note", None, talk=False)
    assert growth.finish() == ["a", "b"]


def test_a_missing_parent_is_the_line_before() -> None:
    """A broken or capped line does not cut the branch in two."""
    growth = Growth()
    chain(growth, "a", "b")
    chain(growth, "d", parent="lost")
    assert growth.finish() == ["a", "b", "d"]


def test_parts_of_one_answer_are_live_together() -> None:
    """Parallel tool calls hang the parts of an answer into different branches."""
    growth = Growth()
    growth.line("a", None)
    growth.line("b1", "a", family="m")
    growth.line("b2", "b1", family="m")
    growth.line("c", "b1")
    assert growth.finish() == ["a", "m/b1", "m/b2", "c"]
    assert not growth.skipped


def test_a_repeated_id_counts_once() -> None:
    growth = Growth()
    chain(growth, "a", "b")
    growth.line("a", "b")
    assert growth.finish() == ["a", "b"]
    assert growth.skipped == {"duplicate_id": 1}


def test_cycles_end() -> None:
    growth = Growth()
    growth.line("a", "b")
    growth.line("b", "a")
    growth.line("c", "c")
    assert growth.finish() == ["a", "b", "c"]


def test_the_window_stays_small_and_settles_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long file costs the memory of the window, and what is settled early is the same."""
    monkeypatch.setattr(tree, "WINDOW_LINES", 50)
    growth = Growth()
    names = [f"n{number}" for number in range(1000)]
    parent: str | None = None
    for number, name in enumerate(names):
        growth.line(name, parent)
        if number % 100 == 60:
            growth.line(f"dead{number}", parent)
        parent = name
        assert len(growth.branch._nodes) <= 51
    assert growth.finish() == names
    assert growth.skipped == {"rewound": 10}


def test_the_window_is_bounded_in_bytes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "WINDOW_BYTES", 1000)
    growth = Growth()
    chain(growth, *(f"n{number}" for number in range(100)))
    assert len(growth.branch._nodes) <= 12
    assert len(growth.finish()) == 100


def test_what_a_line_takes_elsewhere_is_weighed_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tool output goes to its call and still counts for the window."""
    monkeypatch.setattr(tree, "WINDOW_BYTES", 1000)
    growth = Growth()
    parent: str | None = None
    for number in range(100):
        growth.branch.add(f"n{number}", parent, talk=True)
        growth.branch.weigh(100)
        parent = f"n{number}"
    assert len(growth.branch._nodes) <= 12


def test_one_line_holds_only_so_many_items() -> None:
    growth = Growth()
    chain(growth, "a")
    for number in range(1000):
        growth.branch.hang(f"item {number}", size_bytes=1)
    assert len(growth.finish()) == tree.ITEMS_PER_LINE
    assert growth.skipped == {"too_many_messages": 1001 - tree.ITEMS_PER_LINE}


@given(
    st.lists(st.tuples(st.integers(0, 30), st.one_of(st.none(), st.integers(0, 30))), max_size=60), st.integers(0, 30)
)
def test_any_tree_gives_each_line_at_most_once_in_file_order(edges: list[tuple[int, int | None]], leaf: int) -> None:
    growth = Growth()
    order: dict[str, int] = {}
    for place, (node, parent) in enumerate(edges):
        order.setdefault(f"n{node}", place)
        growth.line(f"n{node}", None if parent is None else f"n{parent}")
    growth.branch.name_leaf(f"n{leaf}")
    live = growth.finish()
    assert sorted(set(live), key=order.__getitem__) == live
    assert len(live) + growth.skipped["rewound"] + growth.skipped["duplicate_id"] == len(edges)
