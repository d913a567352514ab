"""Every line of memory leads to the commit that it came by."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.memfs import FAKE_SECRET, clock, create, git, page, put
from vademecum.errors import FrontMatterInvalid, NotFound, UnsafePath
from vademecum.memfs import blame

A = "reference/a.md"


@pytest.fixture
def repository(tmp_path):
    return create(tmp_path, clock=clock())


def origins(repository, path=A):
    """The body's lines with the subject of their commit; None: not committed."""
    lines = blame(repository, path)
    return [(line.line, line.text, line.commit and line.commit.subject) for line in lines][3:]


def test_each_line_has_its_commit_and_its_number(repository):
    put(repository, "first", a=page("1\n2\n3\n"))
    put(repository, "second", a=page("1\nzwei\n3\n4\n"))
    assert origins(repository) == [(4, "1", "first"), (5, "zwei", "second"), (6, "3", "first"), (7, "4", "second")]


def test_lines_that_nobody_committed_are_named_so(repository):
    put(repository, "first", a=page("1\n2\n3\n"))
    (repository.folder / A).write_text(page("0\n1\n3\nfour"))
    assert origins(repository) == [(4, "0", None), (5, "1", "first"), (6, "3", "first"), (7, "four", None)]


def test_a_file_that_nobody_committed_is_all_a_hand_edit(repository):
    (repository.folder / "reference").mkdir()
    (repository.folder / A).write_text(page("1\n"))
    assert origins(repository) == [(4, "1", None)]


def test_a_file_that_a_person_deleted_is_shown_as_it_was_committed(repository):
    put(repository, "first", a=page("1\n"))
    (repository.folder / A).unlink()
    assert origins(repository) == [(4, "1", "first")]


def test_a_renamed_file_keeps_the_commits_of_its_lines(repository):
    put(repository, "first", a=page("1\n2\n3\n4\n"))
    put(repository, "rename", a=None, b=page("1\n2\n3\n4\n"))
    assert {subject for _, _, subject in origins(repository, "reference/b.md")} == {"first"}


def test_secrets_are_masked_and_lines_keep_their_numbers(repository):
    put(repository, "first", a=page("1\n2\n"))
    (repository.folder / A).write_text(page(f"1\n{FAKE_SECRET}\n2\n"))
    git(repository.folder, "commit", "--quiet", "--all", "--message", f"by hand {FAKE_SECRET}")
    found = origins(repository)
    assert FAKE_SECRET not in str(found)
    assert [line for line, _, _ in found] == [4, 5, 6]
    assert found[1][1].startswith("[secret:")


def test_an_empty_file_has_no_lines(repository):
    (repository.folder / "notes.md").write_text("")
    assert blame(repository, "notes.md") == []


def test_what_is_not_there_is_an_error(repository):
    with pytest.raises(NotFound):
        blame(repository, A)


def test_what_is_no_text_is_an_error_that_names_the_byte(repository):
    (repository.folder / "notes.md").write_bytes(b"caf\xe9\n")
    with pytest.raises(FrontMatterInvalid, match="0xe9"):
        blame(repository, "notes.md")


def test_a_link_is_not_followed(repository, tmp_path):
    (tmp_path / "outside.md").write_text("secret\n")
    (repository.folder / "notes.md").symlink_to(tmp_path / "outside.md")
    with pytest.raises(UnsafePath):
        blame(repository, "notes.md")


BODIES = st.lists(st.sampled_from(["a", "b", "", "c"]), max_size=6).map("\n".join)


@pytest.mark.slow
@pytest.mark.timeout(60)
@given(st.lists(BODIES, min_size=1, max_size=4), BODIES)
@settings(max_examples=50, deadline=None)
def test_every_line_is_there_once_and_its_commit_had_it(tmp_path_factory, bodies, hand):
    repository = create(tmp_path_factory.mktemp("blame"), clock=clock())
    for number, body in enumerate(bodies):
        put(repository, f"{number}", a=page(body))
    (repository.folder / A).write_text(page(hand))
    lines = blame(repository, A)
    assert [line.text for line in lines] == page(hand).removesuffix("\n").split("\n")
    for line in lines:
        assert line.commit is None or line.text in repository.tree(line.commit.id).read(A).split("\n")
