"""Which answer used which memory, once per answer."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from support.consolidating import record
from support.memfs import create, learn
from vademecum.artifacts import (
    HANDBOOK_PATH,
    SUMMARY_PATH,
    Citations,
    CitedLines,
    render_rollout_summary,
    session_source,
)
from vademecum.learning import Citing
from vademecum.learning.rollouts import rollout_path, summary_of
from vademecum.sessions import Message, Role
from vademecum.state import CitedKind

AT = datetime(2026, 11, 20, tzinfo=UTC)
ROLLOUT = rollout_path(record("s3").stem)
HANDBOOK = f"""# Task Group: /srv/shop

## Task 1: fix it, success
### rollout_summary_files
- {ROLLOUT} (cwd=/srv/shop, updated_at=2026-11-02T09:00:00Z, session_id: s3)
### keywords
- pnpm

## User preferences
- use pnpm here <!-- vade:0123456789 s1#t1 s2#t4 -->
- from a note <!-- vade:0123456788 extensions/ad_hoc/notes/x.md -->
- my own line
"""


@pytest.fixture
def memory(tmp_path):
    """A memory whose commits lie a minute apart, from the first of January on."""
    minutes = iter(range(1_000))
    repository = create(tmp_path, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(minutes)))
    put(repository, HANDBOOK)
    return repository


def put(repository, handbook):
    edits = {
        HANDBOOK_PATH: handbook,
        SUMMARY_PATH: "v1\n\n- use pnpm here <!-- vade:0123456789 s1#t1 s2#t4 -->\n",
        ROLLOUT: render_rollout_summary(summary_of(record("s3"))),
    }
    return repository.commit(edits, subject="learn", provenance=learn())


@pytest.fixture
def citing(state, memory):
    return Citing(state, memory)


def lines(first=None, last=None, path=HANDBOOK_PATH):
    return Citations(files=(CitedLines(path=path, line_start=first, line_end=last or first),))


def counts(state, kind=CitedKind.SESSION):
    return {name: total.count for name, total in state.usage.totals(kind).items()}


def count(citing, cited, *, session="reader", message="m1", at=AT):
    return citing.count(cited, session=session, message=message, at=at)


class TestLines:
    @pytest.mark.parametrize(
        ("first", "last", "expected"),
        [
            (10, 10, {"s1": 1, "s2": 1}),
            (9, 12, {"s1": 1, "s2": 1}),
            (5, 5, {"s3": 1}),
            (7, 7, {"s3": 1}),
            (5, 10, {"s1": 1, "s2": 1, "s3": 1}),
            (11, 12, {}),
            (8, 8, {}),
            (900, 999_999_999, {}),
        ],
    )
    def test_a_cited_line_counts_for_the_sessions_that_it_rests_on(self, citing, state, first, last, expected):
        """codex-W20"""
        count(citing, lines(first, last))
        assert counts(state) == expected
        assert counts(state, CitedKind.PATH) == {HANDBOOK_PATH: 1}

    def test_a_session_with_odd_characters_counts_by_its_own_id(self, citing, state, memory):
        """A source spells it with others."""
        state.records.upsert(record("s 1#x"))
        put(
            memory,
            f"# Task Group: a\n\n## User preferences\n- x <!-- vade:aaaaaaaaaa {session_source('s 1#x', 1)} -->\n",
        )
        count(citing, lines(4, 4))
        assert counts(state) == {"s 1#x": 1}

    def test_so_does_a_line_of_the_summary_and_a_rollout_summary(self, citing, state):
        count(citing, lines(3, 3, SUMMARY_PATH))
        count(citing, lines(1, 4, ROLLOUT), message="m2")
        assert counts(state) == {"s1": 1, "s2": 1, "s3": 1}

    def test_a_whole_file_counts_for_itself_only(self, citing, state):
        count(citing, lines(None, None))
        assert counts(state) == {}
        assert counts(state, CitedKind.PATH) == {HANDBOOK_PATH: 1}

    def test_lines_are_those_of_the_file_that_the_answer_has_seen(self, citing, state, memory):
        seen = memory.log()[0].at
        put(memory, "# Task Group: /srv/shop\n\n## User preferences\n- other <!-- vade:aaaaaaaaaa s9#t1 -->\n")
        count(citing, lines(10, 10), at=seen)
        assert counts(state) == {"s1": 1, "s2": 1}
        count(Citing(state, memory), lines(4, 4), message="m2", at=AT)
        assert counts(state)["s9"] == 1

    def test_where_history_does_not_go_back_so_far_the_present_file_is_asked(self, citing, state):
        count(citing, lines(10, 10), at=datetime(2025, 1, 1, tzinfo=UTC))
        assert counts(state) == {"s1": 1, "s2": 1}

    def test_every_cited_part_of_a_file_is_kept_and_counts_as_one_use(self, citing, state):
        """codex-W20: paths and line ranges are kept."""
        parts = Citations(files=(*lines(5, 5).files, *lines(10, 11).files))
        assert count(citing, parts) == 5
        assert counts(state, CitedKind.PATH) == {HANDBOOK_PATH: 1}
        assert sum(HANDBOOK_PATH in str(row) for row in state.rows()) == 2


class TestOnce:
    def test_an_answer_counts_once_whoever_tells_of_it(self, citing, state, memory):
        """codex-R83, codex-N31, codex-B12: streamed, read again, and after a restart."""
        cited = Citations(sessions=("s1",))
        assert [count(citing, cited), count(citing, cited), count(Citing(state, memory), cited)] == [1, 0, 0]
        assert counts(state) == {"s1": 1}

    def test_the_same_memory_named_by_line_and_by_id_counts_once(self, citing, state):
        count(citing, Citations(files=lines(10, 10).files, sessions=("s1", "s2")))
        assert counts(state) == {"s1": 1, "s2": 1}

    def test_what_a_later_part_of_the_same_answer_adds_counts_too(self, citing, state):
        count(citing, Citations(sessions=("s1",)))
        count(citing, Citations(sessions=("s1", "s2")))
        assert counts(state) == {"s1": 1, "s2": 1}

    def test_an_unknown_name_makes_nothing_and_blocks_nothing(self, citing, state, memory):
        """codex-B12"""
        head = memory.head()
        cited = Citations(files=(CitedLines(path="nowhere.md", line_start=1, line_end=2),), sessions=("nobody", "s1"))
        count(citing, cited)
        assert counts(state) == {"nobody": 1, "s1": 1}
        assert counts(state, CitedKind.PATH) == {"nowhere.md": 1}
        assert (state.records.all(), memory.head()) == ([], head)

    def test_a_secret_in_a_name_is_not_kept(self, citing, state, tmp_path):
        token = "gh" + "p_" + "a1B2" * 9
        cited = Citations(files=(CitedLines(path=f"notes/{token}"),), sessions=(token, "s1"))
        at = {"at": AT}
        assert citing.count(cited, session=f"in-{token}", message=f"{token}-1", **at) == 3
        assert citing.count(cited, session=f"in-{token}", message=f"{token}-1", **at) == 0
        assert counts(state)["s1"] == 1
        kept = b"".join(file.read_bytes() for file in tmp_path.glob("state.db*"))
        assert b"s1" in kept
        assert token.encode() not in kept

    def test_a_session_that_cites_itself_is_no_use(self, citing, state):
        count(citing, Citations(sessions=("reader", "s1")))
        assert counts(state) == {"s1": 1}

    def test_an_answer_that_cites_everything_counts_for_no_more_than_a_list(self, citing, state):
        count(citing, Citations(sessions=tuple(f"s{number}" for number in range(5_000))))
        assert len(counts(state)) == 64


class TestSessions:
    def test_the_final_answers_of_a_session_are_counted(self, citing, state, compose):
        session = compose((Role.HUMAN, "build it"), (Role.FINAL, "done"), (Role.FINAL, "done again"))
        cited = tuple(
            msgspec.structs.replace(
                message, cited=Citations(sessions=("s1",)) if message.role is Role.FINAL else Citations()
            )
            for message in session.messages
        )
        session = msgspec.structs.replace(session, id="reader", messages=cited)
        assert (citing.count_session(session), citing.count_session(session)) == (2, 0)
        total = state.usage.totals(CitedKind.SESSION)["s1"]
        assert (total.count, total.sessions, total.last_at) == (2, 1, session.updated_at)

    def test_an_answer_without_a_time_was_given_when_the_session_ended(self, citing, state, compose):
        message = Message(id="1", index=1, role=Role.FINAL, text="", cited=Citations(sessions=("s1",)))
        session = msgspec.structs.replace(compose(), id="reader", messages=(message,))
        citing.count_session(session)
        assert state.usage.totals(CitedKind.SESSION)["s1"].last_at == session.updated_at


def test_a_summary_of_an_unreadable_file_counts_for_nobody(citing, state, memory):
    memory.commit({ROLLOUT: "no header\n"}, subject="edit", provenance=learn())
    count(citing, lines(1, 1, ROLLOUT))
    assert counts(state) == {}
