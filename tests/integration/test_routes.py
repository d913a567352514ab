"""Whose memory a command speaks of, and into whose a session is learned."""

import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from support.compose import Assistant, Human, Script
from support.product import ruled, snapshot
from support.work_trees import link_work_tree, repository
from vademecum.home import Home
from vademecum.names import automatic_name
from vademecum.sessions import LEARNER_MARK
from vademecum.state import State

PNPM, TABS, CARGO = "from now on always use pnpm here", "please always indent with tabs", "always build with cargo here"


@pytest.fixture
def shop(tmp_path):
    return repository(tmp_path / "src" / "shop")


@pytest.fixture
def fix(tmp_path, shop):
    return link_work_tree(tmp_path / "fix", shop)


@pytest.fixture
def till(tmp_path):
    return repository(tmp_path / "src" / "till")


@pytest.fixture
def routed(product):
    """A home with one memory per repository."""
    product.call("config", "set", "identity.scope", "repository")
    return product


def names(product):
    return {folder.name for folder in Home(root=product.home).identities()}


def parts(report):
    return {part["identity"]: part for part in report["identities"]}


def name_of(folder):
    return automatic_name(str(folder))


class TestScopes:
    def test_by_default_all_sessions_are_learned_into_one_memory(self, product, shop, till):
        product.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(till)))
        assert "identities" not in product.learn().json
        assert names(product) == {"default"}
        assert not (product.home / "runtime/routes.json").exists()

    def test_work_trees_of_one_repository_share_a_memory_and_others_have_their_own(self, routed, shop, fix, till):
        routed.tell(
            ruled(PNPM, cwd=str(shop / "web")),
            ruled(TABS, label="s2", cwd=str(fix)),
            ruled(CARGO, label="s3", cwd=str(till)),
        )
        report = routed.learn().json
        assert (report["extracted"], report["consolidation"]) == (3, {"status": "landed", "revision": None})
        assert {name: part["extracted"] for name, part in parts(report).items()} == {name_of(shop): 2, name_of(till): 1}
        assert names(routed) == {name_of(shop), name_of(till)}
        assert all(rule in routed.context(str(fix)) for rule in (PNPM, TABS))
        assert CARGO not in routed.context(str(shop))

    def test_under_scope_worktree_each_work_tree_has_its_own(self, product, shop, fix):
        product.call("config", "set", "identity.scope", "worktree")
        product.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(fix)))
        product.learn()
        assert names(product) == {name_of(shop), name_of(fix)}
        assert TABS not in product.context(str(shop))

    def test_a_session_without_a_directory_goes_to_the_default_identity(self, routed, shop):
        routed.tell(ruled(PNPM, cwd=""), ruled(TABS, label="s2", cwd=str(shop)))
        routed.learn()
        assert names(routed) == {"default", name_of(shop)}
        assert len(routed.call("sessions", "--identity", "default", "--json").json["sessions"]) == 1

    @pytest.mark.parametrize("by", ["option", "variable"])
    def test_an_identity_that_is_named_takes_all_that_is_found(self, routed, shop, till, monkeypatch, by):
        routed.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(till)))
        routed.call("init", "--identity", "work")
        if by == "variable":
            monkeypatch.setenv("VADEMECUM_IDENTITY", "work")
        assert routed.learn(*(("--identity", "work") if by == "option" else ())).json["extracted"] == 2
        assert names(routed) == {"work"}


class TestSessionsFollowTheirFolder:
    def test_the_identity_follows_the_sessions_directory_not_the_process(self, routed, shop, till, monkeypatch):
        """core-R5"""
        routed.tell(ruled(PNPM, cwd=str(shop)))
        monkeypatch.chdir(till)
        routed.learn()
        assert names(routed) == {name_of(shop)}
        assert PNPM in routed.context(str(shop))
        status = routed.call("status", "--json").json
        assert (status["identity"], status["chosen"], status["folder"]) == (name_of(till), "project", str(till))

    def test_a_session_is_learned_into_one_identity_and_stays_there(self, product, shop):
        """A change of the scope does not learn it anew, also where the session goes on."""
        product.tell(ruled(PNPM, cwd=str(shop)))
        product.learn()
        product.call("config", "set", "identity.scope", "repository")
        assert product.learn().json["skipped"] == {"unchanged": 1}
        product.tell(ruled(PNPM, TABS, cwd=str(shop)))
        assert parts(product.learn().json)["default"]["extracted"] == 1
        assert names(product) == {"default"}

    def test_a_new_session_of_that_folder_goes_where_the_scope_says(self, product, shop):
        product.tell(ruled(PNPM, cwd=str(shop)))
        product.learn()
        product.call("config", "set", "identity.scope", "repository")
        product.tell(ruled(TABS, label="s2", cwd=str(shop)))
        product.learn()
        assert TABS in product.context(str(shop))
        assert PNPM not in product.context(str(shop))

    def test_an_unchanged_session_is_not_read_again(self, routed, shop, till, monkeypatch):
        routed.tell(ruled(PNPM, cwd=str(shop)), ruled("hi", label="s2", cwd=""), ruled(TABS, label="s3", cwd=str(till)))
        routed.learn()

        def refuse(_ref):
            raise AssertionError("a session was read again")

        monkeypatch.setattr("vademecum.learning.walk.load", refuse)
        assert routed.learn().json["skipped"] == {"unchanged": 3}

    def test_no_session_is_read_twice_in_a_pass(self, routed, shop, till, monkeypatch):
        from vademecum.learning import walk

        routed.tell(ruled(PNPM, cwd=str(shop)), ruled("hi", label="s2", cwd=""), ruled(TABS, label="s3", cwd=str(till)))
        read, load = [], walk.load
        monkeypatch.setattr(walk, "load", lambda ref: read.append(ref.path) or load(ref))
        routed.learn()
        assert sorted(set(read)) == sorted(read)
        assert len(read) == 3

    def test_what_is_asked_for_is_counted_over_all_identities(self, routed, shop, till):
        routed.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(till)))
        assert [routed.learn("--max", "1").json["extracted"] for _ in range(3)] == [1, 1, 0]
        assert names(routed) == {name_of(shop), name_of(till)}

    def test_a_person_reads_one_line_per_identity(self, routed, shop, till):
        routed.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(till)))
        out = routed.call("learn", "--from", str(routed.sessions), "--all", "--now").out.splitlines()
        for folder in (shop, till):
            assert f"{name_of(folder)}  1 learned; memory was updated in one commit" in out

    def test_the_present_memory_takes_in_what_was_written_by_hand_also_without_sessions(
        self, routed, shop, monkeypatch
    ):
        monkeypatch.chdir(shop)
        routed.call("note", "the staging database is rebuilt every Monday")
        routed.sessions.mkdir()
        report = routed.learn().json
        assert {name: part["consolidation"]["status"] for name, part in parts(report).items()} == {
            name_of(shop): "landed"
        }

    def test_a_session_that_cannot_be_read_stops_nothing_and_is_told(self, routed, shop):
        routed.tell(ruled(PNPM, cwd=str(shop)))
        broken = routed.sessions / "claude-code" / "broken.jsonl"
        broken.write_text('{"sessionId":"x","parentUuid":null}\n')
        report = routed.learn().json
        assert (report["extracted"], report["skipped"]) == (1, {"unreadable": 1})


class TestNothingInVain:
    """core-R6"""

    READING = (("status",), ("home",), ("sessions",), ("runs",), ("config",), ("learn", "--dry-run"))

    def test_commands_that_read_make_nothing(self, product, shop, monkeypatch):
        monkeypatch.setenv("VADEMECUM_IDENTITY_SCOPE", "repository")
        monkeypatch.chdir(shop)
        product.tell(ruled(PNPM, cwd=str(shop)))
        for words in self.READING:
            product.call(*words, *(("--from", str(product.sessions)) if words[0] == "learn" else ()))
        answer = product.call("context", "--json")
        assert (answer.json["revision"], answer.json["text"]) == (None, "")
        assert "has no memory yet" in answer.err
        for words in (("ls",), ("search", "pnpm"), ("adopt",)):
            assert product.fail(*words, "--json").error["code"] == "no_repository"
        assert not product.home.exists()

    def test_commands_that_read_change_nothing_in_a_home_that_is_there(self, routed, shop, till):
        routed.tell(ruled(PNPM, cwd=str(shop)))
        routed.learn()
        routed.tell(ruled(TABS, label="s2", cwd=str(till)))
        before = snapshot(routed.home, without=("context.json",))
        routed.context(str(shop / "new"))
        assert routed.learn("--dry-run").json["extracted"] == 1
        routed.call("home")
        assert snapshot(routed.home, without=("context.json",)) == before

    def test_a_project_in_which_nothing_can_be_learned_gets_no_folder(self, routed, shop, till, tmp_path):
        silent = Script(label="s2", cwd=str(till), turns=(Assistant(text="Done."),))
        old = ruled(TABS, label="s3", cwd=str(tmp_path / "old"), started_at=datetime(2020, 1, 1, tzinfo=UTC))
        recent = ruled(TABS, label="s4", cwd=str(tmp_path / "new"), started_at=datetime.now(UTC) - timedelta(minutes=5))
        since = ruled(PNPM, cwd=str(shop), started_at=datetime.now(UTC) - timedelta(days=2))
        routed.tell(since, silent, old, recent)
        report = routed.call("learn", "--from", str(routed.sessions), "--json").json
        assert report["skipped"] == {"no_human_words": 1, "too_old": 1, "too_recent": 1}
        assert {folder.name for folder in (routed.home / "identities").iterdir()} == {name_of(shop), "default"}

    def test_what_nobody_learns_is_searchable_in_no_memory_also_when_the_index_is_built_anew(self, routed, till):
        """The default identity notes that it was looked at; its words stay a matter of its project."""
        routed.tell(ruled(f"{LEARNER_MARK} wombat", cwd=str(till)))
        assert routed.learn().json["skipped"] == {"learner": 1}
        routed.lose("search.db")
        routed.learn()
        assert routed.call("search", "wombat", "--identity", "default", "--json").json["total"] == 0

    def test_an_unknown_identity_cannot_be_read(self, routed):
        assert routed.fail("ls", "--identity", "work", "--json").error["code"] == "unknown_identity"


class TestLostFolders:
    def test_deleting_a_project_deletes_no_memory(self, routed, shop, fix):
        routed.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(fix)))
        routed.learn()
        shutil.rmtree(shop)
        shutil.rmtree(fix)
        routed.tell(ruled(CARGO, label="s3", cwd=str(fix)))
        routed.learn()
        assert names(routed) == {name_of(shop)}
        assert all(rule in routed.context(str(shop)) for rule in (PNPM, TABS))
        assert CARGO in routed.context(str(fix))

    def test_a_project_that_moved_is_given_its_memory_back_by_hand(self, routed, shop, tmp_path):
        routed.tell(ruled("from now on always answer in French, in all projects", cwd=str(shop)))
        routed.learn()
        shop.rename(tmp_path / "moved")
        routed.call("home", "route", str(tmp_path / "moved"), name_of(shop))
        assert "French" in routed.context(str(tmp_path / "moved" / "src"))

    def test_a_lost_table_of_routes_is_built_anew(self, routed, shop):
        routed.tell(ruled(PNPM, cwd=str(shop)))
        routed.learn()
        (routed.home / "runtime" / "routes.json").write_text("{damaged")
        routed.tell(ruled(TABS, label="s2", cwd=str(shop)))
        routed.learn()
        assert [route["folder"] for route in routed.call("home", "--json").json["routes"]] == [str(shop)]


class TestByHand:
    def test_a_clients_folder_gets_a_memory_of_its_own_where_all_else_is_one(self, product, shop, tmp_path):
        acme = tmp_path / "clients" / "acme"
        product.call("home", "route", str(acme), "acme")
        product.tell(ruled(PNPM, cwd=str(acme / "web")), ruled(TABS, label="s2", cwd=str(shop)))
        product.learn()
        assert names(product) == {"acme", "default"}
        assert PNPM in product.context(str(acme / "web"))
        assert PNPM not in product.context(str(shop))
        product.call("home", "unroute", str(acme))
        assert PNPM not in product.context(str(acme / "web"))
        assert names(product) == {"acme", "default"}

    def test_what_the_person_writes_down_is_what_hooks_read(self, product, tmp_path):
        product.call("home", "route", str(tmp_path / "acme"), "acme")
        table = json.loads((product.home / "runtime" / "routes.json").read_bytes())
        assert (table["scope"], table["by_hand"]) == ("global", {str(tmp_path / "acme"): "acme"})
        product.call("config", "set", "identity.scope", "worktree")
        product.call("home", "unroute", str(tmp_path / "acme"))
        table = json.loads((product.home / "runtime" / "routes.json").read_bytes())
        assert (table["scope"], table["by_hand"]) == ("worktree", {})

    @pytest.mark.parametrize("name", ["../up", "Acme", "shop-1a2b3c4d"])
    def test_a_name_that_may_not_be_chosen_is_refused_and_nothing_is_written(self, product, tmp_path, name):
        assert product.fail("home", "route", str(tmp_path), name, "--json").error["code"] == "usage"
        assert not product.home.exists()

    def test_home_lists_every_identity_with_its_folders(self, routed, shop, fix, tmp_path):
        routed.call("home", "route", str(tmp_path / "acme"), "acme")
        routed.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(fix)))
        routed.learn()
        shape = routed.call("home", "--json").json
        told = {(route["identity"], route["chosen"], route["folder"]) for route in shape["routes"]}
        assert told == {
            ("acme", "by_hand", str(tmp_path / "acme")),
            (name_of(shop), "project", str(shop)),
            (name_of(shop), "project", str(fix)),
        }
        assert shape["identities"] == [name_of(shop)]
        out = routed.call("home").out
        assert all(folder in out for folder in (str(shop), str(fix), str(tmp_path / "acme")))

    @pytest.mark.parametrize(
        ("words", "chosen"), [((), "default"), (("--identity", "default"), "named")], ids=["default", "named"]
    )
    def test_status_says_why(self, product, words, chosen):
        product.call("init")
        assert product.call("status", *words, "--json").json["chosen"] == chosen


def test_a_pass_that_dies_is_told_by_the_ledger_and_the_status_of_its_identity(routed, shop, till, monkeypatch):
    from vademecum.errors import StorageError
    from vademecum.learners.extractive import ExtractiveLearner

    routed.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(till)))
    extract = ExtractiveLearner.extract

    def fail(self, task):
        if task.project == str(till):
            raise StorageError("the disk is full")
        return extract(self, task)

    with monkeypatch.context() as patched:
        patched.setattr(ExtractiveLearner, "extract", fail)
        routed.learn(code=1)
    with State.open(routed.home / "identities" / name_of(till) / "state.db") as state:
        assert [run.outcome for run in state.runs.list(limit=5)] == ["failed"]
        assert state.passes.last().error == "the disk is full"
    assert routed.learn().json["extracted"] == 1
    assert TABS in routed.context(str(till))
    assert PNPM in routed.context(str(shop))


def test_an_identity_that_cannot_consolidate_keeps_no_other_from_it(routed, shop, till, monkeypatch):
    from vademecum.engine import identity_pass
    from vademecum.errors import StorageError

    routed.tell(ruled(PNPM, cwd=str(shop)), ruled(TABS, label="s2", cwd=str(till)))
    consolidate = identity_pass.consolidate
    failing = name_of(shop)

    def fail(stage, learner):
        if failing in str(stage.drafts):
            raise StorageError("the disk is full")
        return consolidate(stage, learner)

    with monkeypatch.context() as patched:
        patched.setattr(identity_pass, "consolidate", fail)
        error = routed.learn(code=1).error
    assert (error["message"], failing in error["intact"]) == ("the disk is full", True)
    assert TABS in routed.context(str(till))
    last = {}
    for name in names(routed):
        with State.open(routed.home / "identities" / name / "state.db") as state:
            last[name] = state.passes.last().error
    assert last == {failing: "the disk is full", name_of(till): None}
    assert routed.learn().json["consolidation"]["status"] == "landed"
    assert PNPM in routed.context(str(shop))


@pytest.mark.timeout(60)
@pytest.mark.slow
def test_more_projects_than_are_kept_open_are_learned_in_one_pass(routed, tmp_path):
    """Sessions of many projects in turn: each ends up in its own memory, with one row in its ledger."""
    folders = [tmp_path / f"p{number}" for number in range(20)]
    turns = (Human(text=TABS), Assistant(text="Will do."))
    scripts = [
        Script(
            label=f"{at}-{folder.name}", cwd=str(folder), turns=turns, started_at=datetime(2026, 11, 1 + at, tzinfo=UTC)
        )
        for at in range(2)
        for folder in folders
    ]
    routed.tell(*scripts)
    report = routed.learn("--no-consolidate").json
    assert {name: part["extracted"] for name, part in parts(report).items()} == {name_of(path): 2 for path in folders}
    assert [len(part["runs"]) for part in report["identities"]] == [1] * len(folders)
