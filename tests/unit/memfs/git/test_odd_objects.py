import os

import pytest

from support.memfs import create, page, put
from vademecum.errors import StorageError
from vademecum.locks import Locks
from vademecum.memfs import Repository

ODDITIES = {
    "a named pipe": os.mkfifo,
    "a link": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.fixture
def memory(tmp_path):
    made = create(tmp_path)
    put(made, a=page("one"))
    return made


def reopen(memory):
    return Repository.open(memory.folder, locks=Locks(memory.folder.parent / "locks"))


@pytest.mark.parametrize("oddity", ODDITIES)
@pytest.mark.parametrize("part", ["a loose object", "a pack"])
def test_what_stands_in_the_place_of_an_object_is_told_in_place_of_being_waited_for(memory, oddity, part):
    head = memory.head()
    names = {"a loose object": f"{head[:2]}/{head[2:]}", "a pack": "pack/pack-1.idx"}
    file = memory.folder / ".git/objects" / names[part]
    file.unlink(missing_ok=True)
    ODDITIES[oddity](file)
    with pytest.raises(StorageError, match=r"is damaged: .* no regular file") as refused:
        reopen(memory)
    assert refused.value.next_step.startswith(f"Delete {file}")


def test_an_object_is_looked_at_again_when_it_was_replaced(memory):
    reopen(memory)
    head = memory.head()
    file = memory.folder / ".git/objects" / head[:2] / head[2:]
    data = file.read_bytes()
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(StorageError):
        reopen(memory)
    file.unlink()
    file.write_bytes(data)
    assert reopen(memory).head() == head
