"""The person has the last word: what they edited, deleted or added outlives every later run."""

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from support.compose.script import DEFAULT_START
from support.product import Product, ruled
from vademecum.artifacts import parse_archive, parse_bullet

RULE = "from now on always use pnpm here, never npm"
OTHER = "please always indent with tabs in this project"
LATER = "never edit generated files by hand"
MINE = "- ask me before you add a dependency"
LATER_DAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE, OTHER))
    product.learn()
    return product


@pytest.fixture(params=["committed", "uncommitted"])
def settle(request, learned):
    """How a person leaves their edits: committed with plain git, or as they saved them."""
    return learned.commit_by_hand if request.param == "committed" else lambda: None


def learn_more(product, rule=LATER, label="s2"):
    """Another session, later, and what comes of it."""
    product.tell(ruled(rule, label=label, started_at=LATER_DAY))
    report = product.learn().json
    assert report["consolidation"]["status"] == "landed", report


def line_of(product, path, words):
    (line,) = [line for line in product.read(path).split("\n") if words in line and "<!-- vade:" in line]
    return line


def bullets(product, path):
    """The words of every generated bullet; titles of tasks are history and keep what was said."""
    found = (parse_bullet(line) for line in product.read(path).split("\n"))
    return [bullet.text for bullet in found if bullet and bullet.key]


def reword(product, path="MEMORY.md"):
    line = line_of(product, path, "pnpm")
    words = parse_bullet(line).text
    product.edit(path, line, line.replace(words, "pnpm only; ask before npm"))


def delete(product, *paths, words="pnpm"):
    for path in paths:
        product.edit(path, line_of(product, path, words) + "\n", "")


def add(product, path="MEMORY.md"):
    line = line_of(product, path, "tabs")
    product.edit(path, line, f"{line}\n{MINE}")


class TestRewording:
    @pytest.mark.parametrize("path", ["MEMORY.md", "memory_summary.md"])
    def test_a_persons_words_stand_in_both_artefacts_and_in_the_context(self, learned, settle, path):
        reword(learned, path)
        settle()
        learn_more(learned)
        for artefact in ("MEMORY.md", "memory_summary.md"):
            assert "pnpm only; ask before npm" in bullets(learned, artefact)
            assert RULE not in bullets(learned, artefact)
        assert "- pnpm only; ask before npm\n" in learned.context()
        assert "generated files" in learned.context()

    @pytest.mark.parametrize("path", ["MEMORY.md", "memory_summary.md"])
    def test_they_hold_in_the_context_as_soon_as_they_are_committed(self, learned, path):
        reword(learned, path)
        learned.call("adopt")
        context = learned.context()
        assert "- pnpm only; ask before npm\n" in context
        assert f"- {RULE}\n" not in context
        learned.learn()
        assert "- pnpm only; ask before npm\n" in learned.context()

    @pytest.mark.parametrize("path", ["MEMORY.md", "memory_summary.md"])
    def test_the_last_of_two_rewordings_holds_wherever_it_was_made(self, learned, path):
        reword(learned)
        learned.call("adopt")
        learn_more(learned)
        learned.edit(path, "pnpm only; ask before npm", "pnpm, and yarn on Fridays")
        learned.call("adopt")
        assert "- pnpm, and yarn on Fridays\n" in learned.context()
        learn_more(learned, "write the changelog in past tense, always", label="s3")
        assert "- pnpm, and yarn on Fridays\n" in learned.context()
        assert "ask before npm" not in learned.context()

    def test_they_stay_when_the_same_is_said_again_and_again(self, learned):
        reword(learned)
        learned.commit_by_hand()
        for number in range(3):
            learn_more(learned, RULE, label=f"again{number}")
        assert "- pnpm only; ask before npm\n" in learned.context()
        assert learned.read("MEMORY.md").count("pnpm only; ask before npm") == 1

    def test_the_bullet_keeps_its_key_and_its_way_back_to_the_session(self, learned):
        before = parse_bullet(line_of(learned, "MEMORY.md", "pnpm"))
        reword(learned)
        learned.commit_by_hand()
        learn_more(learned)
        after = parse_bullet(line_of(learned, "MEMORY.md", "pnpm only"))
        assert (after.key, after.sources, after.edited) == (before.key, before.sources, True)


class TestDeletion:
    def test_a_note_that_is_gone_is_out_of_the_context_at_once(self, learned):
        learned.call("note", "the harbour master is called Ottokar")
        learned.learn()
        assert "Ottokar" in learned.context()
        (note,) = (learned.memory / "extensions/ad_hoc/notes").glob("*.md")
        note.unlink()
        learned.call("adopt")
        assert "Ottokar" not in learned.context()
        learned.learn()
        assert "Ottokar" not in learned.context()

    @pytest.mark.parametrize("paths", [("MEMORY.md",), ("memory_summary.md",), ("MEMORY.md", "memory_summary.md")])
    def test_a_deleted_bullet_stays_away_from_both_artefacts(self, learned, settle, paths):
        delete(learned, *paths)
        settle()
        learn_more(learned)
        learn_more(learned, "write the changelog in past tense, always", label="s3")
        for artefact in ("MEMORY.md", "memory_summary.md"):
            assert RULE not in bullets(learned, artefact)
        assert "indent with tabs" in learned.context()

    def test_it_stays_away_when_the_old_session_is_read_again(self, learned):
        delete(learned, "MEMORY.md")
        learned.commit_by_hand()
        learn_more(learned)
        learned.tell(ruled(RULE, OTHER, "and never force push"))
        learned.learn()
        assert RULE not in bullets(learned, "MEMORY.md")
        assert "force push" in learned.context()


class TestComingBack:
    """Removed, and said again since: newer words of the person's win over their older removal."""

    @pytest.fixture
    def removed(self, learned):
        delete(learned, "MEMORY.md")
        learned.commit_by_hand()
        learn_more(learned)
        return learned

    def again(self, product, label="again"):
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        product.tell(ruled(RULE, label=label, started_at=tomorrow))
        return product.learn()

    def test_it_comes_back_as_a_new_statement_and_says_so(self, removed):
        (tombstone,) = parse_archive(removed.read("ARCHIVE.md"))
        answer = self.again(removed)
        assert f"came back: {RULE}" in answer.err
        bullet = parse_bullet(line_of(removed, "MEMORY.md", "pnpm"))
        assert bullet.key != tombstone.key
        assert len(bullet.sources) == 1
        assert set(bullet.sources).isdisjoint(tombstone.sources)
        assert [item.key for item in parse_archive(removed.read("ARCHIVE.md"))] == [tombstone.key]
        assert f"- {RULE}" in removed.context()

    def test_it_stays_and_is_not_said_again(self, removed):
        self.again(removed)
        line = line_of(removed, "MEMORY.md", "pnpm")
        removed.tell(ruled("write the changelog in past tense, always", label="s4"))
        assert "came back" not in removed.learn().err
        assert line_of(removed, "MEMORY.md", "pnpm") == line

    def test_it_comes_back_on_a_machine_that_knows_the_archive_only(self, removed):
        removed.lose("state.db")
        assert f"came back: {RULE}" in self.again(removed).err

    def test_removed_once_more_it_stays_away_once_more(self, removed):
        self.again(removed)
        delete(removed, "MEMORY.md")
        removed.commit_by_hand()
        learn_more(removed, "write the changelog in past tense, always", label="s4")
        assert RULE not in bullets(removed, "MEMORY.md")
        assert len(parse_archive(removed.read("ARCHIVE.md"))) == 2


class TestArchive:
    """The archive is the person's as well."""

    @pytest.fixture
    def archived(self, learned):
        delete(learned, "MEMORY.md")
        learned.commit_by_hand()
        learn_more(learned)
        return learned

    def later(self, product, label="s4"):
        learn_more(product, "write the changelog in past tense, always", label=label)

    def test_lines_of_their_own_stay(self, archived):
        line = line_of(archived, "ARCHIVE.md", "pnpm")
        archived.edit("ARCHIVE.md", line, f"{line}\n- because the mirror was down")
        archived.edit("ARCHIVE.md", line, line.replace("deleted:", "deleted: (for now)"))
        archived.commit_by_hand()
        self.later(archived)
        self.later(archived, label="s5")
        text = archived.read("ARCHIVE.md")
        assert text.count("because the mirror was down") == text.count("(for now)") == text.count("# Archive") == 1
        assert RULE not in bullets(archived, "MEMORY.md")

    def test_an_entry_that_they_take_out_lets_the_bullet_come_back(self, archived):
        delete(archived, "ARCHIVE.md")
        archived.commit_by_hand()
        self.later(archived)
        assert RULE in bullets(archived, "MEMORY.md")
        assert parse_archive(archived.read("ARCHIVE.md")) == []

    def test_a_file_of_that_name_which_is_all_theirs_is_left_alone(self, learned):
        (learned.memory / "ARCHIVE.md").write_text("# My archive\n\nOld things.\n")
        learned.git("add", "--all")
        learned.commit_by_hand()
        learn_more(learned)
        assert learned.read("ARCHIVE.md") == "# My archive\n\nOld things.\n"

    def test_a_note_whose_bullet_was_deleted_does_not_stand_among_the_notes_again(self, learned):
        learned.call("note", "the staging database is rebuilt on Mondays")
        learn_more(learned)
        delete(learned, "MEMORY.md", "memory_summary.md", words="rebuilt on Mondays")
        learned.commit_by_hand()
        self.later(learned)
        assert "rebuilt on Mondays" not in learned.context()
        assert "extensions/ad_hoc/notes/" in learned.read("ARCHIVE.md")


class TestAddedLines:
    @pytest.mark.parametrize("path", ["MEMORY.md", "memory_summary.md"])
    def test_they_stay_once_under_their_heading(self, learned, settle, path):
        add(learned, path)
        settle()
        learn_more(learned)
        learn_more(learned, "write the changelog in past tense, always", label="s3")
        assert learned.read(path).count(MINE) == 1
        heading = learned.read(path).split(MINE)[0].rpartition("\n## ")[2]
        assert heading.startswith("User preferences")

    def test_those_in_the_summary_are_in_the_context_as_they_were_written(self, learned):
        add(learned, "memory_summary.md")
        learned.commit_by_hand()
        learn_more(learned)
        context = learned.context()
        assert f"{MINE}\n" in context
        assert "vade:yours" not in context

    def test_a_chapter_of_their_own_does_not_stop_learning(self, learned, settle):
        """A person may write as they like: the grammar binds learners."""
        for path in ("MEMORY.md", "memory_summary.md"):
            text = learned.read(path)
            (learned.memory / path).write_text(f"{text}\n# My own thoughts\n\nBe kind.\n")
        settle()
        learn_more(learned)
        for path in ("MEMORY.md", "memory_summary.md"):
            assert "# My own thoughts" in learned.read(path)
            assert "Be kind." in learned.read(path)

    def test_a_long_text_of_their_own_does_not_stop_learning(self, learned):
        """The size rule of the summary is for what is generated: the budget of the context cuts the rest."""
        lines = "\n".join(f"- my own rule number {n}: {'x' * 60}" for n in range(150))
        line = line_of(learned, "memory_summary.md", "tabs")
        learned.edit("memory_summary.md", line, f"{line}\n{lines}")
        learned.commit_by_hand()
        learn_more(learned)
        assert "my own rule number 149" in learned.read("memory_summary.md")
        assert learned.call("context", "--cwd", "/srv/shop", "--json").json["tokens"] <= 4000


class TestWholeFiles:
    def test_a_file_of_their_own_is_left_alone(self, learned, settle):
        page = "---\ndescription: How we deploy\n---\nBy hand.\n"
        (learned.memory / "reference").mkdir()
        (learned.memory / "reference" / "deploy.md").write_text(page)
        learned.git("add", "--all")
        settle()
        learn_more(learned)
        assert learned.read("reference/deploy.md") == page

    def test_notes_are_never_changed_by_a_learner(self, learned):
        (path,) = learned.call("note", "the staging database is rebuilt on Mondays", "--json").json["paths"]
        before = learned.read(path)
        learn_more(learned)
        assert learned.read(path) == before
        assert learned.context().count("rebuilt on Mondays") == 1

    def test_an_artefact_that_is_gone_is_written_anew(self, learned):
        learned.git("rm", "--quiet", "MEMORY.md")
        learned.git("commit", "--quiet", "--message", "gone")
        learn_more(learned)
        assert "pnpm" in learned.read("MEMORY.md")


class TestOtherMachine:
    """A clone has no baseline and no state: the repository alone must say what the person wanted."""

    def clone(self, product):
        other = Product(product.folder / "second")
        other.memory.parent.mkdir(parents=True)
        other.memory.parent.chmod(0o700)
        subprocess.run(["git", "clone", "--quiet", product.memory, other.memory], check=True)
        other.call("init")
        return other

    def edit(self, product):
        reword(product)
        add(product)
        delete(product, "MEMORY.md", words="force push")
        product.commit_by_hand()

    @pytest.fixture
    def learned(self, product):
        product.tell(ruled(RULE, OTHER, "and never force push"))
        product.learn()
        return product

    def check(self, product):
        found = bullets(product, "MEMORY.md")
        assert "pnpm only; ask before npm" in found
        assert "never force push" not in found
        assert OTHER in found
        assert product.read("MEMORY.md").count(MINE) == 1

    def test_edits_that_no_run_has_seen_yet(self, learned):
        self.edit(learned)
        other = self.clone(learned)
        learn_more(other)
        self.check(other)

    def test_edits_that_a_run_has_taken_in(self, learned):
        self.edit(learned)
        learn_more(learned)
        other = self.clone(learned)
        other.tell(ruled("write the changelog in past tense, always", label="s3"))
        other.learn()
        self.check(other)

    def test_a_clone_gives_the_same_context(self, learned):
        self.edit(learned)
        assert self.clone(learned).context() == learned.context()

    def test_a_lost_state_on_this_machine(self, learned):
        self.edit(learned)
        learn_more(learned)
        learned.lose("state.db")
        learned.tell(ruled("write the changelog in past tense, always", label="s3"))
        learned.learn()
        self.check(learned)


class TestDeletedRolloutSummary:
    """What rested on a session whose summary a person deleted stays away, whoever else had said it before."""

    @pytest.mark.parametrize("lost", [None, "before", "after"], ids=["", "state lost at once", "state lost later"])
    @pytest.mark.parametrize("words", [RULE, OTHER], ids=["its rule", "its other rule"])
    def test_its_words_do_not_come_back_by_an_older_session(self, product, lost, words):
        product.tell(ruled(RULE, OTHER), ruled(LATER, label="s0"))
        product.learn()
        (summary,) = (file for file in product.memory.glob("rollout_summaries/*") if OTHER in file.read_text())
        summary.unlink()
        product.call("adopt")
        if lost == "before":
            product.lose("state.db")
        product.learn()
        if lost == "after":
            product.lose("state.db")
        product.tell(ruled(words, label="older", started_at=DEFAULT_START - timedelta(days=1)))
        product.learn()
        assert bullets(product, "MEMORY.md") == [LATER]

    def test_they_come_back_when_they_are_said_again(self, product):
        product.tell(ruled(RULE, OTHER))
        product.learn()
        (summary,) = product.memory.glob("rollout_summaries/*")
        summary.unlink()
        product.call("adopt")
        product.learn()
        product.tell(ruled(OTHER, label="later", started_at=datetime.now(UTC) + timedelta(days=1)))
        product.learn()
        assert bullets(product, "MEMORY.md") == [OTHER]
