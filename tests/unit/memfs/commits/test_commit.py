"""Commits of a person's are read whatever stands in them."""

import pytest

from support.memfs import create, git
from vademecum.memfs.commits.commit import describe
from vademecum.memfs.git.opening import open_git


@pytest.mark.parametrize(("seconds", "year"), [(10**14, 9999), (2**62, 9999)])
def test_a_date_that_no_calendar_knows_becomes_the_nearest(tmp_path, seconds, year):
    memory = create(tmp_path)
    raw = git(memory.folder, "cat-file", "commit", "HEAD").split("\n")
    people = ("author ", "committer ")
    lines = [f"{line.split('> ')[0]}> {seconds} +0000" if line.startswith(people) else line for line in raw]
    (tmp_path / "commit").write_text("\n".join(lines))
    made = git(memory.folder, "hash-object", "-t", "commit", "-w", "--literally", str(tmp_path / "commit")).strip()
    repository = open_git(memory.folder)
    commit = describe(repository, repository[made])
    assert commit.at.astimezone().year == year
