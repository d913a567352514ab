import pytest

from support.memfs import FAKE_SECRET, TOOL, clock, create, git, page, put
from vademecum.errors import NotFound
from vademecum.memfs import ChangeKind, show


@pytest.fixture
def repository(tmp_path):
    return create(tmp_path, clock=clock())


def test_a_commit_is_shown_with_what_it_changed_against_its_first_parent(repository):
    made = put(repository, "Write a page", a=page())
    put(repository, b=page())
    shown = show(repository, "HEAD~1")
    assert shown.commit == made
    assert shown.commit.provenance == TOOL
    assert [(file.path, file.kind) for file in shown.files] == [("reference/a.md", ChangeKind.ADDED)]


def test_the_first_commit_brought_everything(repository):
    assert {file.kind for file in show(repository, "HEAD").files} == {ChangeKind.ADDED}


def test_what_a_person_wrote_below_the_subject_is_shown_masked(repository):
    message = f"use {FAKE_SECRET}\n\nbecause {FAKE_SECRET} works\n"
    git(repository.folder, "commit", "--quiet", "--allow-empty", "--message", message)
    shown = show(repository, "HEAD")
    assert (shown.commit.subject, shown.body) == (
        "use [secret:github-token]",
        "because [secret:github-token] works",
    )
    assert shown.files == ()


def test_a_revision_that_is_not_there_is_an_error(repository):
    with pytest.raises(NotFound):
        show(repository, "nothing")
