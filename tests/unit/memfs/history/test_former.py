"""What was ever in memory."""

import pytest

from support.memfs import create, page, put
from vademecum.memfs import Former, Provenance, Writer
from vademecum.memfs.history.former import paths_ever

GONE = "reference/gone.md"


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, gone=page("basilisk\n"), kept=page("kept\n"))
    put(memory, gone=page("basilisk again\n"))
    memory.keep_proposal(
        memory.tree(),
        {GONE: b"proposed\n", "reference/only.md": b"proposed\n"},
        subject="x",
        provenance=Provenance(writer=Writer.LEARN, run="run-1"),
    )
    memory.commit({GONE: None}, subject="x", provenance=Provenance(writer=Writer.USER))
    return memory


def test_every_version_of_every_file_that_a_reference_of_ours_reaches(memory):
    former = Former(memory)
    assert {GONE, "reference/kept.md", "system/persona.md", "reference/only.md"} <= set(former.paths())
    versions = {page("basilisk\n").encode(), page("basilisk again\n").encode(), b"proposed\n"}
    assert set(former.versions(GONE)) == versions
    assert former.blobs("reference/none.md") == frozenset()


def test_paths_of_main_are_those_that_were_ever_committed_there(memory):
    paths = paths_ever(memory)
    assert {GONE, "reference/kept.md"} <= set(paths)
    assert "reference/only.md" not in paths
