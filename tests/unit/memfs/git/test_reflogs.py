"""Reading git's own histories of a reference."""

from support.memfs import create, git, page, put
from vademecum.memfs.git.opening import open_git
from vademecum.memfs.git.reflogs import OWN_REFLOGS, reflog_commits


def test_a_reflog_names_only_commits_that_are_there(tmp_path):
    memory = create(tmp_path)
    file = memory.folder / ".git/logs/HEAD"
    file.write_text(file.read_text() + f"{'1' * 40} {'2' * 40} x <y> 1 +0000\tlost\nno line of a reflog\n")
    commits = reflog_commits(open_git(memory.folder), file)
    assert set(commits) == set(git(memory.folder, "rev-list", "HEAD").split())
    assert reflog_commits(open_git(memory.folder), file.with_name("none")) == ()


def test_every_commit_of_ours_is_told_with_its_subject_as_git_tells_it(tmp_path):
    memory = create(tmp_path)
    put(memory, subject="Keep a page", a=page("a\n"))
    for name in OWN_REFLOGS:
        told = git(memory.folder, "reflog", "show", "--format=%H %gs", name).splitlines()
        assert told[0] == f"{memory.head()} commit: Keep a page"
        assert len(told) == 2
