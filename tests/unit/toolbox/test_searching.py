import pytest

from support.two_projects import SHOP, SHOP_RULE, TALK, TILL, TILL_RULE
from vademecum.toolbox.answers import MAX_ANSWER_BYTES


def snippets(answer):
    return [result["snippet"] for result in answer.data["results"]]


class TestMemorySearch:
    def test_each_result_names_file_and_lines_that_hold_it(self, learned, ask):
        """codex-A19: what stands behind `path:line` is what was found."""
        answer = ask("memory_search", query="heron pnpm")
        assert answer.data["results"]
        for result in answer.data["results"]:
            lines = learned.read(result["path"], offset=result["line_start"]).content.split("\n")
            first = result["snippet"].split("\n")[0]
            assert lines[0].startswith(first)
            assert f"{result['path']}:{result['line_start']}" in answer.text
            assert f"  {result['line_start']}: {first}" in answer.text

    def test_it_has_the_shape_of_the_command(self, ask):
        answer = ask("memory_search", query="heron")
        assert set(answer.data) == {"query", "total", "results", "next_offset"}
        assert set(answer.data["results"][0]) == {
            "kind",
            "path",
            "line_start",
            "line_end",
            "snippet",
            "score",
            "updated_at",
            "project",
        }

    def test_it_never_answers_with_what_was_said_in_a_session(self, ask):
        for query in ("walrus", "in:sessions walrus", "in:all walrus"):
            assert {result["kind"] for result in ask("memory_search", query=query).data["results"]} <= {"memory"}

    def test_the_best_answer_comes_first(self, learned, ask):
        learned.edit.create(
            "reference/a.md", description="a", text="a cormorant, and then a lot of words\n", reason="r"
        )
        learned.edit.create("reference/b.md", description="b", text="the cormorant reads the manual\n", reason="r")
        answer = ask("memory_search", query="cormorant manual")
        assert [result["path"] for result in answer.data["results"]] == ["reference/b.md", "reference/a.md"]

    def test_filters_narrow_by_path_and_project(self, ask):
        only = ask("memory_search", query="never", path="MEMORY.md").data["results"]
        assert {result["path"] for result in only} == {"MEMORY.md"}
        assert {
            result["project"] for result in ask("memory_search", query="never", project="till").data["results"]
        } == {TILL}

    def test_an_open_quote_does_not_take_the_filters_away(self, ask):
        """codex-A19"""
        answer = ask("memory_search", query='"never', project='ti"ll')
        assert answer.data["results"] == []
        kept = ask("memory_search", query='"never', project="till")
        assert kept.data["results"]
        assert {result["project"] for result in kept.data["results"]} == {TILL}

    def test_days_alone_list_what_is_newest(self, ask):
        answer = ask("memory_search", after="2026-11-10", path="rollout_summaries/")
        assert "newest first" in answer.text
        assert answer.data["results"]
        assert {result["updated_at"][:10] for result in answer.data["results"]} == {"2026-11-20"}

    @pytest.mark.parametrize("name", ["after", "before"])
    def test_a_day_that_is_none_is_a_wrong_call(self, ask, name):
        """codex-A19"""
        answer = ask("memory_search", query="x", **{name: "yesterday"})
        assert answer.is_error
        assert "is no day" in answer.text

    def test_what_looks_like_a_filter_and_is_none_is_told(self, ask):
        assert "`colour:red` is no filter" in ask("memory_search", query="heron colour:red").text

    def test_pages_join_to_the_whole(self, ask):
        """codex-A19"""
        whole = ask("memory_search", query="never deploy till heron", limit=50).data["results"]
        seen, offset = [], 0
        while offset is not None:
            page = ask("memory_search", query="never deploy till heron", limit=2, offset=offset)
            seen += page.data["results"]
            offset = page.data["next_offset"]
        assert seen == whole
        assert "No more results" in ask("memory_search", query="heron", offset=40).text

    def test_nothing_found_says_what_to_do(self, ask):
        answer = ask("memory_search", query="zyzzyva")
        assert not answer.is_error
        assert answer.text.startswith("Nothing was found")

    def test_many_results_never_flood_a_context(self, learned, ask):
        files = "".join(f"*** Add File: log/{number:03d}.md\n+gannet {'é' * 290}\n" for number in range(60))
        learned.edit.patch(f"*** Begin Patch\n{files}*** End Patch", reason="r")
        answer = ask("memory_search", query="gannet", limit=50)
        assert len(answer.text.encode()) <= MAX_ANSWER_BYTES
        assert answer.data["next_offset"] == len(answer.data["results"]) < 50


class TestSessionSearch:
    def test_a_result_names_session_turn_day_program_and_project(self, ask, id_of):
        answer = ask("session_search", query="walrus cache")
        result = answer.data["results"][0]
        assert result["session_id"] == id_of(SHOP)
        assert (result["line_start"], result["project"], result["host"]) == (2, SHOP, "claude-code")
        assert f"session {id_of(SHOP)}, turn 2  2026-11-02  claude-code  {SHOP}\n  {TALK}" in answer.text

    def test_the_recap_of_each_session_is_named_and_can_be_opened(self, ask, id_of):
        answer = ask("session_search", query="walrus")
        (path,) = answer.data["recaps"].values()
        assert f"recap of {id_of(SHOP)}: {path}" in answer.text
        assert not ask("memory_read", path=path).is_error

    @pytest.mark.parametrize(
        ("narrowed", "said"),
        [
            ({"project": "till"}, TILL_RULE),
            ({"host": "pi"}, TILL_RULE),
            ({"after": "2026-11-10"}, TILL_RULE),
            ({"before": "2026-11-10"}, SHOP_RULE),
        ],
    )
    def test_filters_narrow_by_project_program_and_days(self, ask, narrowed, said):
        assert said in snippets(ask("session_search", query="never", **narrowed))
        assert {SHOP_RULE, TILL_RULE} & set(snippets(ask("session_search", query="never", **narrowed))) == {said}

    def test_a_lost_index_finds_memory_at_once_and_says_what_is_missing(self, learned, ask):
        learned.folder.search.unlink()
        answer = ask("session_search", query="walrus")
        assert answer.data["results"] == []
        assert "the index was lost" in answer.text
        assert ask("memory_search", query="heron").data["results"]
        learned.search("walrus")
        assert ask("session_search", query="walrus").data["results"]


def test_very_many_new_files_do_not_hold_an_answer_up_and_the_next_search_goes_on(learned, ask, monkeypatch):
    learned.edit.create("log/a.md", description="a", text="gannet\n", reason="r")
    monkeypatch.setattr("vademecum.engine.searching._HASTY_SECONDS", 0)
    answer = ask("memory_search", query="gannet")
    assert answer.data["results"] == []
    assert "not all are read yet" in answer.text
    monkeypatch.undo()
    again = ask("memory_search", query="gannet")
    assert again.data["results"]
    assert "not all are read yet" not in again.text
