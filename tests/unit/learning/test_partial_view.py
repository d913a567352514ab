"""A learner that can be shown only a part of the memory works on that part, and the rest stays as it is."""

import pytest

from support.consolidating import record
from support.scripted_learner import ScriptedLearner, bullet, group, summary_of, writing
from vademecum.artifacts import HANDBOOK_PATH
from vademecum.errors import InputTooLarge
from vademecum.learners import tokens_of
from vademecum.learning import ConsolidationStatus, consolidate
from vademecum.learning.partial_view import PartialView
from vademecum.state import ErrorClass

PROJECTS = ("/srv/inn", "/srv/mill", "/srv/shop")


def raw(*rules):
    lines = "\n".join(f"- [t{turn}] rule/project 2026-11-02T09:00:00Z: {rule}" for turn, rule in enumerate(rules, 1))
    return f"---\ndescription: x\n---\n### Task 1: x\n{lines}\n"


def rules_of(project):
    return [f"in {project} step number {number} is always done by hand before noon" for number in range(1, 9)]


def bullets_of(project, session):
    return [bullet(rule, project, f"{session}#t{turn}") for turn, rule in enumerate(rules_of(project), 1)]


#: Room for one group of a project and a rule more beside the summary, and not for two.
ROOM = int(tokens_of(group(PROJECTS[2], preferences=bullets_of(PROJECTS[2], "old-2"))) * 1.5) + tokens_of(summary_of())


@pytest.fixture
def groups(stage, state):
    """Three projects stand in the handbook: project -> its group."""
    made = {}
    for number, project in enumerate(PROJECTS):
        state.records.upsert(record(f"old-{number}", project=project, cwd=project, raw_memory=raw(*rules_of(project))))
        made[project] = group(project, preferences=bullets_of(project, f"old-{number}"))
    write = writing("\n".join(made.values()), summary_of())
    assert consolidate(stage, ScriptedLearner(write=write)).status is ConsolidationStatus.LANDED
    return made


@pytest.fixture
def says(state):
    """A new session of a project."""

    def say(session, project):
        state.records.upsert(record(session, project=project, cwd=project, raw_memory=raw("always lock the door")))

    return say


def adding(session, project, seen):
    """Add the new rule to what the draft shows of a project."""

    def write(task, draft):
        shown = (draft.folder / HANDBOOK_PATH).read_text("utf-8")
        seen.append((shown, task.prompt.data))
        line = bullet("always lock the door", project, f"{session}#t1")
        draft.write(HANDBOOK_PATH, shown.replace("## User preferences\n", f"## User preferences\n{line}\n", 1))

    return write


def test_groups_that_nothing_new_concerns_are_named_only_and_come_back_as_they_were(stage, memory, groups, says):
    says("new", "/srv/mill")
    seen = []
    outcome = consolidate(stage, ScriptedLearner(write=adding("new", "/srv/mill", seen), files_tokens=ROOM))
    assert outcome.status is ConsolidationStatus.LANDED, outcome.reason
    [(shown, prompt)] = seen
    assert groups["/srv/mill"].strip() in shown
    assert "/srv/inn" not in shown
    assert "# Groups that are not shown\n\n- /srv/inn\n- /srv/shop\n" in prompt
    assert "in /srv/inn step" not in prompt
    handbook = memory.tree().read(HANDBOOK_PATH)
    assert groups["/srv/inn"].strip() in handbook
    assert groups["/srv/shop"].strip() in handbook
    assert "always lock the door <!-- vade:" in handbook


def test_what_does_not_fit_together_is_taken_in_one_run_after_the_other(stage, state, memory, groups, says):
    says("first", "/srv/inn")
    says("other", "/srv/shop")
    seen = []
    for session, project, waiting in (("first", "/srv/inn", 1), ("other", "/srv/shop", 0)):
        learner = ScriptedLearner(write=adding(session, project, seen), files_tokens=ROOM)
        outcome = consolidate(stage, learner)
        assert outcome.status is ConsolidationStatus.LANDED, outcome.reason
        assert state.records.count_unconsolidated() == waiting
    assert memory.tree().read(HANDBOOK_PATH).count("always lock the door") == 2
    assert [("/srv/inn" in shown, "/srv/shop" in shown) for shown, _ in seen] == [(True, False), (False, True)]


def test_a_group_of_a_name_that_was_not_shown_is_not_taken(stage, memory, groups, says):
    says("new", "/srv/mill")

    def write(_task, draft):
        draft.write(HANDBOOK_PATH, groups["/srv/inn"])

    outcome = consolidate(stage, ScriptedLearner(write=write, files_tokens=ROOM))
    assert outcome.status is ConsolidationStatus.INVALID
    assert "/srv/inn was not shown" in outcome.reason
    assert groups["/srv/inn"].strip() in memory.tree().read(HANDBOOK_PATH)


def test_that_nothing_has_to_change_may_be_said_of_a_part(stage, state, memory, groups, says):
    says("new", "/srv/mill")
    before = memory.tree().read(HANDBOOK_PATH)
    learner = ScriptedLearner(write=lambda *_: '{"verdict": "nothing_to_say"}', files_tokens=ROOM)
    assert consolidate(stage, learner).status is not ConsolidationStatus.FAILED
    assert memory.tree().read(HANDBOOK_PATH) == before
    assert state.records.count_unconsolidated() == 0


def test_a_group_that_is_too_large_by_itself_is_told_with_what_to_do(stage, state, groups, says):
    says("new", "/srv/mill")
    learner = ScriptedLearner(files_tokens=100)
    outcome = consolidate(stage, learner)
    assert outcome.status is ConsolidationStatus.FAILED
    assert "/srv/mill" in outcome.reason
    assert "vade config set memories.learner" in outcome.next_step
    assert learner.prompts == []
    assert state.records.count_unconsolidated() == 1
    assert state.runs.list()[0].detail["class"] == ErrorClass.OVERFLOW


class TestTheView:
    """Which groups are shown."""

    HANDBOOK = "\n".join(
        f"# Task Group: {name}\n{line}\n" + "words of this group\n" * 20
        for name, line in (
            ("/a", "- a rule <!-- vade:0123456789 s9#t1 -->"),
            ("/b", "- rollout_summaries/gone.md (cwd=/b)"),
            ("/c", "x"),
            ("everywhere", "x"),
        )
    )

    def view(self, room):
        return PartialView({HANDBOOK_PATH: self.HANDBOOK}, room, lambda path: not path.endswith("gone.md"))

    def test_all_of_it_where_there_is_room_or_the_learner_opens_files(self):
        for room in (0, tokens_of(self.HANDBOOK)):
            view = self.view(room)
            assert view.batch_of([record(project="/c")]) == [record(project="/c")]
            assert view.hidden == ()

    def test_always_what_holds_everywhere_and_what_has_to_be_mended(self):
        view = self.view(tokens_of(self.HANDBOOK) - 1)
        view.batch_of([record(project="/c")])
        assert view.hidden == ("/a",)

    def test_groups_that_rest_on_the_session_too(self):
        view = self.view(tokens_of(self.HANDBOOK) - 1)
        view.batch_of([record("s9", project="/new")])
        assert view.hidden == ("/c",)

    def test_nothing_that_is_larger_than_the_room(self):
        view = self.view(10)
        view.batch_of([record(project="/c")])
        with pytest.raises(InputTooLarge, match="everywhere, /b, /c"):
            view.shown("scripted")
