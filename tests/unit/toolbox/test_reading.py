import pytest

from support.memfs import git
from support.two_projects import SHOP_RULE
from vademecum.toolbox.answers import MAX_ANSWER_BYTES

PAGE = "reference/long.md"


def make(memory, text, path=PAGE):
    memory.edit.create(path, description="A page", text=text, reason="r")


class TestRead:
    def test_every_line_has_its_number_in_the_file(self, learned, ask):
        """codex-W42: citations name lines, so an answer numbers them."""
        answer = ask("memory_read", path="MEMORY.md")
        file = learned.folder.memory.joinpath("MEMORY.md").read_text().splitlines()
        head, *lines = answer.text.splitlines()
        assert head == f"MEMORY.md, lines 1-{len(file)} of {len(file)}"
        numbered = dict(line.split(": ", 1) for line in lines if ": " in line)
        (at,) = [number for number, line in numbered.items() if line == f"- {SHOP_RULE}"]
        assert file[int(at) - 1].startswith(f"- {SHOP_RULE}")

    def test_the_marks_of_bullets_are_not_shown(self, ask):
        answer = ask("memory_read", path="MEMORY.md")
        assert "<!--" not in answer.text
        assert "<!--" not in answer.data["content"]

    def test_lines_are_named_as_search_names_them_or_by_offset(self, ask):
        by_name = ask("memory_read", path="MEMORY.md:2-3")
        by_offset = ask("memory_read", path="MEMORY.md", offset=2, limit=2)
        assert by_name == by_offset
        assert by_name.data["start_line"] == 2
        assert by_name.data["next_offset"] == 4

    @pytest.mark.parametrize(
        "arguments", [{"path": "MEMORY.md:2", "limit": 3}, {"path": "MEMORY.md:3-2"}, {"path": "MEMORY.md:0"}]
    )
    def test_lines_that_are_named_twice_or_backwards_are_a_wrong_call(self, ask, arguments):
        answer = ask("memory_read", **arguments)
        assert answer.is_error
        assert answer.data["error"]["code"] == "usage"

    def test_a_line_past_the_end_is_refused_with_both_numbers(self, ask):
        """codex-A20"""
        total = ask("memory_read", path="MEMORY.md").data["total_lines"]
        answer = ask("memory_read", path="MEMORY.md", offset=total + 1)
        assert answer.is_error
        assert f"line {total + 1} is outside" in answer.text
        assert f"{total} lines" in answer.text

    def test_a_large_file_comes_in_portions_that_miss_nothing(self, learned, ask):
        """codex-A20: each answer says where to go on, and all of them are the file."""
        make(learned, "".join(f"line {number} {'é' * 60}\n" for number in range(900)))
        seen, offset = [], 1
        while offset is not None:
            answer = ask("memory_read", path=PAGE, offset=offset, limit=2_000)
            assert len(answer.text.encode()) <= MAX_ANSWER_BYTES
            if answer.data["next_offset"]:
                assert f"go on with offset={answer.data['next_offset']}" in answer.text
            seen += answer.data["content"].split("\n")
            offset = answer.data["next_offset"]
        assert "\n".join(seen) + "\n" == learned.tree().read(PAGE)

    @pytest.mark.parametrize("length", [6_000, 40_000, 120_000])
    def test_a_line_that_is_too_long_is_cut_and_says_so(self, learned, ask, length):
        make(learned, f"before\n{'ü' * length}\nafter\n")
        answer = ask("memory_read", path=PAGE)
        assert len(answer.text.encode()) <= MAX_ANSWER_BYTES
        assert "the rest of this line is left out" in answer.text
        rest = ask("memory_read", path=PAGE, offset=6)
        assert "6: after" in rest.text

    def test_a_folder_is_answered_with_what_lies_in_it(self, ask):
        answer = ask("memory_read", path="rollout_summaries")
        assert not answer.is_error
        assert "This is a folder" in answer.text
        assert answer.data["total"] == 2

    def test_what_is_not_there_is_an_error_that_names_a_tool(self, ask):
        answer = ask("memory_read", path="MEMROY.md")
        assert answer.is_error
        assert "Did you mean MEMORY.md?" in answer.text
        assert "memory_list" in ask("memory_read", path="zzz").text

    @pytest.mark.parametrize("path", ["../state.db", ".git/config", "/etc/passwd", "memory/../../config.toml"])
    def test_nothing_outside_of_memory_and_no_git_is_opened(self, ask, path):
        """codex-W42"""
        assert ask("memory_read", path=path).is_error

    def test_lines_with_carriage_returns_are_read_as_lines(self, learned, ask):
        file = learned.folder.memory / "log" / "day.md"
        file.parent.mkdir()
        file.write_bytes(b"one\r\ntwo\r\n")
        git(learned.folder.memory, "add", "log/day.md")
        git(learned.folder.memory, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "by hand")
        assert ask("memory_read", path="log/day.md").text.splitlines()[1:] == ["1: one", "2: two"]


class TestList:
    def test_the_root_shows_files_and_folders_and_no_git(self, ask):
        """codex-W42"""
        answer = ask("memory_list")
        paths = [entry["path"] for entry in answer.data["entries"]]
        assert "MEMORY.md" in paths
        assert "rollout_summaries/" in paths
        assert not [path for path in paths if path.startswith(".")]

    def test_every_file_says_what_it_is_about(self, learned, ask):
        make(learned, "text\n")
        learned.note("the heron sleeps on Sundays")
        for folder, about in (
            ("reference", "A page"),
            ("extensions/ad_hoc/notes", "the heron sleeps on Sundays"),
            ("rollout_summaries", "/srv/shop"),
        ):
            assert about in ask("memory_list", path=folder).text

    def test_the_newest_recap_comes_first(self, ask):
        first, second = ask("memory_list", path="rollout_summaries").data["entries"]
        assert first["path"] > second["path"]

    def test_pages_join_to_the_whole_and_the_end_says_that_it_is_one(self, ask):
        whole = ask("memory_list").data["entries"]
        seen, offset = [], 0
        while offset is not None:
            page = ask("memory_list", offset=offset, limit=2)
            assert len(page.data["entries"]) <= 2
            seen += page.data["entries"]
            offset = page.data["next_offset"]
        assert seen == whole
        past = ask("memory_list", offset=len(whole))
        assert not past.is_error
        assert "no more entries" in past.text

    def test_a_file_is_one_entry(self, ask):
        assert [entry["path"] for entry in ask("memory_list", path="MEMORY.md").data["entries"]] == ["MEMORY.md"]

    def test_a_large_folder_never_floods_a_context(self, learned, ask):
        files = "".join(f"*** Add File: log/{number:03d}.md\n+{'x' * 150}\n" for number in range(250))
        learned.edit.patch(f"*** Begin Patch\n{files}*** End Patch", reason="r")
        answer = ask("memory_list", path="log", limit=200)
        assert len(answer.text.encode()) <= MAX_ANSWER_BYTES
        assert answer.data["total"] == 250
        assert answer.data["next_offset"] == len(answer.data["entries"])
