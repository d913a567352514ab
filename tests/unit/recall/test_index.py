import sqlite3
import stat
from importlib import import_module
from pathlib import Path

import pytest

from vademecum.errors import DatabaseBroken, FrontMatterInvalid
from vademecum.recall.index import SearchIndex
from vademecum.recall.search import search

index_module = import_module("vademecum.recall.index")


def found(index: SearchIndex, query: str) -> list[str | None]:
    return [hit.path or hit.session_id for hit in search(index, query).hits]


def test_files_of_the_revision_are_found_and_no_others(index: SearchIndex, tree):
    index.sync_memory(tree({"a.md": "apples", "b.md": "bananas"}))
    assert found(index, "apples") == ["a.md"]
    index.sync_memory(tree({"b.md": "cherries"}))
    assert found(index, "apples") == []
    assert found(index, "bananas") == []
    assert found(index, "cherries") == ["b.md"]


def test_only_changed_files_are_read(index: SearchIndex, tree):
    index.sync_memory(tree({"a.md": "apples", "b.md": "bananas"}))
    later = tree({"a.md": "apples", "b.md": "berries", "c.md": "cherries"})
    assert index.sync_memory(later) == 2
    assert later.reads == ["b.md", "c.md"]


def test_the_same_revision_again_reads_nothing(index: SearchIndex, tree):
    same = tree({"a.md": "apples"})
    index.sync_memory(same)
    same.reads.clear()
    assert index.sync_memory(same) == 0
    assert same.reads == []


def test_only_markdown_is_memory(index: SearchIndex, tree):
    index.sync_memory(tree({"scope.json": '{"apples": 1}', "a.md": "bananas"}))
    assert found(index, "apples") == []


def test_a_file_that_is_no_text_does_not_end_the_search(index: SearchIndex, tree):
    memory = tree({"a.md": "apples", "b.md": ""})

    def read(path: str) -> str:
        if path == "b.md":
            raise FrontMatterInvalid("b.md is no UTF-8 text")
        return memory.files[path]

    memory.read = read
    index.sync_memory(memory)
    assert found(index, "apples") == ["a.md"]


def test_a_sync_that_fails_leaves_the_revision_before(index: SearchIndex, tree):
    index.sync_memory(tree({"a.md": "apples"}))
    before = index.revision
    broken = tree({"a.md": "bananas", "b.md": "cherries"})
    broken.read = lambda _path: 1 / 0
    with pytest.raises(ZeroDivisionError):
        index.sync_memory(broken)
    assert index.revision == before
    assert found(index, "apples") == ["a.md"]


def test_a_session_is_indexed_once_per_version(index: SearchIndex, talk):
    assert index.sync_sessions([talk("s1", "apples"), talk("s2", "bananas")]) == 2
    assert index.sync_sessions([talk("s1", "apples"), talk("s2", "bananas")]) == 0
    assert index.sync_sessions([talk("s1", "cherries", day=1)]) == 1
    assert found(index, "apples") == []
    assert found(index, "cherries") == ["s1"]


def test_an_older_version_of_a_session_never_replaces_a_newer(index: SearchIndex, talk):
    index.sync_sessions([talk("s1", "apples", day=2)])
    assert index.sync_sessions([talk("s1", "bananas", day=1)]) == 0
    assert found(index, "apples") == ["s1"]


def test_a_session_that_learning_must_leave_alone_is_taken_out(index: SearchIndex, talk):
    index.sync_sessions([talk("s1", "apples")])
    index.sync_sessions([talk("s1", "apples", exclusion="mode_off")])
    assert found(index, "apples") == []


def test_the_file_is_not_locked_for_the_whole_of_a_long_filling(index: SearchIndex, talk, tmp_path: Path, monkeypatch):
    """user-U08: one transaction over all transcripts would keep every other writer out."""
    monkeypatch.setattr(index_module, "_BATCH_PASSAGES", 2)
    free: list[bool] = []

    def sessions():
        for number in range(6):
            other = sqlite3.connect(tmp_path / "search.db", timeout=0, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
            other.close()
            free.append(True)
            yield talk(f"s{number}", "apples", "bananas")

    assert index.sync_sessions(sessions()) == 6
    assert len(free) == 6


def test_what_is_forgotten_is_gone_from_the_disk(index: SearchIndex, talk, tree, tmp_path: Path):
    index.sync_sessions([talk("s1", "the xylophonist's secret"), talk("s2", "apples")])
    index.sync_memory(tree({"rollout_summaries/r.md": "---\nsession_id: s1\n---\nabout the xylophonist\n"}))
    index.forget("s1")
    assert found(index, "xylophonist") == []
    assert found(index, "apples") == ["s2"]
    assert not any(b"xylophonist" in entry.read_bytes() for entry in tmp_path.iterdir())


def test_several_are_forgotten_at_once(index: SearchIndex, talk, tree, tmp_path: Path):
    index.sync_sessions([talk("s1", "the xylophonist's secret"), talk("s2", "apples")])
    index.sync_memory(tree({"a.md": "xylophonist", "b.md": "apples"}))
    index.forget("a.md", "s1", "never-heard-of")
    assert found(index, "xylophonist") == []
    assert set(found(index, "apples")) == {"s2", "b.md"}


def test_a_compacted_index_keeps_no_word_that_cannot_be_found(index: SearchIndex, tree, tmp_path: Path):
    index.sync_memory(tree({"a.md": "xylophonist", "b.md": "apples"}))
    index.sync_memory(tree({"a.md": "pears", "b.md": "apples"}))
    index.compact()
    assert not any(b"xylophonist" in entry.read_bytes() for entry in tmp_path.iterdir())
    assert found(index, "apples") == ["b.md"]


def test_what_was_said_in_sessions_is_told_with_whose_it_is(index: SearchIndex, talk, tree):
    index.sync_memory(tree({"a.md": "pears"}))
    index.sync_sessions([talk("s1", "cherries"), talk("s2", "apples")])
    assert [(name, "cherries" in text) for name, text in index.session_texts()] == [("s1", True), ("s2", False)]


def test_a_forgotten_file_is_gone_from_the_disk(index: SearchIndex, tree, tmp_path: Path):
    index.sync_memory(tree({"a.md": "xylophonist", "b.md": "apples"}))
    index.forget("a.md")
    assert not any(b"xylophonist" in entry.read_bytes() for entry in tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"garbage " * 1000, b"", b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_file_that_cannot_be_read_starts_empty(tmp_path: Path, tree, content: bytes):
    (tmp_path / "search.db").write_bytes(content)
    with SearchIndex.open(tmp_path / "search.db") as index:
        assert index.revision is None
        index.sync_memory(tree({"a.md": "apples"}))
        assert found(index, "apples") == ["a.md"]


def test_an_index_of_another_format_starts_empty(tmp_path: Path, tree, monkeypatch):
    with SearchIndex.open(tmp_path / "search.db") as index:
        index.sync_memory(tree({"a.md": "apples"}))
    monkeypatch.setattr(index_module, "_FORMAT", "another")
    with SearchIndex.open(tmp_path / "search.db") as index:
        assert found(index, "apples") == []
        assert index.revision is None


def test_an_index_of_a_newer_version_starts_empty(tmp_path: Path, tree):
    with SearchIndex.open(tmp_path / "search.db") as index:
        index.sync_memory(tree({"a.md": "apples"}))
        index.database.run("INSERT INTO schema_version VALUES (999, 'from_the_future', 0)")
    with SearchIndex.open(tmp_path / "search.db") as index:
        assert index.revision is None


def test_a_file_damaged_in_its_middle_is_never_worse_than_an_empty_one(tmp_path: Path, talk):
    path = tmp_path / "search.db"
    with SearchIndex.open(path) as index:
        index.sync_sessions([talk(f"s{number}", f"apples {number} " * 50, "bananas") for number in range(200)])
    with path.open("r+b") as file:
        file.seek(20_000)
        file.write(b"\xff" * (path.stat().st_size - 20_000))
    with SearchIndex.open(path) as index:
        index.sync_sessions([talk("s1", "apples")])
        assert found(index, "apples") == ["s1"]


def test_damage_that_shows_in_a_search_is_told_and_mended_by_discarding(tmp_path: Path, talk):
    path = tmp_path / "search.db"
    with SearchIndex.open(path) as index:
        index.sync_sessions([talk("s1", "apples")])
        index.database.run("DELETE FROM words_data WHERE id > 10")
    with SearchIndex.open(path) as index, pytest.raises(DatabaseBroken):
        search(index, "apples")
    SearchIndex.discard(path)
    with SearchIndex.open(path) as index:
        index.sync_sessions([talk("s1", "apples")])
        assert found(index, "apples") == ["s1"]


def test_a_rebuild_gives_what_a_first_filling_gave(index: SearchIndex, tree, talk):
    memory, sessions = tree({"a.md": "apples"}), [talk("s1", "apples too")]
    index.sync_memory(memory)
    index.sync_sessions(sessions)
    before = search(index, "apples")
    index.rebuild(memory, sessions)
    assert search(index, "apples") == before


def test_another_process_finds_what_memory_says_while_the_index_is_filled_anew(
    index: SearchIndex, tree, tmp_path: Path
):
    memory = tree({"a.md": "apples"})
    index.sync_memory(memory)
    seen = []
    with SearchIndex.open(index.database.path) as other:
        read = memory.read
        memory.read = lambda path: (seen.append(found(other, "apples")), read(path))[1]
        index.rebuild(memory, [])
    assert seen == [["a.md"]]
    assert found(index, "apples") == ["a.md"]


def test_two_that_find_a_new_file_at_once_do_not_empty_what_the_other_filled(tree, tmp_path: Path, monkeypatch):
    looked = SearchIndex._mark

    def look_and_lose_the_race(self: SearchIndex, name: str) -> str | None:
        monkeypatch.setattr(SearchIndex, "_mark", looked)
        mark = looked(self, name)
        with SearchIndex.open(tmp_path / "search.db") as faster:
            faster.sync_memory(tree({"a.md": "apples"}))
        return mark

    monkeypatch.setattr(SearchIndex, "_mark", look_and_lose_the_race)
    with SearchIndex.open(tmp_path / "search.db") as slower:
        assert found(slower, "apples") == ["a.md"]


def test_the_file_belongs_to_its_user_alone(index: SearchIndex, tmp_path: Path):
    assert stat.S_IMODE((tmp_path / "search.db").stat().st_mode) == 0o600


def test_an_index_that_is_marked_as_lost_keeps_what_it_has_and_is_filled_by_whoever_has_the_time(
    index: SearchIndex, tree
):
    memory = tree({"a.md": "apples"})
    index.sync_memory(memory)
    index.mark_lost()
    assert index.revision is None
    assert search(index, "apples").total == 1
    assert index.sync_memory(memory) == 0
    assert index.revision == memory.revision


def test_a_sync_that_has_no_time_goes_on_where_it_stopped_and_shows_nothing_old(index: SearchIndex, tree):
    index.sync_memory(tree({"a.md": "apples", "b.md": "apples"}))
    newer = tree({"a.md": "pears", "rollout_summaries/c.md": "plums"})
    assert index.sync_memory(newer, most_seconds=0) == 0
    assert index.revision != newer.revision
    assert search(index, "apples").total == 0
    assert search(index, "pears").total == 0
    assert index.sync_memory(newer, most_seconds=60) == 2
    assert index.revision == newer.revision
    assert search(index, "pears").total == search(index, "plums").total == 1
