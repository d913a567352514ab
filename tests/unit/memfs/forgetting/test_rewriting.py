"""Rewriting history: what changes, and that nothing else does."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.memfs import clock, create, git, page, put
from vademecum.memfs.commits.commit import files_in_history, history_of
from vademecum.memfs.forgetting.rewriting import Rewriter
from vademecum.memfs.git.opening import open_git


def nothing(_data):
    return None


def rewritten(memory, changes, quotes=lambda _message: False):
    """Rewrite what HEAD reaches; gives the rewriter and the new id of HEAD."""
    repository = open_git(memory.folder)
    rewriter = Rewriter(repository, changes, quotes)
    rewriter.rewrite(history_of(repository, [memory.head()]))
    return rewriter, rewriter.commits[memory.head()]


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path, clock=clock())
    put(memory, a=page("a\n"))
    put(memory, subject="secret words", b=page("b\n"))
    put(memory, a=page("a again\n"))
    return memory


def test_a_removed_file_is_in_no_commit_and_the_others_are_as_they_were(memory):
    _, new = rewritten(memory, {"reference/b.md": nothing})
    listed = [git(memory.folder, "ls-tree", "-r", "--name-only", commit).split() for commit in revisions(memory, new)]
    assert all("reference/b.md" not in paths for paths in listed)
    assert git(memory.folder, "show", f"{new}:reference/a.md") == page("a again\n")
    assert git(memory.folder, "diff", "--name-status", "HEAD", new) == "D\treference/b.md\n"


def revisions(memory, new):
    return git(memory.folder, "rev-list", new).split()


def test_commits_before_the_first_change_keep_their_ids(memory):
    old = git(memory.folder, "rev-list", "HEAD").split()
    _, new = rewritten(memory, {"reference/b.md": nothing})
    after = revisions(memory, new)
    assert len(after) == len(old)
    assert after[2:] == old[2:]
    assert not set(after[:2]) & set(old)


def test_what_changes_nothing_gives_the_same_commits(memory):
    rewriter, new = rewritten(memory, {"reference/none.md": nothing, "reference/a.md": lambda data: data})
    assert new == memory.head()
    assert rewriter.removed == set()


def test_author_times_and_trailers_stay(memory):
    _, new = rewritten(memory, {"reference/b.md": nothing})
    shown = "--format=%an %ae %at %cn %ce %ct%n%(trailers)"
    before, after = (git(memory.folder, "log", shown, revision) for revision in ("HEAD", new))
    assert before == after


def test_a_commit_of_which_nothing_is_left_says_nothing_any_more(memory):
    _, new = rewritten(memory, {"reference/b.md": nothing})
    subjects = git(memory.folder, "log", "--format=%s", new).splitlines()
    assert subjects == ["put", "(what this commit said was forgotten)", "put", "Start the memory repository"]


def test_a_message_that_quotes_loses_all_but_its_trailers(memory):
    _, new = rewritten(memory, {}, lambda message: "secret" in message)
    message = git(memory.folder, "log", "-1", "--format=%B", f"{new}~1")
    assert "secret" not in message
    assert "Vade-Writer: memory-tool" in message


def test_ids_of_commits_in_messages_follow(memory):
    wrong = git(memory.folder, "rev-parse", "HEAD~1").strip()
    put(memory, subject=f"take back {wrong}", c=page("c\n"))
    rewriter, new = rewritten(memory, {"reference/b.md": nothing})
    assert git(memory.folder, "log", "-1", "--format=%s", new).strip() == f"take back {rewriter.commits[wrong]}"


def test_a_folder_that_empties_goes_and_a_link_or_submodule_beside_stays(memory):
    (memory.folder / "odd").symlink_to("system")
    git(memory.folder, "add", "odd")
    git(memory.folder, "update-index", "--add", "--cacheinfo", f"160000,{memory.head()},module")
    git(memory.folder, "commit", "-qm", "odd things")
    _, new = rewritten(memory, {"reference/a.md": nothing, "reference/b.md": nothing})
    names = git(memory.folder, "ls-tree", "--name-only", new).split()
    assert "reference" not in names
    assert {"odd", "module"} <= set(names)


def test_a_signature_that_is_no_longer_true_goes(memory):
    repository = open_git(memory.folder)
    raw = repository.read(repository.revparse_single("HEAD").id)[1]
    head, _, message = raw.partition(b"\n\n")
    signed = repository.write(1, head + b"\ngpgsig -----BEGIN\n more\n -----END\n\n" + message)
    rewriter = Rewriter(repository, {"reference/b.md": nothing}, lambda _message: False)
    rewriter.rewrite(history_of(repository, [str(signed)]))
    data = repository.read(repository.revparse_single(rewriter.commits[str(signed)]).id)[1]
    assert b"gpgsig" not in data
    assert b"-----END" not in data
    assert data.endswith(message)


def test_a_merge_keeps_both_of_its_parents(memory):
    git(memory.folder, "switch", "-qc", "side", "HEAD~2")
    (memory.folder / "side.md").write_text("side\n")
    git(memory.folder, "add", "side.md")
    git(memory.folder, "commit", "-qm", "side")
    git(memory.folder, "switch", "-q", "main")
    git(memory.folder, "merge", "-q", "--no-edit", "side")
    _, new = rewritten(memory, {"reference/b.md": nothing})
    assert git(memory.folder, "rev-list", "--parents", "-1", new).count(" ") == 2
    assert git(memory.folder, "diff", "--name-status", "HEAD", new) == "D\treference/b.md\n"


def test_what_went_is_told_by_id(memory):
    blob = git(memory.folder, "rev-parse", "HEAD:reference/b.md").strip()
    old = git(memory.folder, "rev-parse", "HEAD~1:reference/a.md").strip()
    rewriter, _ = rewritten(
        memory, {"reference/b.md": nothing, "reference/a.md": lambda data: data.replace(b"a\n", b"x\n")}
    )
    assert rewriter.removed == {blob, old}


@pytest.mark.slow
@pytest.mark.timeout(60)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    commits=st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), min_size=1), min_size=1, max_size=6),
    gone=st.sets(st.sampled_from("abc")),
)
def test_a_rewritten_history_is_the_history_without_the_files(tmp_path_factory, commits, gone):
    memory = create(tmp_path_factory.mktemp("memory"), clock=clock())
    for number, texts in enumerate(commits):
        put(memory, subject=f"{number}", **{name: page(f"{text}\n") for name, text in texts.items()})
    repository = open_git(memory.folder)
    rewriter = Rewriter(repository, {f"reference/{name}.md": nothing for name in gone}, lambda _message: False)
    rewriter.rewrite(history_of(repository, [memory.head()]))
    for old, new in rewriter.commits.items():
        before, after = (files_in_history(repository, [repository[commit]]) for commit in (old, new))
        assert after == {path: blobs for path, blobs in before.items() if path[len("reference/") : -3] not in gone}
        assert (old == new) == (not any(history_holds(repository, old, gone)))
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""


def history_holds(repository, commit, names):
    paths = files_in_history(repository, history_of(repository, [commit]))
    return (f"reference/{name}.md" in paths for name in names)
