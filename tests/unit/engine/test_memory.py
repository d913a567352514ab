import shutil

import pytest

from support.product import Product, ruled
from vademecum import Memory
from vademecum.engine import LearnRequest
from vademecum.errors import (
    BusyError,
    NotFound,
    RepositoryMissing,
    SecretFound,
    StorageError,
    UnknownIdentity,
    UsageError,
)
from vademecum.recall import SearchIndex
from vademecum.state import SessionMode

FAKE_SECRET = "ghp_" + "a1B2c3D4e" * 4


@pytest.fixture
def product(tmp_path):
    return Product(tmp_path)


@pytest.fixture
def memory(product):
    return Memory.open(home=product.home, environ={})


@pytest.fixture
def request_(product):
    product.tell(ruled("from now on always use pnpm here, never npm"))
    return LearnRequest(sources=(str(product.sessions),), now=True, since_days=None)


class TestOpening:
    def test_nothing_is_made_before_the_first_write(self, product, memory):
        memory.status()
        memory.sessions()
        memory.ledger.runs()
        memory.ledger.usage()
        assert not product.home.exists()

    def test_a_session_that_nobody_knows_is_not_switched_and_nothing_is_made_for_it(self, product, memory):
        """Neither by the question, which a model may ask with a mistyped id, nor by the attempt."""
        for ask in (memory.switching.find, lambda name: memory.switching.switch(name, SessionMode.DISABLED)):
            with pytest.raises(NotFound):
                ask("0199a000-nobody")
        assert not product.home.exists()

    def test_a_session_that_its_host_names_is_switched_in_a_memory_that_is_made_for_it(self, product, memory):
        memory.switching.switch("0199a000-own", SessionMode.DISABLED, is_whole_id=True)
        assert memory.for_agents.mode("0199a000-own") is SessionMode.DISABLED

    def test_reading_what_was_never_written_is_an_error(self, memory):
        for read in (
            memory.context,
            memory.ls,
            memory.log,
            lambda: memory.search("x"),
            lambda: memory.read("MEMORY.md"),
        ):
            with pytest.raises(RepositoryMissing):
                read()

    def test_an_identity_that_must_exist_and_does_not_is_an_error(self, product):
        with pytest.raises(UnknownIdentity):
            Memory.open("work", home=product.home, environ={}, must_exist=True)

    def test_identities_know_nothing_of_each_other(self, product, memory):
        memory.note("mine alone")
        other = Memory.open("work", home=product.home, environ={})
        other.create()
        assert "mine alone" not in other.context().text

    def test_making_it_twice_makes_it_once(self, memory):
        assert (memory.create(), memory.create()) == (True, False)


class TestPythonSurface:
    def test_the_whole_way_in_python(self, memory, request_):
        """The example of the README: open, learn, context, search."""
        report = memory.learn(request_)
        assert report.consolidation.status == "landed"
        assert "pnpm" in memory.context(cwd="/srv/shop").text
        assert memory.search("pnpm").total > 0
        assert memory.status(cwd="/srv/shop").context_tokens == memory.context(cwd="/srv/shop").tokens

    def test_what_was_found_and_every_step_is_told(self, memory, request_):
        told = []
        memory.learn(request_, found=lambda d: told.append(len(d.refs)), progress=lambda _, what: told.append(what))
        assert told == [1, "learned"]

    def test_a_session_can_be_read_again_clean(self, memory, request_):
        memory.learn(request_)
        (row,) = memory.sessions()
        assert "pnpm" in memory.session(row.id).messages[0].text

    def test_a_project_below_a_repository_gets_the_rules_of_the_whole(self, memory, product, tmp_path):
        (tmp_path / "shop" / ".git").mkdir(parents=True)
        (tmp_path / "shop" / "src").mkdir()
        product.tell(ruled("from now on always use pnpm here", cwd=str(tmp_path / "shop" / "src")))
        memory.learn(LearnRequest(sources=(str(product.sessions),), now=True, since_days=None))
        assert "use pnpm" in memory.context(cwd=str(tmp_path / "shop")).text
        assert "use pnpm" not in memory.context(cwd=str(tmp_path / "till")).text


class TestNotes:
    def test_a_note_is_one_commit_of_one_file(self, memory):
        edit = memory.note("call her Ada")
        assert memory.log()[0].id == edit.commit
        assert memory.log()[0].paths == edit.paths
        assert "call her Ada" in memory.context().text

    @pytest.mark.parametrize("text", ["", "  \n", "x" * 4_001, "# Task Group: everywhere"])
    def test_a_note_of_no_words_or_too_many_is_refused(self, memory, product, text):
        with pytest.raises(UsageError):
            memory.note(text)
        assert not product.home.exists()

    def test_a_secret_is_refused_without_being_repeated(self, memory, product):
        with pytest.raises(SecretFound) as caught:
            memory.note(f"the token is {FAKE_SECRET}")
        assert FAKE_SECRET not in str(caught.value)
        assert not product.home.exists()


class TestLostIndex:
    """The search index may be lost at any time; sessions that were learned long ago are found again all the same."""

    @pytest.fixture(params=["damaged", "deleted"])
    def found(self, request, memory, request_):
        memory.learn(request_)
        found = memory.search("pnpm", where="sessions").total
        assert found > 0
        if request.param == "damaged":
            memory.folder.search.write_bytes(b"damaged" * 1000)
        else:
            memory.folder.search.unlink()
        return found

    def test_the_next_search_builds_it_anew(self, memory, found):
        assert memory.search("pnpm", where="sessions").total == found

    def test_a_session_with_nothing_to_keep_is_found_again_too(self, memory, product, request_):
        product.tell(ruled("hello there wombat", label="s2"))
        memory.learn(request_)
        memory.folder.search.unlink()
        assert "wombat" in memory.search("wombat", where="sessions").hits[0].snippet

    def test_learning_in_between_loses_no_session(self, memory, found, product, request_):
        product.tell(ruled("please always indent with tabs", label="s2"))
        memory.learn(request_)
        assert memory.search("pnpm", where="sessions").total == found
        assert memory.search("tabs", where="sessions").total > 0


class TestBrokenStores:
    def test_a_state_that_cannot_be_read_costs_the_index_nothing(self, memory, request_):
        memory.learn(request_)
        memory.search("pnpm")
        before = memory.folder.search.read_bytes()
        memory.folder.state.write_bytes(b"damaged" * 1000)
        assert memory.search("pnpm").total
        assert memory.folder.search.read_bytes() == before

    @pytest.mark.parametrize("failing", ["open", "sync_sessions"])
    def test_an_index_that_takes_nothing_does_not_stop_learning_and_the_next_pass_fills_it(
        self, memory, request_, monkeypatch, failing
    ):
        def fail(*_arguments):
            raise StorageError("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(SearchIndex, failing, fail)
            # A new index is filled when it is opened: that there was one already is the harder case.
            patched.setattr(SearchIndex, "revision", "known")
            report = memory.learn(request_)
        assert (report.extracted, report.consolidation.status) == (1, "landed")
        assert report.skipped == {"not_indexed": 1}
        assert "the disk is full" in report.errors[0]
        memory.learn(request_)
        with SearchIndex.open(memory.folder.search) as index:
            assert index.sync_sessions([memory.session(memory.sessions()[0].id)]) == 0


class TestProject:
    def test_search_finds_what_was_said_below_a_project_by_its_project(self, memory, product, tmp_path):
        """The directory may be gone by the time the index is filled again: the record knows."""
        (tmp_path / "shop" / ".git").mkdir(parents=True)
        (tmp_path / "shop" / "till").mkdir()
        product.tell(ruled("from now on always use pnpm here", cwd=str(tmp_path / "shop" / "till")))
        memory.learn(LearnRequest(sources=(str(product.sessions),), now=True, since_days=None))
        shutil.rmtree(tmp_path / "shop")
        for rebuild in (False, True):
            hits = memory.search("pnpm", rebuild=rebuild).hits
            told = {(hit.kind, hit.project) for hit in hits if hit.session_id}
            assert told == {("memory", str(tmp_path / "shop")), ("session", str(tmp_path / "shop"))}


class TestWhyNothingHappened:
    def test_the_last_pass_is_kept_also_where_it_began_nothing(self, memory, request_):
        assert memory.status().last_pass is None
        memory.learn(request_)
        memory.learn(request_)
        last = memory.status().last_pass
        assert (last.discovered, last.extracted, last.skipped, last.error) == (1, 0, {"unchanged": 1}, None)
        assert len(memory.ledger.runs()) == 2

    def test_an_error_is_kept_with_its_next_step(self, memory, request_, monkeypatch):
        def fail(*_arguments):
            raise BusyError("process 7 holds the memory-write lock")

        memory.learn(request_)
        monkeypatch.setattr("vademecum.engine.identity_pass.consolidate", fail)
        with pytest.raises(BusyError) as caught:
            memory.learn(request_)
        last = memory.status().last_pass
        assert (last.error, last.next_step) == (str(caught.value), caught.value.next_step)

    def test_that_learning_is_switched_off_is_said(self, memory, product):
        off = Memory.open(home=product.home, environ={"VADEMECUM_MEMORIES_GENERATE_MEMORIES": "off"})
        assert any("generate_memories" in warning for warning in off.status().warnings)
        assert not any("generate_memories" in warning for warning in memory.status().warnings)


def test_a_note_with_a_private_part_is_refused_and_nothing_is_written(memory):
    with pytest.raises(UsageError, match="private"):
        memory.note("the address is <private>Elm Street 5</private>")
    assert not memory.folder.exists
