"""`make eval`: the same stories and the same table for every learner, and the figures that the README quotes."""

import importlib.util
import json
import sys
from pathlib import Path

import msgspec
import pytest

from stories.tales import STORIES
from support.fake_model_queue import QueueModel, Reply
from vademecum.learners import Extraction

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

ROOT = Path(__file__).resolve().parents[2]
STORY = "tabs here, two spaces there"
NOTHING = Reply(text=json.dumps(msgspec.to_builtins(Extraction())))


@pytest.fixture
def script(monkeypatch):
    """scripts/eval.py as a module."""
    monkeypatch.syspath_prepend(str(ROOT / "tests"))
    spec = importlib.util.spec_from_file_location("eval_script", ROOT / "scripts/eval.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "eval_script", module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def server(monkeypatch):
    with QueueModel("openai", *[NOTHING] * 9) as server:
        monkeypatch.setenv("MY_KEY", "my-very-own-words")
        monkeypatch.setenv("VADEMECUM_MODEL_EXTRACT_MODEL", server.model)
        monkeypatch.setenv("VADEMECUM_MODEL_BASE_URL", server.base_url)
        monkeypatch.setenv("VADEMECUM_MODEL_API_KEY_ENV", "MY_KEY")
        yield server


def row_of(out, learner):
    (line,) = [line for line in out.splitlines() if line.startswith(f"| `{learner}`")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_readme_quotes_the_columns_of_the_script_for_the_built_in_learner(script):
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    table = page.partition(script._BEGIN)[2].partition(script._END)[0].strip()
    assert table.splitlines()[0] == "| " + " | ".join(script.HEADINGS) + " |"
    assert len(row_of(table, "extractive")) == len(script.HEADINGS)


def test_the_built_in_learner_is_judged_in_one_story(script, capsys):
    assert script.main(["--only", "a deleted line that held everywhere"]) == 0
    row = row_of(capsys.readouterr().out, "extractive")
    assert row[script.HEADINGS.index("deletions that came back")] == "0 of 2"
    assert row[script.HEADINGS.index("rules recalled")] == "100 % of 1"


def test_nothing_is_sent_to_a_paid_learner_before_a_yes(script, server, capsys):
    assert script.main(["--learner", "model"]) == 2
    sessions = sum(len(story.sittings) for story in STORIES)
    assert f"model will be sent {sessions} sessions of {len(STORIES)} stories" in capsys.readouterr().out
    assert server.asked == []


def test_a_model_is_told_the_same_story_and_gets_the_same_columns(script, server, capsys):
    """One that learns nothing: every rule is missed, and nothing leaks."""
    assert script.main(["--learner", "model", "--yes", "--only", STORY]) == 0
    row = row_of(capsys.readouterr().out, "model")
    assert row[0] == f"`model` ({server.model})"
    assert row[script.HEADINGS.index("rules recalled")] == "0 % of 2"
    assert row[script.HEADINGS.index("leaks to other projects")].startswith("0 of ")
    assert len(server.asked) == 2
    assert "indent" in server.asked[0].text + server.asked[1].text


def test_a_story_that_does_not_come_to_its_end_is_named_and_nothing_is_written(script, server, tmp_path, capsys):
    server.replies = [Reply(status=400, message="no")] * 9
    page = tmp_path / "page.md"
    page.write_text(f"{script._BEGIN}\n{script._END}\n", encoding="utf-8")
    script.STORIES = [story for story in STORIES if story.name == STORY]
    before = page.read_text(encoding="utf-8")
    assert script.main(["--learner", "model", "--yes", "--write", str(page)]) == 1
    assert f"did not come to its end: {STORY}: 2 sessions were not learned" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8") == before


def test_a_row_replaces_the_former_one_of_its_learner_only(script):
    other = ("`model` (a:b)", *["1"] * (len(script.HEADINGS) - 1))
    page = f"Above.\n{script._BEGIN}\n{script._END}\nBelow.\n"
    page = script.write_into(page, other)
    for figure in ("2", "3"):
        page = script.write_into(page, ("`extractive`", *[figure] * (len(script.HEADINGS) - 1)))
    lines = page.splitlines()
    assert lines[0] == "Above."
    assert lines[-1] == "Below."
    assert [line[:9] for line in lines if line.startswith("| `")] == ["| `extrac", "| `model`"]
    assert "| 3 |" in page
    assert "| 2 |" not in page


def test_a_page_without_a_place_for_the_table_is_refused(script):
    with pytest.raises(ValueError, match="lacks the lines"):
        script.write_into("Nothing.\n", ("`extractive`",))


def test_a_part_of_the_stories_is_not_quoted(script):
    with pytest.raises(SystemExit):
        script.main(["--only", STORY, "--write", "README.md"])
