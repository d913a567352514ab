import importlib
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vademecum.recall.index import SearchIndex
from vademecum.recall.query import HitKind, no_filters
from vademecum.recall.search import Visibility, search


@pytest.fixture
def ask(index: SearchIndex):
    """The names (path, or session and turn) of the hits for a query."""

    def call(query: str, **options: object) -> list[str]:
        hits = search(index, query, **options).hits
        return [hit.path or f"{hit.session_id}:{hit.line_start}" for hit in hits]

    return call


def test_a_question_in_plain_words_finds_what_holds_any_of_them(index: SearchIndex, ask, tree):
    index.sync_memory(tree({"a.md": "We deploy with a script.", "b.md": "Apples."}))
    assert ask("how do I deploy the website?") == ["a.md"]


def test_english_words_are_found_in_every_form(index: SearchIndex, ask, tree):
    index.sync_memory(tree({"a.md": "deploying the migrations"}))
    assert ask("deployed migration") == ["a.md"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("call parseTree first", "parse_tree"),
        ("call parseTree first", "tree"),
        ("call parse_tree first", "parseTree"),
        ("the max-retry-count setting", "max_retry_count"),
        ("the max-retry-count setting", "retry"),
        ("see src/app/main.py", "main.py"),
        ("see src/app/main.py", "src/app"),
        ("start HTTPServer", "server"),
        ("café crème", "cafe"),
        ("ＡＰＩ　ｋｅｙ", "api"),
    ],
)
def test_identifiers_are_found_by_their_parts_and_in_other_spellings(index: SearchIndex, ask, tree, text, query):
    index.sync_memory(tree({"a.md": text}))
    assert ask(query) == ["a.md"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("请用部署脚本发布网站", "部署"),
        ("请用部署脚本发布网站", "部署脚"),
        ("请用部署脚本发布网站", "部署脚本"),
        ("请用部署脚本发布网站", '"部署脚本"'),
        ("请用部署脚本发布网站", "站"),
        ("请用部署脚本发布网站", "请"),
        ("データベースを移行する", "データベース"),
        ("データベースを移行する", "移行"),
        ("데이터베이스를 옮긴다", "데이터베이스"),
        ("데이터베이스를 옮긴다", "베이스"),
        ("使用pnpm安装依赖", "pnpm"),
        ("使用pnpm安装依赖", "pnpm安装"),
        ("使用 pnpm 安装 React", "react 安装"),
    ],
)
def test_text_without_blanks_is_found_by_any_part(index: SearchIndex, ask, tree, text, query):
    """user-U53: Chinese, Japanese and Korean, two to four signs, mixed text, and single signs."""
    index.sync_memory(tree({"a.md": text, "b.md": "其他 他の 다른 other"}))
    assert ask(query) == ["a.md"]


def test_a_question_in_chinese_ranks_the_best_answer_first(index: SearchIndex, ask, tree):
    index.sync_memory(tree({"a.md": "数据库在哪里备份", "b.md": "部署脚本在 scripts 目录"}))
    assert ask("部署脚本在哪里")[0] == "b.md"


def test_exact_words_stand_before_all_words_before_any_words(index: SearchIndex, ask, tree):
    files = {
        "any.md": "blue blue blue blue",
        "all.md": "green then blue",
        "exact.md": "words " * 60 + "blue green " + "words " * 60,
    }
    index.sync_memory(tree(files))
    assert ask("blue green") == ["exact.md", "all.md", "any.md"]


def test_a_long_run_of_signs_is_exact_where_it_stands_in_one_piece(index: SearchIndex, ask, tree):
    index.sync_memory(tree({"all.md": "脚本在部署脚，署脚本", "exact.md": "他 " * 40 + "部署脚本在" + " 他" * 40}))
    assert ask("部署脚本在") == ["exact.md", "all.md"]


def test_neither_age_nor_use_pushes_an_exact_hit_down(index: SearchIndex, ask, talk):
    index.sync_sessions([talk("old", "blue green"), talk("new", "green blue", day=900)])
    assert ask("blue green", usage={"new": 1000}) == ["old:1", "new:1"]


def test_of_two_equal_hits_the_newer_stands_first(index: SearchIndex, ask, talk):
    index.sync_sessions([talk("old", "apples"), talk("new", "apples", day=90), talk("mid", "apples", day=30)])
    assert ask("apples") == ["new:1", "mid:1", "old:1"]


def test_of_two_equal_hits_the_used_one_stands_first(index: SearchIndex, ask, tree):
    index.sync_memory(tree({"a.md": "apples", "b.md": "apples"}))
    assert ask("apples", usage={"b.md": 3}) == ["b.md", "a.md"]


def test_a_phrase_must_be_there(index: SearchIndex, ask, tree):
    index.sync_memory(tree({"a.md": "blue green deploy", "b.md": "green blue deploy", "c.md": "deploy"}))
    assert ask('"blue green" deploy') == ["a.md"]


def test_an_excluded_word_must_not_be_there(index: SearchIndex, ask, tree):
    index.sync_memory(tree({"a.md": "deploy to heroku", "b.md": "deploy to fly"}))
    assert ask("deploy -heroku") == ["b.md"]
    assert ask('deploy -"to fly"') == ["a.md"]


def test_a_word_of_a_neighbour_neither_excludes_nor_makes_a_phrase(index: SearchIndex, ask, talk):
    index.sync_sessions([talk("s", "about heroku blue", "green deploy")])
    assert ask("deploy -heroku") == ["s:2"]
    assert ask('"blue green"') == []


def test_a_short_answer_is_found_by_what_was_asked(index: SearchIndex, ask, talk):
    index.sync_sessions([talk("s", "which port does the gateway use?", "8443", "thanks", "bye")])
    assert ask("gateway")[:2] == ["s:1", "s:2"]


@pytest.mark.parametrize("query", ["gateway", "gateway -heroku", '"the gateway"', "port gateways in:sessions host:h"])
def test_what_holds_none_of_the_words_itself_is_marked(index: SearchIndex, talk, query):
    """Without that, such a hit looks like a mistake."""
    index.sync_sessions([talk("s", "which port does the gateway use?", "8443 since heroku", "8443 then", "bye")])
    hits = search(index, query).hits
    assert hits
    assert {hit.line_start for hit in hits if not hit.is_beside} == {1}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("apples in:memory", {"reference/a.md", "rollout_summaries/r.md"}),
        ("apples in:sessions", {"s1:1", "s2:1"}),
        ("apples path:reference/", {"reference/a.md"}),
        ("apples path:REFERENCE path:rollout", {"reference/a.md", "rollout_summaries/r.md"}),
        ("apples project:shop", {"s1:1", "rollout_summaries/r.md"}),
        ("apples host:other", {"s2:1"}),
        ("apples in:sessions after:2026-11-05", {"s2:1"}),
        ("apples in:sessions before:2026-11-05", {"s1:1"}),
        ("apples in:memory after:2026-11-05", {"reference/a.md"}),
        ("project:shop", {"s1:1", "rollout_summaries/r.md"}),
        ("apples project:SRV project:shop", {"s1:1", "s2:1", "rollout_summaries/r.md"}),
        ("apples project:srv host:other after:2026-11-05", {"s2:1"}),
        ("apples project:shop path:rollout", {"rollout_summaries/r.md"}),
        ("apples project:nowhere", set()),
    ],
)
def test_filters_narrow_the_search_and_what_has_no_time_passes(index: SearchIndex, ask, tree, talk, query, expected):
    summary = "---\nsession_id: s0\ncwd: /srv/shop\nupdated_at: 2026-11-01T00:00:00Z\n---\napples\n"
    index.sync_memory(tree({"reference/a.md": "apples", "rollout_summaries/r.md": summary}))
    index.sync_sessions([talk("s1", "apples"), talk("s2", "apples", day=9, cwd="/srv/api", host="other")])
    assert set(ask(query)) == expected
    assert search(index, query).total == len(expected)


def test_filters_alone_list_what_is_newest_first(index: SearchIndex, ask, talk):
    index.sync_sessions([talk("old", "x"), talk("new", "y", day=5), talk("mid", "z", day=2)])
    assert ask("in:sessions") == ["new:1", "mid:1", "old:1"]
    assert ask("in:sessions", limit=1, offset=1) == ["mid:1"]


@pytest.mark.parametrize("query", ["apples", "in:memory", '"apples and"'])
def test_a_hidden_file_is_neither_shown_nor_counted(index: SearchIndex, ask, tree, query):
    index.sync_memory(tree({"a.md": "apples and plums", "b.md": "apples and pears"}))
    visibility = Visibility(hidden_paths=frozenset({"b.md"}))
    assert set(ask(query)) == {"a.md", "b.md"}
    assert ask(query, visibility=visibility) == ["a.md"]
    assert search(index, query, visibility=visibility).total == 1


@pytest.mark.parametrize("query", ["apples", "in:sessions", "apples in:sessions", "in:memory"])
def test_what_is_hidden_is_neither_shown_nor_counted(index: SearchIndex, ask, tree, talk, query):
    index.sync_sessions([talk("s1", "apples"), talk("s2", "apples")])
    index.sync_memory(tree({"rollout_summaries/r.md": "---\nsession_id: s1\n---\napples\n"}))
    visibility = Visibility(hidden_sessions=frozenset({"s1"}))
    assert set(ask(query, visibility=visibility)) <= {"s2:1"}
    assert search(index, query, visibility=visibility).total == len(ask(query, visibility=visibility))


def test_what_one_query_hid_the_next_may_show(index: SearchIndex, ask, talk):
    index.sync_sessions([talk("s1", "apples")])
    assert ask("apples in:sessions", visibility=Visibility(hidden_sessions=frozenset({"s1"}))) == []
    assert ask("apples") == ["s1:1"]


def test_pages_join_without_gap_or_double(index: SearchIndex, ask, talk):
    index.sync_sessions(
        [talk(f"s{n}", f"apples {'pears ' * (n % 7)}{'blue ' * (n % 3)}", day=n % 40) for n in range(300)]
    )
    whole = ask("apples pears blue", limit=300)
    pages = [hit for offset in range(0, 300, 45) for hit in ask("apples pears blue", limit=45, offset=offset)]
    assert pages == whole
    assert len(set(whole)) == 300


def test_common_words_do_not_hide_what_the_rare_one_finds(index: SearchIndex, ask, talk, monkeypatch):
    monkeypatch.setattr(importlib.import_module("vademecum.recall.search"), "_MANY", 20)
    index.sync_sessions([talk(f"s{n}", "apples pears") for n in range(60)])
    index.sync_sessions([talk("rare", "a quince and apples")])
    assert ask("apples pears quince")[0] == "rare:1"
    assert search(index, "apples pears quince", limit=100).total == 61
    assert len(ask("apples pears quince", limit=100)) == 61


def test_scores_fall_from_hit_to_hit(index: SearchIndex, talk):
    index.sync_sessions([talk(f"s{n}", "apples " * (n + 1) + "pears " * (n % 2), day=n) for n in range(20)])
    scores = [hit.score for hit in search(index, "apples pears", limit=20).hits]
    assert scores == sorted(scores, reverse=True)


def test_a_hit_says_where_it_stands_and_why(index: SearchIndex, tree):
    text = "---\ndescription: d\n---\n\n# Head\n\nfirst words\n\nthe apples <!-- vade:3fa91c07be s#t1 -->\n"
    index.sync_memory(tree({"reference/a.md": text}))
    (hit,) = search(index, "apples").hits
    assert hit.kind is HitKind.MEMORY
    assert (hit.line_start, hit.line_end) == (9, 9)
    assert hit.snippet == "the apples"
    assert "bm25" in hit.explanation


def test_a_note_says_when_it_was_made_and_the_handbook_nothing(index: SearchIndex, ask, tree):
    """A line of the handbook has no time of its own: looking its commit up would cost a walk through the history."""
    note = "---\ndescription: d\ncreated_at: 2026-11-30T13:02:12Z\norigin: human\n---\napples\n"
    path = "extensions/ad_hoc/notes/2026-11-30T13-02-12-apples.md"
    index.sync_memory(tree({path: note, "MEMORY.md": "# Task Group: /srv/shop\n\n## User preferences\n- apples\n"}))
    times = {hit.path: hit.updated_at for hit in search(index, "apples").hits}
    assert times == {path: datetime(2026, 11, 30, 13, 2, 12, tzinfo=UTC), "MEMORY.md": None}
    assert set(ask("apples before:2026-11-30")) == {"MEMORY.md"}


def test_a_rule_of_the_handbook_is_found_by_its_project(index: SearchIndex, ask, tree):
    handbook = "# Task Group: everywhere\n- apples\n\n# Task Group: /srv/shop\n- green apples\n"
    index.sync_memory(tree({"MEMORY.md": handbook}))
    (hit,) = search(index, "apples project:shop in:memory").hits
    assert (hit.project, hit.line_end) == ("/srv/shop", 5)
    assert len(ask("apples in:memory")) == 2


FACT = "use apples, never pears"


def group(project: str, *bullets: str) -> str:
    lines = "\n".join(f"- {bullet} <!-- vade:3fa91c07be s#t1 -->" for bullet in bullets)
    return f"# Task Group: {project}\n\n## User preferences\n{lines}\n"


class TestRepeatedFacts:
    """A person who searches wants each fact once."""

    def test_a_fact_in_summary_handbook_and_rollout_summary_is_one_hit(self, index: SearchIndex, tree):
        rollout = f"---\ncwd: /srv/shop\n---\n- [t4] rule/project 2026-11-02T10:00:00Z: {FACT}\n"
        files = {
            "memory_summary.md": f"v1\n\n## User preferences\n### /srv/shop\n- {FACT}\n",
            "MEMORY.md": group("/srv/shop", FACT),
            "rollout_summaries/a.md": rollout,
        }
        index.sync_memory(tree(files))
        result = search(index, "apples")
        assert (len(result.hits), result.total) == (1, 1)

    def test_the_same_words_in_another_project_are_another_fact(self, index: SearchIndex, tree):
        index.sync_memory(tree({"MEMORY.md": group("/srv/shop", FACT) + "\n" + group("/srv/bank", FACT)}))
        assert {hit.project for hit in search(index, "apples").hits} == {"/srv/shop", "/srv/bank"}

    def test_a_passage_that_says_more_is_not_hidden(self, index: SearchIndex, tree):
        files = {
            "MEMORY.md": group("/srv/shop", FACT),
            "a.md": f"---\ncwd: /srv/shop\n---\n- {FACT}\n- eat apples raw\n",
        }
        index.sync_memory(tree(files))
        assert any("eat apples raw" in hit.snippet for hit in search(index, "apples").hits)

    def test_pages_follow_each_other_without_gap_or_repetition(self, index: SearchIndex, tree):
        files = {f"reference/{n}.md": f"- apples number {n // 2}\n" for n in range(60)}
        index.sync_memory(tree(files))
        pages = [search(index, "apples", limit=7, offset=offset) for offset in range(0, 63, 7)]
        said = [hit.snippet for page in pages for hit in page.hits]
        assert len(said) == len(set(said)) == 30
        assert pages[-1].total == 30

    def test_what_was_said_in_sessions_is_shown_beside_it(self, index: SearchIndex, talk, tree):
        index.sync_memory(tree({"MEMORY.md": group("/srv/shop", FACT)}))
        index.sync_sessions([talk("s1", FACT, "fine")])
        assert {hit.kind for hit in search(index, "apples").hits} == {HitKind.MEMORY, HitKind.SESSION}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("apples project:shop", ()),
        ("foo:bar apples", ("foo:bar",)),
        ("-foo:bar", ()),
    ],
)
def test_what_only_looks_like_a_filter_is_named(query: str, words: tuple[str, ...]):
    assert no_filters(query) == words


@pytest.mark.parametrize("limit", [0, -1])
def test_a_page_without_room_is_empty(index: SearchIndex, ask, tree, limit: int):
    index.sync_memory(tree({"a.md": "apples"}))
    assert ask("apples", limit=limit) == []


@pytest.mark.parametrize(
    "piece", ["word{} ", '"phrase {}" ', "-not{} ", "path:{} ", "camelCase{} ", "部署脚本 ", "a" * 50]
)
def test_a_pasted_page_is_answered_like_any_query(index: SearchIndex, ask, tree, piece: str):
    index.sync_memory(tree({"a.md": "apples"}))
    ask("apples " + "".join(piece.format(number) for number in range(2000)))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.one_of(st.text(), st.text(alphabet=st.sampled_from('ab"*-:^(){}+ANDORNEAT猫 \x00\n'), max_size=30)))
def test_no_query_is_an_error(index: SearchIndex, talk, query: str):
    index.sync_sessions([talk("s1", "ab AND or NEAR 猫", "b a")])
    result = search(index, query)
    assert result.total >= len(result.hits)
