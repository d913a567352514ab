"""git's index is only read where libgit2 can read it."""

import hashlib

import pytest

from support.memfs import create, git, page, put
from vademecum.memfs.index import staged_blobs


@pytest.mark.parametrize("version", [0, 1, 5, 9, 2**32 - 1])
def test_one_of_an_unknown_version_counts_as_damaged_and_nothing_is_printed(tmp_path, capfd, version):
    memory = create(tmp_path)
    file = memory.folder / ".git/index"
    body = b"DIRC" + version.to_bytes(4) + file.read_bytes()[8:-20]
    file.write_bytes(body + hashlib.sha1(body).digest())
    assert staged_blobs(file) == {}
    assert put(memory, a=page()) is not None
    assert git(memory.folder, "status", "--porcelain") == ""
    assert capfd.readouterr() == ("", "")
