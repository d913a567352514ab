import json

import pytest

from support.two_projects import SHOP, SHOP_RULE
from vademecum.toolbox.answers import MAX_ANSWER_BYTES


def line_of(learned, text):
    lines = learned.folder.memory.joinpath("MEMORY.md").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(f"- {text}"))


def test_a_line_leads_to_the_words_that_the_user_said(learned, ask, id_of):
    answer = ask("memory_why", what=f"MEMORY.md:{line_of(learned, SHOP_RULE)}")
    assert f"from session {id_of(SHOP)}, turn 1  2026-11-02  claude-code  {SHOP}" in answer.text
    assert f'"{SHOP_RULE}"' in answer.text
    (line,) = answer.data["lines"]
    (source,) = line["sources"]
    assert (source["session_id"], source["turn"], source["words"]) == (id_of(SHOP), 1, SHOP_RULE)
    assert line["commit"]["writer"] == "learn"


def test_words_of_a_statement_do_instead_of_its_place(learned, ask):
    assert f"MEMORY.md:{line_of(learned, SHOP_RULE)}" in ask("memory_why", what="heron with pnpm").text


def test_a_note_says_whose_it_is(learned, ask):
    learned.note("the heron sleeps on Sundays")
    ask("memory_add_note", note="The heron likes fish on Fridays")
    assert "the user noted" in ask("memory_why", what="heron sleeps").text
    assert "an agent noted, unconfirmed" in ask("memory_why", what="heron likes fish").text


def test_pages_join_to_the_whole(ask):
    whole = ask("memory_why", what="MEMORY.md").data["lines"]
    assert len(whole) == 2
    first = ask("memory_why", what="MEMORY.md", limit=1)
    assert "go on with offset=1" in first.text
    rest = ask("memory_why", what="MEMORY.md", limit=1, offset=first.data["next_offset"])
    assert [*first.data["lines"], *rest.data["lines"]] == whole
    assert rest.data["next_offset"] is None


def test_what_memory_does_not_say_is_an_error(ask):
    answer = ask("memory_why", what="zyzzyva")
    assert answer.is_error
    assert answer.data["error"]["code"] == "not_found"


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_long_page_with_many_commits_never_floods_a_context(learned, ask):
    text = "".join(f"word {'é' * 400}\n" for _ in range(100))
    learned.edit.create("log/a.md", description="a", text=text, reason="é" * 300)
    for number in range(0, 100, 2):
        learned.edit.insert("log/a.md", line=4 + number, text=f"line {'ü' * 300}\n", reason=f"{number} {'é' * 290}")
    answer = ask("memory_why", what="log/a.md", limit=100)
    assert len(answer.text.encode()) <= MAX_ANSWER_BYTES
    assert len(json.dumps(answer.data)) < 4 * MAX_ANSWER_BYTES
    assert answer.data["next_offset"] == len(answer.data["lines"])
