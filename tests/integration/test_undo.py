"""What a person took back stays away from memory, whatever is learned after it; and it can be brought back."""

from datetime import UTC, datetime, timedelta

import pytest

from support.product import Product, ruled
from vademecum.artifacts import keyed_bullets, parse_archive

RULE = "from now on always use pnpm here, never npm"
OTHER = "please always indent with tabs in this project"
LATER = "never edit generated files by hand"
PAST = "always write the changelog in past tense"
TOMORROW = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)


@pytest.fixture
def learned(product):
    learn(product, "s1", RULE, OTHER)
    return product


def learn(product, label, *rules, **options):
    """A session in which these rules are stated, and the run that learned them."""
    product.tell(ruled(*rules, label=label, **options))
    return learn_again(product)


def learn_again(product):
    report = product.learn().json
    assert report["consolidation"]["status"] == "landed", report
    return product.call("log", "--limit", "1", "--json").json["commits"][0]["provenance"]["run"]


def remembered(product, path="MEMORY.md"):
    """The words of the bullets in an artefact; none where it is gone."""
    if not (product.memory / path).exists():
        return set()
    return {bullet.text for bullet in keyed_bullets(product.read(path)).values()}


def everywhere(product, rule):
    """Whether the rule stands in both artefacts and in the context, or in none of them (as a title it may stay)."""
    stands = f"\n- {rule}\n" in product.context()
    places = {rule in remembered(product), rule in remembered(product, "memory_summary.md"), stands}
    assert len(places) == 1
    return places.pop()


class TestUndoOfALearnRun:
    @pytest.fixture
    def run(self, product):
        return learn(product, "s1", RULE, OTHER)

    def test_memory_is_at_once_as_if_it_had_not_been(self, product, run):
        """core-W26"""
        start = product.git("rev-parse", "HEAD~1^{tree}")
        product.call("undo", run)
        assert product.git("rev-parse", "HEAD^{tree}") == start
        assert product.git("status", "--porcelain") == ""
        assert not everywhere(product, RULE)

    @pytest.mark.parametrize("lost", [(), ("state.db",)], ids=["", "state lost"])
    def test_learning_does_not_bring_it_back(self, product, run, lost):
        product.call("undo", run)
        for name in lost:
            product.lose(name)
        learn_again(product)
        assert not everywhere(product, RULE)
        assert learn(product, "s2", LATER)
        assert everywhere(product, LATER)
        assert not everywhere(product, RULE)
        assert {entry.reason for entry in parse_archive(product.read("ARCHIVE.md"))} == {"undone"}

    def test_its_sessions_are_retired_and_not_learned_again_at_once(self, product, run):
        product.call("undo", run)
        learn_again(product)
        (row,) = product.call("sessions", "--json").json["sessions"]
        assert (row["state"], row["reason"]) == ("retired", "deleted")
        assert product.learn().json["extracted"] == 0

    def test_no_number_of_sessions_makes_it_a_loss(self, product):
        """Most rollout summaries gone at once are lost ones, unless an undo took them."""
        product.tell(*[ruled(f"always run check number {n} before a commit", label=f"many{n}") for n in range(25)])
        run = learn_again(product)
        product.call("undo", run)
        learn_again(product)
        assert not (product.memory / "rollout_summaries").exists()
        assert remembered(product) == set()

    def test_what_is_said_after_it_comes_back(self, product, run):
        product.call("undo", run)
        learn_again(product)
        learn(product, "again", RULE, started_at=TOMORROW)
        assert everywhere(product, RULE)
        assert OTHER not in remembered(product)

    @pytest.mark.parametrize("lost", [(), ("state.db",)], ids=["", "state lost"])
    def test_what_another_session_had_said_before_it_does_not(self, product, run, lost):
        product.call("undo", run)
        learn_again(product)
        for name in lost:
            product.lose(name)
        learn(product, "other", RULE, LATER)
        assert LATER in remembered(product)
        assert RULE not in remembered(product)

    @pytest.mark.parametrize("files", [("MEMORY.md",), ("MEMORY.md", "memory_summary.md")], ids=len)
    @pytest.mark.parametrize("lost", [(), ("state.db",)], ids=["", "state lost"])
    def test_a_persons_words_that_it_took_in_stay(self, product, run, files, lost):
        for name in files:
            (product.memory / name).write_text(product.read(name).replace(f"- {RULE} <", "- pnpm, always <"))
        product.call("adopt")
        taking_in = learn(product, "other", RULE, started_at=TOMORROW)
        product.call("undo", taking_in)
        for name in lost:
            product.lose(name)
        learn_again(product)
        for name in ("MEMORY.md", "memory_summary.md"):
            assert "pnpm, always" in remembered(product, name)
            assert RULE not in remembered(product, name)

    @pytest.mark.parametrize("copy", ["a", "b", "c", "d"])
    @pytest.mark.parametrize("lost", [(), ("state.db",)], ids=["", "state lost"])
    def test_they_stay_also_where_a_copy_of_the_session_came_by_it(self, product, run, copy, lost):
        """Two sessions with the same words at the same time: it stays that of the one it was learned from."""
        product.edit("MEMORY.md", f"- {RULE} <", "- pnpm, always <")
        product.call("adopt")
        taking_in = learn(product, copy, RULE)
        assert "pnpm, always" in remembered(product)
        assert RULE not in remembered(product)
        product.call("undo", taking_in)
        for name in lost:
            product.lose(name)
        learn_again(product)
        for name in ("MEMORY.md", "memory_summary.md"):
            assert "pnpm, always" in remembered(product, name)
            assert RULE not in remembered(product, name)

    def test_a_session_that_goes_on_after_it_brings_its_new_part_only(self, product, run):
        product.call("undo", run)
        learn(product, "s1", RULE, OTHER, LATER, started_at=TOMORROW)
        assert LATER in remembered(product)

    def test_the_newest_commit_is_meant_where_none_is_named(self, product, run):
        undone = product.call("undo", "--json").json
        assert [commit["provenance"]["run"] for commit in undone["undoes"]] == [run]
        assert undone["commit"] == product.head()

    def test_a_note_that_stands_is_shown_and_consolidated_again(self, product):
        product.call("note", "the staging db is rebuilt")
        run = learn(product, "s1", RULE)
        product.call("undo", run)
        assert "the staging db is rebuilt" in product.context()
        product.call("note", "a second note")
        learn_again(product)
        for note in ("the staging db is rebuilt", "a second note"):
            assert f"- {note} [note]" in product.context()
        assert "staging" not in product.read("ARCHIVE.md")

    def test_a_note_that_was_undone_itself_is_gone(self, product):
        product.call("note", "the staging db is rebuilt")
        note = product.head()
        learn(product, "s1", RULE)
        product.call("undo", note)
        learn_again(product)
        assert "the staging db is rebuilt" not in product.context()

    def test_the_end_of_its_id_names_it_for_every_command(self, product, run):
        end = run.rpartition("-")[2]
        assert product.call("runs", "show", end, "--json").json["id"] == run
        assert product.call("undo", end, "--json").json["undoes"][0]["provenance"]["run"] == run

    def test_it_says_that_this_stays_away_and_where_it_stands(self, product, run):
        assert "ARCHIVE.md" in product.call("undo", run).out


class TestNoWayBack:
    """core-W26: an undo passes over what it cannot take back, and says so where that is named."""

    @pytest.fixture
    def scrubbed(self, product):
        learn(product, "s1", RULE)
        product.call("note", "a password is kept there")
        (path,) = (path for path in product.git("ls-files").split() if "notes/" in path)
        product.call("note", "this stays")
        product.call("forget", path, "--scrub", "--yes")
        return product

    def test_bare_it_takes_the_newest_that_has_one(self, scrubbed):
        assert scrubbed.call("undo", "--json").json["undoes"][0]["subject"] == "Note: this stays"

    def test_named_it_says_why(self, scrubbed):
        error = scrubbed.call("undo", "HEAD", "--json", code=4).error
        assert error["code"] == "refused"
        assert "no way back" in error["message"]
        assert "scrubbed" in error["message"]


class TestBringingBack:
    """The undo of an undo is a person's word as well."""

    def test_before_anything_was_learned(self, learned):
        tree = learned.git("rev-parse", "HEAD^{tree}")
        learned.call("undo", learned.call("undo", "--json").json["commit"])
        assert learned.git("rev-parse", "HEAD^{tree}") == tree
        learn(learned, "s2", LATER)
        assert everywhere(learned, RULE)
        assert everywhere(learned, LATER)
        assert not (learned.memory / "ARCHIVE.md").exists()

    def test_after_a_run_had_buried_it(self, learned):
        undo = learned.call("undo", "--json").json["commit"]
        learn_again(learned)
        learned.call("undo", undo)
        assert everywhere(learned, RULE)
        learn(learned, "s2", LATER)
        assert everywhere(learned, RULE)
        assert parse_archive(learned.read("ARCHIVE.md")) == []
        assert {row["state"] for row in learned.call("sessions", "--json").json["sessions"]} == {"active"}


class TestUndoOfAnOlderRun:
    """Later runs write the same files anew; what they brought stays, what the older one brought goes."""

    @pytest.fixture
    def runs(self, product):
        return [
            learn(product, label, rule, cwd=cwd)
            for label, rule, cwd in [("s1", RULE, "/srv/shop"), ("s2", LATER, "/srv/shop"), ("s3", PAST, "/srv/blog")]
        ]

    @pytest.mark.parametrize(("number", "gone", "kept"), [(0, RULE, LATER), (1, LATER, RULE)])
    def test_it_goes_and_stays_away(self, product, runs, number, gone, kept):
        product.call("undo", runs[number])
        for _ in range(2):
            assert not everywhere(product, gone)
            assert everywhere(product, kept)
            assert PAST in remembered(product)
            learn(product, f"more{_}", f"always say hello number {_}")
        assert "vade:yours" not in product.read("MEMORY.md")
        assert "vade:yours" not in product.read("memory_summary.md")

    def test_what_was_reworded_since_is_a_conflict_and_nothing_changes(self, product, runs):
        product.edit("MEMORY.md", RULE, "pnpm only; ask before npm")
        product.commit_by_hand()
        before = product.head()
        answer = product.call("undo", runs[0], "--json", code=4)
        assert answer.error["code"] == "conflict"
        assert "MEMORY.md line" in answer.error["message"]
        assert before[:10] in answer.error["message"]
        assert product.head() == before

    def test_a_page_that_the_handbook_names_is_gone_from_it_after_learning(self, product, runs):
        product.call("undo", runs[0])
        learn(product, "s4", OTHER)
        stems = {path.stem for path in (product.memory / "rollout_summaries").iterdir()}
        named = {
            line.split("/")[1].split(".md")[0]
            for line in product.read("MEMORY.md").splitlines()
            if line.startswith("- rollout_summaries/")
        }
        assert named == stems


class TestWhatAPersonDidBefore:
    def test_a_bullet_that_they_deleted_stays_away_when_the_run_that_noted_it_is_undone(self, learned):
        line = next(line for line in learned.read("MEMORY.md").splitlines() if RULE in line and "vade:" in line)
        learned.edit("MEMORY.md", line + "\n", "")
        learned.commit_by_hand()
        run = learn(learned, "s2", LATER)
        assert RULE in learned.read("ARCHIVE.md")
        learned.call("undo", run)
        learn(learned, "s3", PAST)
        assert RULE not in remembered(learned)
        assert RULE in learned.read("ARCHIVE.md")

    def test_a_session_whose_summary_they_deleted_is_there_again_when_that_is_undone(self, learned):
        (summary,) = learned.memory.glob("rollout_summaries/*.md")
        summary.unlink()
        deletion = learned.call("adopt", "--json").json["commit"]
        learn(learned, "s2", LATER)
        assert RULE not in remembered(learned)
        learned.call("undo", deletion)
        learn_again(learned)
        assert everywhere(learned, RULE)

    def test_lines_that_they_added_stay_once_when_a_run_is_undone(self, learned):
        mine = "- ask me before you add a dependency"
        line = next(line for line in learned.read("MEMORY.md").splitlines() if OTHER in line and "vade:" in line)
        learned.edit("MEMORY.md", line, f"{line}\n{mine}")
        learned.commit_by_hand()
        run = learn(learned, "s2", LATER)
        learned.call("undo", run)
        learn(learned, "s3", PAST)
        assert learned.read("MEMORY.md").count(mine) == 1

    def test_an_adopted_deletion_that_is_undone_brings_the_bullet_back_for_good(self, learned):
        line = next(line for line in learned.read("MEMORY.md").splitlines() if RULE in line and "vade:" in line)
        learned.edit("MEMORY.md", line + "\n", "")
        learned.call("adopt")
        learned.call("undo")
        learn(learned, "s2", LATER)
        assert everywhere(learned, RULE)


class TestOtherCommits:
    def test_a_note_goes_with_its_file(self, learned):
        (path,) = learned.call("note", "the staging database is rebuilt on Mondays", "--json").json["paths"]
        learned.call("undo")
        assert not (learned.memory / path).exists()
        assert "Mondays" not in learned.context()

    def test_the_bullet_of_a_note_goes_with_the_next_run(self, learned):
        note = learned.call("note", "the staging database is rebuilt on Mondays", "--json").json["commit"]
        learn_again(learned)
        learned.call("undo", note)
        learn(learned, "s2", LATER)
        assert "Mondays" not in learned.context()
        assert "Mondays" not in learned.read("MEMORY.md")

    def test_an_edit_by_hand_is_undone_like_any_other_commit(self, learned):
        before = learned.read("system/human.md")
        learned.edit("system/human.md", before, before + "They like tea.\n")
        learned.call("adopt")
        learned.call("undo")
        assert learned.read("system/human.md") == before

    def test_undoing_twice_goes_back_twice_and_never_redoes(self, product):
        for words in ("one", "two", "three"):
            product.call("note", words)
        assert [undone["subject"] for undone in (product.call("undo", "--json").json for _ in range(3))] == [
            "Undo: Note: three",
            "Undo: Note: two",
            "Undo: Note: one",
        ]
        assert product.call("undo", "--json", code=1).error["code"] == "not_found"

    def test_a_hand_edit_in_the_way_is_named_and_kept(self, learned):
        learned.edit("MEMORY.md", RULE, "mine")
        for words in (("undo",), ("undo", "--dry-run")):
            assert learned.call(*words, "--json", code=4).error["code"] == "dirty"
        assert "mine" in learned.read("MEMORY.md")


class TestBesideAHandEdit:
    """An undo says what of the person's own stays, and what to do where both changed the same lines."""

    def test_an_edit_that_was_committed_since_stays_and_is_listed(self, learned):
        learned.edit("MEMORY.md", RULE, "use yarn")
        learned.call("adopt")
        run = learn(learned, "s2", LATER)
        learned.edit("MEMORY.md", OTHER, "indent with spaces")
        learned.call("adopt")
        answer = learned.call("undo", run)
        assert "stays" in answer.out
        assert answer.out.count("your own edit since") == 1
        assert {"use yarn", "indent with spaces"} <= remembered(learned)
        assert LATER not in remembered(learned)

    def test_an_edit_of_another_file_that_is_not_committed_stays_and_is_listed(self, learned):
        (learned.memory / "log").mkdir()
        (learned.memory / "log/mine.md").write_text("mine\n")
        assert "log/mine.md   (your edit that is not committed)" in learned.call("undo").out
        assert learned.read("log/mine.md") == "mine\n"

    def test_an_edit_of_the_same_file_that_is_not_committed_is_told_with_both_ways_on(self, learned):
        learned.edit("MEMORY.md", RULE, "mine")
        for words in (("undo",), ("undo", "--dry-run")):
            error = learned.call(*words, "--json", code=4).error
            assert "the undo would change the same file" in error["message"]
            for step in ("vade diff", "vade adopt", "take your edit back"):
                assert step in error["next"]

    def test_where_both_changed_the_same_lines_the_persons_own_edit_is_named_as_theirs(self, product):
        product.call("init")
        for words in ("one", "two", "three"):
            (product.memory / "log").mkdir(exist_ok=True, parents=True)
            (product.memory / "log/a.md").write_text(f"{words}\n")
            product.call("adopt")
            changed = product.git("rev-parse", "HEAD~1").strip()
        error = product.call("undo", changed, "--json", code=4).error
        assert "by your own " in error["message"]
        assert "edit the file and run `vade adopt`" in error["next"]


class TestRehearsal:
    def test_it_shows_the_lines_and_changes_nothing(self, learned):
        before = learned.head()
        answer = learned.call("undo", "--dry-run")
        assert RULE in answer.out
        assert "would undo" in answer.out
        assert learned.head() == before


def test_a_clone_that_knows_no_state_lets_it_stay_away(learned, tmp_path):
    """The repository alone says what the person took back."""
    learned.call("undo")
    other = Product(tmp_path / "other")
    other.memory.parent.mkdir(parents=True, mode=0o700)
    learned.git("clone", "--quiet", str(learned.memory), str(other.memory))
    other.call("init")
    other.tell(ruled(RULE, OTHER))
    other.learn()
    assert not everywhere(other, RULE)


class TestTheWayOutOfAConflict:
    @pytest.fixture
    def reworded(self, product):
        """A page whose line was written once and changed twice; the commits, oldest first."""
        commits = [create(product)]
        for old, new in [("Ask Ada", "Ask Bob"), ("Ask Bob", "Ask Cleo")]:
            commits.append(replace(product, old, new))
        return commits

    def follow(self, product, target):
        """Do what the advice says until the undo goes through; how many commits had to go before it."""
        for steps in range(6):
            answer = product._run(("undo", target, "--json"), None)
            if answer.code == 0:
                return steps
            advised = answer.error["next"].partition("`vade undo ")[2].partition("`")[0]
            assert advised, answer.error
            product.call("undo", advised)
        pytest.fail("the advice leads in a circle")

    def test_the_advice_leads_to_the_end(self, product, reworded):
        assert self.follow(product, reworded[1]) == 1
        assert "Ask Ada" in product.read("reference/deploy.md")

    def test_it_does_so_after_undos_and_redos(self, product, reworded):
        undone = product.call("undo", reworded[2], "--json").json["commit"]
        product.call("undo", undone)
        assert self.follow(product, reworded[1]) == 1
        assert "Ask Ada" in product.read("reference/deploy.md")

    def test_an_undo_is_never_advised_to_be_undone(self, product, reworded):
        product.call("undo", reworded[2])
        product.call("undo", reworded[1])
        replace(product, "Ask Ada", "Ask Dora")
        error = product.call("undo", reworded[0], "--json", code=4).error
        assert f"vade undo {product.head()[:10]}" in error["next"]


def create(product):
    product.call(
        "memory", "create", "reference/deploy.md", "--description", "How we deploy", "--text", "Ask Ada first.\n"
    )
    return product.head()


def replace(product, old, new):
    product.call("memory", "str-replace", "reference/deploy.md", "--old", old, "--new", new)
    return product.head()


def test_what_a_redo_takes_away_is_not_promised_to_stay_away(learned):
    line = next(line for line in learned.read("MEMORY.md").splitlines() if RULE in line and "vade:" in line)
    learned.edit("MEMORY.md", line + "\n", "")
    learned.commit_by_hand()
    assert "stays away" not in learned.call("undo", learned.head()).out
    assert "stays away" not in learned.call("undo", learned.head()).out
