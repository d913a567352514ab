"""What a person can see of the history of their memory."""

import pytest

from support.product import ruled

RULE = "from now on always use pnpm here, never npm"
OTHER = "please always indent with tabs in this project"
FAKE_SECRET = "ghp_" + "a1B2c3D4e" * 4


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE, OTHER))
    product.learn()
    return product


def write(product, path, text):
    file = product.memory / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)


class TestLog:
    def test_every_commit_has_its_writer_its_reason_and_its_run(self, learned):
        learned.call("note", "call her Ada")
        learned.call("undo")
        lines = learned.call("log").out.splitlines()
        (run,) = [run["id"] for run in learned.call("runs", "--json").json["runs"] if run["kind"] == "consolidation"]
        assert [line[30:].rstrip() for line in lines] == [
            "you (undo)     Undo: Note: call her Ada",
            "you            Note: call her Ada",
            f"learned        Learn from 1 session  (run {run})",
            "vade           Start the memory repository",
        ]

    def test_it_can_be_paged_through(self, learned):
        for number in range(3):
            learned.call("note", f"number {number}")
        whole = learned.call("log", "--json").json["commits"]
        pages = [learned.call("log", "--limit", "2", "--offset", str(n), "--json").json["commits"] for n in (0, 2, 4)]
        assert [commit for page in pages for commit in page] == whole
        assert "--offset 2" in learned.call("log", "--limit", "2").err
        assert learned.call("log", "--offset", "99").out == "no older commits\n"

    @pytest.mark.parametrize(("path", "count"), [("MEMORY.md", 1), ("system", 1), ("extensions/", 2)])
    def test_of_a_file_or_folder_it_is_what_changed_it(self, learned, path, count):
        learned.call("note", "call her Ada")
        assert len(learned.call("log", path, "--json").json["commits"]) == count

    def test_a_file_that_is_gone_still_has_its_history(self, learned):
        (path,) = learned.call("note", "call her Ada", "--json").json["paths"]
        learned.call("undo")
        assert len(learned.call("log", path, "--json").json["commits"]) == 2

    @pytest.mark.parametrize("path", ["reference/none.md", "reference/none", "log/none"])
    def test_what_never_was_is_an_error(self, learned, path):
        assert learned.call("log", path, "--json", code=1).error["code"] == "not_found"

    @pytest.mark.parametrize("path", ["../MEMORY.md", "/MEMORY.md", "MEMORY.md/x", ".git"])
    def test_what_cannot_be_a_place_in_memory_is_refused(self, learned, path):
        assert learned.call("log", path, "--json", code=4).error["code"] == "unsafe_path"

    @pytest.mark.parametrize("path", ["MEMORY", "./MEMORY.md", "memory/MEMORY.md", "$root/MEMORY.md"])
    def test_a_path_is_taken_as_a_person_writes_it(self, learned, path):
        place = path.replace("$root", str(learned.memory))
        assert len(learned.call("log", place, "--json").json["commits"]) == 1
        assert learned.call("blame", place, "--json").json["lines"]


class TestShow:
    def test_a_person_reads_who_when_why_and_what(self, learned):
        learned.edit("MEMORY.md", RULE, "pnpm only")
        learned.git("commit", "--quiet", "--all", "--message", "Say it shortly", "--message", "Because it is long.")
        out = learned.call("show", "HEAD").out
        head, body, diff = out.split("\n\n", 2)
        assert head.splitlines()[0] == "Say it shortly"
        assert "you (edit)" in head
        assert body == "Because it is long."
        assert any(line.split()[1:2] == ["+"] and "- pnpm only" in line for line in diff.splitlines())

    def test_every_number_is_the_line_of_the_file(self, learned):
        learned.edit("MEMORY.md", RULE, "pnpm only")
        learned.commit_by_hand()
        (file,) = learned.call("show", "HEAD", "--json").json["files"]
        text = learned.read("MEMORY.md").split("\n")
        lines = [line for hunk in file["hunks"] for line in hunk["lines"] if line["new_line"]]
        assert all(text[line["new_line"] - 1] == line["text"] for line in lines)

    def test_the_run_that_learned_is_named(self, learned):
        run = learned.call("log", "--json").json["commits"][0]["provenance"]["run"]
        assert f"run      {run}" in learned.call("show", "HEAD").out

    def test_a_secret_in_the_history_is_never_printed(self, learned):
        write(learned, "reference/keys.md", f"---\ndescription: keys\n---\nuse {FAKE_SECRET}\n")
        learned.git("add", "--all")
        learned.git("commit", "--quiet", "--message", f"note {FAKE_SECRET}")
        for words in (
            ("show", "HEAD"),
            ("diff", "HEAD~1"),
            ("log",),
            ("blame", "reference/keys.md"),
            ("undo", "--dry-run"),
        ):
            for told in (learned.call(*words), learned.call(*words, "--json")):
                assert FAKE_SECRET not in told.out + told.err
                assert "[secret:" in told.out


class TestDiff:
    def test_without_a_revision_it_is_what_was_edited_by_hand(self, learned):
        assert learned.call("diff").out == "nothing was edited by hand since the last commit\n"
        learned.edit("MEMORY.md", RULE, "pnpm only")
        write(learned, "reference/new.md", "---\ndescription: new\n---\n")
        assert [file["path"] for file in learned.call("diff", "--json").json["files"]] == [
            "MEMORY.md",
            "reference/new.md",
        ]

    def test_it_is_exactly_what_adopt_takes_in(self, learned):
        learned.edit("MEMORY.md", RULE, "pnpm only")
        (learned.memory / "memory_summary.md").unlink()
        edits = learned.call("diff", "--json").json["files"]
        learned.call("adopt")
        assert learned.call("diff", "HEAD~1", "--json").json["files"] == edits

    def test_what_cannot_become_memory_is_named_with_its_reason(self, learned):
        write(learned, "reference/bad.md", f"no header {FAKE_SECRET}\n")
        answer = learned.call("diff")
        assert answer.out.startswith("left out  reference/bad.md: ")
        assert FAKE_SECRET not in answer.out

    def test_one_revision_is_compared_with_the_newest_and_two_with_each_other(self, learned):
        learned.call("note", "call her Ada")
        learned.call("undo")
        assert learned.call("diff", "HEAD~2", "--json").json["files"] == []
        (file,) = learned.call("diff", "HEAD~2", "HEAD~1", "--json").json["files"]
        (back,) = learned.call("diff", "HEAD~1", "HEAD~2", "--json").json["files"]
        assert (file["kind"], back["kind"]) == ("A", "D")

    def test_paths_narrow_it(self, learned):
        learned.edit("MEMORY.md", RULE, "pnpm only")
        learned.edit(
            "system/human.md",
            "---\n",
            "---\n",
        )
        write(learned, "system/human.md", learned.read("system/human.md") + "They like tea.\n")
        for words, paths in (
            (["diff", "--json", "--", "system"], ["system/human.md"]),
            (["diff", "--json", "--", "MEMORY.md", "system/human.md"], ["MEMORY.md", "system/human.md"]),
            (["diff", "--json", "--", "memory_summary.md"], []),
        ):
            assert [file["path"] for file in learned.call(*words).json["files"]] == paths

    @pytest.mark.parametrize(
        ("words", "code", "error"),
        [
            (("nothing",), 1, "not_found"),
            (("HEAD", "nothing"), 1, "not_found"),
            (("--", "reference/none.md"), 1, "not_found"),
            (("HEAD", "HEAD", "HEAD"), 2, "usage"),
        ],
    )
    def test_what_is_not_there_is_an_error(self, learned, words, code, error):
        # `--json` stands first: behind `--` everything is a path.
        assert learned.call("diff", "--json", *words, code=code).error["code"] == error

    def test_of_two_equal_states_it_says_so(self, learned):
        assert "do not differ" in learned.call("diff", "HEAD").out


class TestBlame:
    def test_every_line_has_its_day_its_writer_and_its_commit(self, learned):
        learned.edit("MEMORY.md", RULE, "pnpm only")
        learned.commit_by_hand()
        learned.edit("MEMORY.md", OTHER, "tabs")
        lines = learned.call("blame", "MEMORY.md").out.splitlines()
        by_words = {line[48:]: line[:48].split("  ") for line in lines if line[48:].startswith("- ")}
        assert "you (edit)" in by_words["- pnpm only"]
        assert any("not committed" in part for part in by_words["- tabs"])
        assert "learned" in next(line for line in lines if "# Task Group" in line)
        assert "vade:" not in "\n".join(lines)

    def test_the_commits_stand_below_once_each(self, learned):
        learned.edit("MEMORY.md", RULE, "pnpm only")
        learned.commit_by_hand()
        below = learned.call("blame", "MEMORY.md").out.split("\n\n")[-1].splitlines()
        assert sorted(line[30:43].rstrip() for line in below) == ["learned", "you (edit)"]

    @pytest.mark.parametrize(
        ("path", "code", "error"), [("reference/none.md", 1, "not_found"), ("../x.md", 4, "unsafe_path")]
    )
    def test_what_is_not_there_is_an_error(self, learned, path, code, error):
        assert learned.call("blame", path, "--json", code=code).error["code"] == error


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_persons_own_lines_stay_theirs_when_a_run_moves_them(product):
    product.tell(ruled("always use pnpm here, never npm", "please always indent with tabs in this project"))
    product.learn()
    text = product.read("MEMORY.md").replace("- always use pnpm here", "- use pnpm 9 here", 1)
    text = text.replace("## User preferences\n", "## User preferences\n- ask before a release\n", 1)
    (product.memory / "MEMORY.md").write_text(text)
    product.tell(ruled("never edit generated files by hand", label="s2"))
    product.learn()
    assert "vade:yours" in product.read("MEMORY.md")
    lines = product.call("blame", "MEMORY.md").out.splitlines()
    hands = {"ask before a release": "you (edit)", "use pnpm 9": "you (edit)", "never edit generated": "learned"}
    for words, hand in hands.items():
        told = [line for line in lines if words in line and "  - " in line and "keywords" not in line]
        assert told
        assert all(hand in line for line in told), told


def test_blame_tells_of_one_line_or_some(product):
    product.call("memory", "create", "reference/a.md", "--description", "x", "--text", "one\ntwo\nthree\n")
    out = product.call("blame", "reference/a.md:5").out
    assert "two" in out
    assert "three" not in out
    lines = product.call("blame", "reference/a.md:5-6", "--json").json["lines"]
    assert [line["text"] for line in lines] == ["two", "three"]
    assert product.call("blame", "reference/a.md:99", "--json", code=2).error["code"] == "usage"


def test_show_without_a_revision_is_the_newest_commit(product):
    product.call("note", "the till is green")
    assert product.call("show").out == product.call("show", "HEAD").out
