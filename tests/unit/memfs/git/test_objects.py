import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.memfs.git.objects import blob_at, changes_between, list_files, merge_lines, updated_tree
from vademecum.memfs.records import ChangeKind


@pytest.fixture(scope="module")
def git(tmp_path_factory):
    return pygit2.init_repository(tmp_path_factory.mktemp("objects"), bare=True)


PATHS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")
EDITS = st.dictionaries(PATHS, st.one_of(st.none(), st.sampled_from([b"1", b"2"])), max_size=5)


@given(st.lists(EDITS, min_size=1, max_size=5))
@settings(max_examples=80)
def test_a_tree_edited_step_by_step_holds_what_a_plain_mapping_would(git, steps):
    """core-29.2 I8"""
    model, tree = {}, None
    for edits in steps:
        before, model = model, {path: data for path, data in {**model, **edits}.items() if data is not None}
        blobs = {path: None if data is None else git.create_blob(data) for path, data in edits.items()}
        previous, tree = tree, updated_tree(git, tree, blobs)
        files = list_files(git, tree)
        assert list(files) == sorted(model)
        assert {path: git[blob].data for path, blob in files.items()} == model
        kinds = {change.path: change.kind for change in changes_between(git, previous, tree)}
        assert kinds == expected_changes(before, model)


def expected_changes(before, after):
    kinds = {}
    for path in before.keys() | after.keys():
        if before.get(path) != after.get(path):
            added, deleted = path not in before, path not in after
            kinds[path] = ChangeKind.ADDED if added else ChangeKind.DELETED if deleted else ChangeKind.MODIFIED
    return kinds


def test_only_regular_files_are_found_at_a_path(git):
    blob = git.create_blob(b"x")
    builder = git.TreeBuilder(updated_tree(git, None, {"a/b.md": blob}))
    builder.insert("link.md", blob, pygit2.enums.FileMode.LINK)
    tree = git[builder.write()]
    assert blob_at(tree, "a/b.md") == blob
    assert [blob_at(tree, path) for path in ("a", "link.md", "none.md", "a/b.md/c.md")] == [None] * 4
    assert blob_at(None, "a/b.md") is None
    assert list(list_files(git, tree.id)) == ["a/b.md"]


def test_links_that_stand_beside_an_edit_stay(git):
    blob = git.create_blob(b"x")
    builder = git.TreeBuilder()
    builder.insert("link.md", blob, pygit2.enums.FileMode.LINK)
    tree = git[updated_tree(git, builder.write(), {"a.md": blob})]
    assert tree["link.md"].filemode == pygit2.enums.FileMode.LINK


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        ("A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        ("A\nb\nc\n", "X\nb\nc\n", None),
        ("a\nb\nc\nü\n", "é\na\nb\nc\n", "é\na\nb\nc\nü\n"),
        ("A\0\nb\nc\n", "a\nb\nC\n", None),
    ],
)
def test_lines_are_merged_unless_both_sides_changed_them(git, ours, theirs, merged):
    result = merge_lines(git, b"a\nb\nc\n", ours.encode(), theirs.encode())
    assert result == (None if merged is None else merged.encode())
