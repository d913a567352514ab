"""What an agent is shown: none of what a person took out, wherever it still lies."""

import pytest

from support.product import Product, ruled
from support.two_projects import SHOP, SHOP_RULE, TALK, TILL, TILL_RULE, learned_from_both
from vademecum import Memory
from vademecum.errors import NotFound
from vademecum.state import SessionMode

MOST = {"limit": 50, "offset": 0}


@pytest.fixture
def memory(tmp_path):
    return learned_from_both(tmp_path)


def recap_of(memory, cwd):
    (entry,) = [e for e in memory.for_agents.ls("rollout_summaries", **MOST).entries if cwd in e.description]
    return entry.path


def id_of(memory, cwd):
    return next(row.id for row in memory.sessions() if row.cwd == cwd)


def found(memory, words):
    return {(hit.path, hit.session_id) for hit in memory.for_agents.search(words, **MOST).hits}


class TestSwitchedOff:
    @pytest.fixture
    def off(self, memory):
        """Memory, right after a session was switched off: the next pass of learning has not come yet."""
        path, session = recap_of(memory, SHOP), id_of(memory, SHOP)
        memory.switching.switch(session, SessionMode.DISABLED)
        return memory, path, session

    def test_its_recap_is_neither_listed_nor_opened(self, off):
        memory, path, _ = off
        assert memory.tree().has(path)
        assert [entry.path for entry in memory.for_agents.ls("rollout_summaries", **MOST).entries] == [
            recap_of(memory, TILL)
        ]
        with pytest.raises(NotFound):
            memory.for_agents.read(path, offset=1, limit=9)

    def test_it_is_not_found(self, off):
        memory, path, session = off
        for words in ("heron", "walrus", SHOP_RULE, TALK):
            assert not {place for hit in found(memory, words) for place in hit} & {path, session}
        assert memory.for_agents.recaps({session}) == {}

    def test_its_words_do_not_come_out_of_an_explanation(self, off):
        memory, path, session = off
        with pytest.raises(NotFound):
            memory.for_agents.why(path)
        for line in memory.for_agents.why("MEMORY.md").lines:
            assert not [
                item for item in line.spoken if item.said.session == session and (item.words or item.said.quote)
            ]

    def test_neither_does_any_of_it_after_the_database_was_lost(self, off):
        memory, path, session = off
        memory.folder.state.unlink()
        with pytest.raises(NotFound):
            memory.for_agents.read(path, offset=1, limit=9)
        assert not {place for hit in found(memory, "heron") for place in hit} & {path, session}
        assert memory.for_agents.mode(session) is SessionMode.DISABLED

    def test_all_of_it_is_back_when_it_is_switched_on(self, off):
        memory, path, session = off
        memory.switching.switch(session, SessionMode.ENABLED)
        assert memory.for_agents.read(path, offset=1, limit=9).path == path
        assert (None, session) in found(memory, "walrus")


def test_what_was_forgotten_is_gone(memory):
    path, session = recap_of(memory, SHOP), id_of(memory, SHOP)
    memory.forgetting.forget(session)
    with pytest.raises(NotFound):
        memory.for_agents.read(path, offset=1, limit=9)
    assert found(memory, "heron walrus") == set()


class TestRemoved:
    @pytest.fixture
    def cut(self, tmp_path):
        """Memory, after a person took a statement out by hand and learning saw it."""
        product = Product(tmp_path)
        product.tell(ruled("always use pnpm here, never npm", "always lint with ruff here, never flake8"))
        product.learn()
        for name in ("MEMORY.md", "memory_summary.md"):
            file = product.memory / name
            kept = [line for line in file.read_text().split("\n") if not line.startswith("- always use pnpm")]
            file.write_text("\n".join(kept))
        product.call("adopt")
        product.learn()
        assert "always use pnpm here" in product.read("ARCHIVE.md")
        return Memory.open(home=product.home, environ={})

    def test_the_archive_is_a_persons(self, cut):
        assert "ARCHIVE.md" not in [entry.path for entry in cut.for_agents.ls("", **MOST).entries]
        for ask in (
            lambda: cut.for_agents.read("ARCHIVE.md", offset=1, limit=9),
            lambda: cut.for_agents.why("ARCHIVE.md"),
            lambda: cut.for_agents.ls("ARCHIVE.md", **MOST),
        ):
            with pytest.raises(NotFound):
                ask()
        assert "always use pnpm" in cut.read("ARCHIVE.md").content

    def test_what_was_taken_out_is_not_found_in_it(self, cut):
        assert "ARCHIVE.md" not in {path for path, _ in found(cut, "always use pnpm")}
        assert "ARCHIVE.md" in {hit.path for hit in cut.search("always use pnpm", limit=50).hits}

    def test_what_was_taken_out_is_not_explained(self, cut):
        lines = cut.why("always use pnpm").lines
        assert lines
        with pytest.raises(NotFound):
            cut.for_agents.why("always use pnpm")


def test_other_statements_are_explained_in_full(memory):
    (line,) = memory.for_agents.why(TILL_RULE).lines
    assert line.spoken[0].words == TILL_RULE
