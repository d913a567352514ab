import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.memfs import FAKE_SECRET, clock, create, git, page, put
from vademecum.memfs import ChangeKind, LineKind, diff_edits, diff_trees
from vademecum.memfs.history.diffs import changed_hunks

PATH = "reference/a.md"
LINES = st.lists(st.sampled_from(["", "a", "b", "- c", "+d", "\\ e", "é", "x\x0by", "\u2028"]), max_size=12)
TEXTS = st.builds(lambda lines, ended: "\n".join(lines) + ("\n" if ended and lines else ""), LINES, st.booleans())


@pytest.fixture
def repository(tmp_path):
    return create(tmp_path, clock=clock())


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return create(tmp_path_factory.mktemp("base"), clock=clock()).tree()


def lines_of(text):
    return text.removesuffix("\n").split("\n") if text else []


@given(TEXTS, TEXTS)
@settings(max_examples=100)
def test_every_line_of_a_hunk_stands_at_its_number_in_its_file(base, old, new):
    (made,) = diff_edits(base, {PATH: new.encode()})
    assert [(line.kind, line.new_line, line.text) for hunk in made.hunks for line in hunk.lines] == [
        (LineKind.ADDED, number, text) for number, text in enumerate(lines_of(new), 1)
    ]
    assert (made.added, made.removed) == (len(lines_of(new)), 0)
    rebuilt, done = [], 0
    after = _ended(new)
    for before, now in changed_hunks(old.encode(), new.encode()):
        rebuilt += _ended(old)[done : before.start] + after[now.start : now.stop]
        done = before.stop
    assert "".join(rebuilt + _ended(old)[done:]) == new


def _ended(text):
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def test_the_unified_text_is_a_patch_that_git_applies(repository, tmp_path):
    body = "".join(f"line {number}\n" for number in range(40))
    old = put(repository, a=page(body), b=page())
    new = put(repository, a=page(body.replace("line 3\n", "").replace("line 30\n", "line thirty\nand more")), b=None)
    diffs = diff_trees(repository.tree(old.id), repository.tree(new.id))
    work = tmp_path / "work"
    git(tmp_path, "clone", "--quiet", str(repository.folder), str(work))
    git(work, "reset", "--quiet", "--hard", old.id)
    (tmp_path / "patch").write_text("".join(diff.unified() for diff in diffs))
    git(work, "apply", "--index", str(tmp_path / "patch"))
    assert git(work, "write-tree").strip() == repository.tree(new.id).tree_id


def test_paths_are_sorted_and_each_has_its_kind_and_counts(repository):
    old = put(repository, a=page("1\n2\n"), c=page("gone\n"))
    new = put(repository, a=page("1\nzwei\ndrei\n"), b=page("new\n"), c=None)
    found = diff_trees(repository.tree(old.id), repository.tree(new.id))
    assert [(diff.path[10:-3], diff.kind, diff.added, diff.removed) for diff in found] == [
        ("a", ChangeKind.MODIFIED, 2, 1),
        ("b", ChangeKind.ADDED, 4, 0),
        ("c", ChangeKind.DELETED, 0, 4),
    ]


def test_a_first_state_is_all_new(repository):
    assert {diff.kind for diff in diff_trees(None, repository.tree())} == {ChangeKind.ADDED}


def test_bytes_that_moved_as_they_were_are_a_rename_and_not_two_changes(repository):
    old = put(repository, a=page("1\n"), b=page("2\n"))
    new = put(repository, a=None, b=None, c=page("2\n"), d=page("1\n"))
    found = diff_trees(repository.tree(old.id), repository.tree(new.id))
    assert [(diff.path, diff.renamed_from, diff.hunks) for diff in found] == [
        ("reference/c.md", "reference/b.md", ()),
        ("reference/d.md", "reference/a.md", ()),
    ]
    assert found[0].unified() == "rename from reference/b.md\nrename to reference/c.md\n"


def test_a_secret_that_a_person_committed_is_shown_masked_and_its_line_keeps_its_number(repository):
    file = repository.folder / PATH
    file.parent.mkdir()
    begin, end = (f"-----{word} RSA " + "PRIVATE KEY-----" for word in ("BEGIN", "END"))
    key = "\n".join((begin, *["Zm9vYmFyYmF6Zm9vYmFyYmF6"] * 8, end))
    file.write_text(page(f"token {FAKE_SECRET}\n{key}\nlast\n"))
    git(repository.folder, "add", "--all")
    git(repository.folder, "commit", "--quiet", "--message", "by hand")
    (diff,) = diff_trees(repository.tree("HEAD~1"), repository.tree())
    assert FAKE_SECRET not in diff.unified()
    assert "Zm9vYmFy" not in diff.unified()
    (hunk,) = diff.hunks
    assert hunk.lines[3].text.startswith("token [secret:")
    assert (hunk.lines[-1].text, hunk.lines[-1].new_line) == ("last", 15)


@pytest.mark.parametrize(
    ("data", "reason"), [(b"\xff\xfeh\0i\0", "UTF-16"), (b"caf\xe9\n", "UTF-8"), (b"a\0b\n", "NUL")]
)
def test_what_is_no_text_is_named_and_not_shown(repository, data, reason):
    (diff,) = diff_edits(repository.tree(), {PATH: data})
    assert reason in diff.unshown
    assert diff.hunks == ()
    assert reason in diff.unified()


def test_an_edit_that_changes_nothing_is_no_change(repository):
    tree = repository.tree()
    assert diff_edits(tree, {"system/human.md": tree.read_bytes("system/human.md"), "reference/none.md": None}) == []
