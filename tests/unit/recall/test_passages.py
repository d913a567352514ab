from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.recall.passages import memory_passages, session_passages
from vademecum.sessions import Message, Role, Session

FILE = """---
description: How the shop is deployed
---

Opening words.

# Deploy

- run the script <!-- vade:3fa91c07be 0199a000#t4 -->
- then wait

## Rollback

""" + "\n".join(f"- step {number}: " + "word " * 20 for number in range(12))


def test_passages_carry_the_lines_of_the_file():
    lines = FILE.split("\n")
    for passage in memory_passages("reference/deploy.md", FILE):
        shown = passage.body.split("\n")
        assert passage.line_end - passage.line_start + 1 == len(shown)
        for text, line in zip(shown, lines[passage.line_start - 1 : passage.line_end], strict=True):
            assert line.startswith(text)


def test_every_line_below_the_header_stands_in_exactly_one_passage():
    covered = [
        number
        for passage in memory_passages("reference/deploy.md", FILE)
        for number in range(passage.line_start, passage.line_end + 1)
    ]
    filled = [number for number, line in enumerate(FILE.split("\n"), 1) if number > 3 and line.strip()]
    assert sorted(set(covered) & set(filled)) == filled
    assert len(covered) == len(set(covered))


def test_bullet_marks_are_neither_shown_nor_indexed():
    assert not any("vade:" in passage.body for passage in memory_passages("reference/deploy.md", FILE))


def test_the_description_weighs_on_the_first_passage_alone():
    titles = [passage.title for passage in memory_passages("reference/deploy.md", FILE)]
    assert titles[0] == "How the shop is deployed"
    assert not any(titles[1:])


def test_headings_above_a_passage_are_known():
    last = list(memory_passages("reference/deploy.md", FILE))[-1]
    assert last.headings == "Deploy\nRollback"


def test_long_sections_are_cut_at_bullets():
    passages = [passage for passage in memory_passages("x.md", FILE) if "step" in passage.body]
    assert len(passages) > 1
    assert all(passage.body.split("\n")[-1].startswith("- step") for passage in passages)


def test_a_file_that_is_only_a_header_is_found_by_its_description():
    (passage,) = memory_passages("reference/x.md", "---\ndescription: Only words\n---\n")
    assert passage.body == "Only words"


def test_a_broken_header_is_searched_as_text():
    (passage,) = memory_passages("reference/x.md", "---\ndescription: never closed\nbody words\n")
    assert "body words" in passage.body


def test_a_rollout_summary_belongs_to_its_session():
    text = "---\nsession_id: s1\nhost: h\ncwd: /srv/shop\nupdated_at: 2026-11-02T10:00:00Z\n---\nRecap.\n"
    (passage,) = memory_passages("rollout_summaries/x.md", text)
    assert passage.belonging.session_id == "s1"
    assert passage.belonging.project == "/srv/shop"
    assert passage.belonging.at == datetime(2026, 11, 2, 10, tzinfo=UTC)


def test_a_task_group_of_the_handbook_belongs_to_its_project():
    text = "# Task Group: /srv/shop\nscope: x\n\n## User preferences\n- a\n\n# Task Group: everywhere\n- b\n"
    projects = {passage.belonging.project for passage in memory_passages("MEMORY.md", text) if "- a" in passage.body}
    assert projects == {"/srv/shop"}
    assert {p.belonging.project for p in memory_passages("MEMORY.md", text) if "- b" in p.body} == {None}


@given(st.text(alphabet=st.sampled_from("ab \n#-`"), max_size=200))
def test_any_file_is_cut_without_losing_a_word(text: str):
    shown = "".join(passage.body for passage in memory_passages("x.md", text))
    assert sorted(shown.replace("\n", "").replace(" ", "")) == sorted(text.replace("\n", "").replace(" ", ""))


@pytest.fixture
def session() -> Session:
    moment = datetime(2026, 11, 2, tzinfo=UTC)
    texts = [
        (Role.HUMAN, "yes, do that"),
        (Role.TOOL, "output"),
        (Role.COMMENTARY, "thinking"),
        (Role.FINAL, "done " * 200),
        (Role.HOST, "injected"),
        (Role.HUMAN, "and the rest"),
        (Role.HUMAN, "  "),
    ]
    messages = tuple(
        Message(id=str(turn), index=turn, role=role, text=text) for turn, (role, text) in enumerate(texts, 1)
    )
    facts = {"host": "h", "cwd": "/x", "branch": None, "started_at": moment, "updated_at": moment, "parent_id": None}
    return Session(id="s1", messages=messages, title="The title", **facts)


def test_only_what_people_said_and_final_answers_are_searched(session: Session):
    assert [passage.line_start for passage in session_passages(session, session.cwd)] == [1, 4, 6]


def test_short_messages_know_their_neighbours_and_long_ones_do_not(session: Session):
    short, long, last = session_passages(session, session.cwd)
    assert short.near.startswith("done")
    assert len(short.near) <= 400
    assert (long.near, long.far) == ("", "")
    assert last.far == "yes, do that"


def test_the_title_of_a_session_weighs_on_its_first_message_alone(session: Session):
    assert [passage.title for passage in session_passages(session, session.cwd)] == ["The title", "", ""]
