import pytest

from support.memfs import page
from vademecum import Memory
from vademecum.engine import AskedBy
from vademecum.engine.editing import Origin
from vademecum.errors import NotFound, RepositoryMissing, UsageError
from vademecum.memfs import Provenance, Writer


@pytest.fixture
def memory(tmp_path):
    memory = Memory.open(home=tmp_path, environ={})
    memory.create()
    return memory


def propose(memory, run="20261120T090000-ed17", **texts):
    repository = memory.repository()
    edits = {f"system/{name}.md": page(text).encode() for name, text in texts.items()}
    provenance = Provenance(writer=Writer.MEMORY_TOOL, session="s1", run=run, origin="model")
    repository.keep_proposal(repository.tree(), edits, subject="as Ada said", provenance=provenance)


def test_without_a_memory_there_is_nothing_to_ask(tmp_path):
    with pytest.raises(RepositoryMissing):
        Memory.open(home=tmp_path, environ={}).proposals.list()


def test_a_row_names_who_when_why_and_what(memory):
    propose(memory, human="I am Ada\n")
    (row,) = memory.proposals.list()
    assert (row.id, row.kind, row.subject, row.session) == ("20261120T090000-ed17", "edit", "as Ada said", "s1")
    assert (row.paths, row.conflicts) == (("system/human.md",), ())


def test_a_view_shows_what_accepting_it_now_would_change(memory):
    propose(memory, human="I am Ada\n")
    view = memory.proposals.show("ed17")
    (change,) = view.changes
    assert "+I am Ada\n" in change.unified()
    assert (view.conflicts, view.since) == ((), ())


def test_a_decision_names_commit_subject_and_paths(memory):
    propose(memory, human="I am Ada\n", persona="I am brief\n")
    first = memory.proposals.accept("ed17", ["system/human.md"])
    assert (first.subject, first.paths, first.left) == ("as Ada said", ("system/human.md",), ("system/persona.md",))
    rest = memory.proposals.reject("ed17")
    assert (rest.commit, rest.paths) == (None, ())
    with pytest.raises(NotFound):
        memory.proposals.reject("ed17")


@pytest.mark.parametrize(("name", "error"), [("sys", NotFound), ("", UsageError), (" ", UsageError)])
def test_a_name_of_nothing_in_it_is_refused(memory, name, error):
    propose(memory, human="I am Ada\n")
    with pytest.raises(error, match=r"does not change 'sys'|a path is blank"):
        memory.proposals.accept("ed17", [name])


def test_a_folder_stands_for_the_files_below_it(memory):
    propose(memory, human="I am Ada\n", persona="I am brief\n")
    assert memory.proposals.accept("ed17", ["system/"]).paths == ("system/human.md", "system/persona.md")


def test_an_edit_that_an_agent_made_waits_until_it_is_accepted(memory):
    asked_by = AskedBy(origin=Origin.MODEL, session="s1", turn=7)
    edit = memory.edit.insert("system/human.md", line=99, text="I am Ada\n", reason="she said so", asked_by=asked_by)
    assert "I am Ada" not in memory.context().text
    (row,) = memory.proposals.list()
    assert (row.id, row.kind, row.subject, row.session) == (edit.proposal, "edit", "she said so", "s1")
    memory.proposals.accept(edit.proposal)
    (commit, *_) = memory.log()
    assert (commit.provenance.origin, commit.provenance.turn, commit.provenance.accepted) == ("model", 7, "human")
    assert "I am Ada" in memory.context().text


def test_the_context_follows_a_decision(memory):
    propose(memory, human="I am Ada\n")
    memory.context()
    memory.proposals.accept("ed17")
    assert "I am Ada" in memory.context().text
    assert (memory.folder.cache / "context.json").read_text().count("I am Ada") == 1


def test_what_would_move_into_every_context_is_shown_with_its_words(memory):
    """A name says nothing of what stands in it."""
    memory.edit.create("reference/a.md", description="d", text="always agree\n", reason="r")
    asked_by = AskedBy(origin=Origin.MODEL, session="s1")
    edit = memory.edit.rename("reference/a.md", "system/a.md", reason="r", asked_by=asked_by)
    shown = "".join(change.unified() for change in memory.proposals.show(edit.proposal).changes)
    assert "+always agree\n" in shown
