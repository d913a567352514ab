from pathlib import Path

import pytest

from support.memfs import create, page
from vademecum.errors import NotFound, UnsafePath, UsageError
from vademecum.memfs import Provenance, Writer
from vademecum.memfs.operations.reading import MAX_READ_BYTES, list_folder, read_lines

PATH = "reference/x.md"
ROOT = Path("/srv/memory")


@pytest.fixture
def tree(tmp_path):
    def build(body):
        memory = create(tmp_path)
        memory.commit({PATH: page(body)}, subject="x", provenance=Provenance(writer=Writer.USER))
        return memory.tree()

    return build


def read(tree, offset=1, limit=400):
    return read_lines(tree, ROOT, PATH, offset=offset, limit=limit)


class TestReadLines:
    def test_numbers_are_file_lines_header_included(self, tree):
        """All line numbers everywhere are file lines."""
        found = read(tree("one\ntwo\n"), offset=4)
        assert (found.content, found.start_line, found.total_lines, found.truncated) == ("one\ntwo", 4, 5, False)

    def test_portions_put_together_are_the_file(self, tree):
        whole = tree("".join(f"line {n}\n" for n in range(97)))
        parts = [read(whole, offset, 10) for offset in range(1, 101, 10)]
        assert "\n".join(part.content for part in parts) + "\n" == whole.read(PATH)
        assert [part.truncated for part in parts] == [True] * 9 + [False]

    def test_a_huge_line_does_not_flood_a_context_and_is_said_to_be_cut(self, tree):
        found = read(tree("用" * MAX_READ_BYTES + "\n"))
        assert len(found.content.encode()) <= MAX_READ_BYTES
        assert found.truncated
        assert "\ufffd" not in found.content

    @pytest.mark.parametrize("offset", [6, 10_000])
    def test_a_line_past_the_end_is_refused_with_the_lines_there_are(self, tree, offset):
        with pytest.raises(UsageError) as caught:
            read(tree("one\ntwo\n"), offset)
        assert "5" in caught.value.next_step

    def test_a_path_outside_is_refused_and_an_absent_one_is_said(self, tree):
        whole = tree("x\n")
        with pytest.raises(UnsafePath):
            read_lines(whole, ROOT, "../state.db", offset=1, limit=1)
        with pytest.raises(NotFound):
            read_lines(whole, ROOT, "reference/gone.md", offset=1, limit=1)


class TestListFolder:
    def test_folders_come_first_and_end_with_a_slash(self, tree):
        names = [entry.path for entry in list_folder(tree("x\n"), ROOT, "")]
        assert names == sorted(names)
        assert "reference/" in names
        assert all(name.endswith("/") for name in names[: names.index("system/") + 1])

    @pytest.mark.parametrize(
        "path", ["reference", "reference/", "./reference", "/srv/memory/reference/", "memory/reference"]
    )
    def test_entries_are_named_from_the_root_with_their_size(self, tree, path):
        (entry,) = list_folder(tree("x\n"), ROOT, path)
        assert (entry.path, entry.size_bytes) == (PATH, len(page("x\n").encode()))

    def test_a_folder_that_is_not_there_is_said(self, tree):
        with pytest.raises(NotFound):
            list_folder(tree("x\n"), ROOT, "ref")
