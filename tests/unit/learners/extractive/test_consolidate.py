import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.handbook import group_preferences
from support.learned import SHOP, TILL, note, removed, said, session, task
from vademecum.artifacts import (
    EVERYWHERE,
    Kind,
    Reach,
    bullet_key,
    check_handbook,
    check_summary,
    parse_bullet,
)
from vademecum.learners.extractive.consolidate import consolidate
from vademecum.memfs.pages.rules import MAX_FILE_BYTES

HANDBOOK, SUMMARY = "MEMORY.md", "memory_summary.md"


def handbook(*sessions, **options):
    return consolidate(task(*sessions, **options)).texts[HANDBOOK]


def preferences(text, project=SHOP):
    return [bullet.text for bullet in group_preferences(text, project)]


def keys(text):
    bullets = (parse_bullet(line) for line in text.split("\n"))
    return {bullet.text: bullet.key for bullet in bullets if bullet and bullet.key}


class TestArtefacts:
    SESSIONS = (
        session("s1", said("use pnpm"), said("test with `make check`", kind=Kind.COMMAND)),
        session("s2", said("answer in English", reach=Reach.GENERAL), cwd=TILL, day=1),
    )

    def test_both_keep_their_grammar(self):
        written = consolidate(task(*self.SESSIONS)).texts
        known = frozenset(s.path for s in self.SESSIONS)
        assert check_handbook(written[HANDBOOK], known_paths=known) == []
        assert check_summary(written[SUMMARY]) == []

    def test_nothing_known_keeps_the_grammar_too(self):
        written = consolidate(task()).texts
        assert written[HANDBOOK] == ""
        assert check_summary(written[SUMMARY]) == []

    def test_the_same_input_gives_the_same_bytes(self):
        assert consolidate(task(*self.SESSIONS)) == consolidate(task(*self.SESSIONS))

    def test_every_session_is_reachable_from_the_index_and_has_a_task(self):
        """codex-18.6: every task group must be reachable from at least one index topic."""
        written = consolidate(task(*self.SESSIONS)).texts
        for one in self.SESSIONS:
            assert one.path in written[SUMMARY]
            assert one.path in written[HANDBOOK]

    def test_projects_have_groups_of_their_own_and_general_rules_stand_apart(self):
        text = handbook(*self.SESSIONS)
        assert preferences(text, SHOP) == ["use pnpm"]
        assert preferences(text, TILL) == []
        assert preferences(text, "") == ["answer in English"]
        assert f"# Task Group: {EVERYWHERE}" in text

    @pytest.mark.slow
    @pytest.mark.timeout(30)
    def test_a_person_with_many_sessions_still_gets_a_handbook_that_may_land(self):
        """However many sessions: the file must pass the size check."""
        many = [
            session(
                f"0199a000-0000-7000-8000-{n:012d}",
                said(f"rule{n} about module{n}"),
                said(f"`tool{n} run` failed (Error{n}: {'x' * 80}); it worked", kind=Kind.FAILURE),
                cwd=f"/home/ada/src/project-{n % 12}",
                day=n % 90,
                title=f"please look into the {n}th thing that broke and make it work again on every machine we have",
                tasks=4,
            )
            for n in range(256)
        ]
        written = consolidate(task(*many)).texts
        assert len(written[HANDBOOK].encode()) <= MAX_FILE_BYTES
        assert check_summary(written[SUMMARY]) == []


class TestPreferences:
    def test_newest_first_and_what_was_repeated_counts_more(self):
        text = handbook(
            session("s1", said("use pnpm here")),
            session("s2", said("write the changelog"), said("use pnpm here"), day=1),
            session("s3", said("keep functions small"), day=2),
        )
        assert preferences(text) == ["use pnpm here", "keep functions small", "write the changelog"]

    def test_what_was_reversed_stands_last_and_marked_and_not_in_the_summary(self):
        written = consolidate(
            task(session("s1", said("use npm here")), session("s2", said("use pnpm here"), day=1))
        ).texts
        found = group_preferences(written[HANDBOOK], SHOP)
        assert [(b.text, bool(b.superseded)) for b in found] == [("use pnpm here", False), ("use npm here", True)]
        assert "use npm here" not in written[SUMMARY]

    def test_a_request_made_once_is_no_preference(self):
        assert preferences(handbook(session("s1", said("rename the parser module", kind=Kind.REQUEST)))) == []

    def test_the_same_request_in_distinct_sessions_is_one(self):
        ask = "show me the plan before touching code"
        text = handbook(session("s1", said(ask, kind=Kind.REQUEST)), session("s2", said(ask, kind=Kind.REQUEST), day=1))
        (found,) = preferences(text)
        assert ask in found

    @pytest.mark.parametrize(
        "ask",
        [
            "can you explain what the build does?",
            "please explain how the build works",
            "the login total test is flaky, can you find out why and fix it?",
            "can you tell me where the config lives?",
            "kannst du mir erklären, was der Build macht?",
            "peux-tu expliquer ce que fait le build ?",
            "puedes explicar qué hace el build?",
            "请解释一下构建是做什么的",
            "ビルドが何をするか説明してください",
            "빌드가 무엇을 하는지 설명해 주세요",
        ],
    )
    def test_a_question_for_information_is_none_however_often_it_is_asked(self, ask):
        asked = [session(f"s{n}", said(ask, kind=Kind.REQUEST), day=n, cwd=(SHOP, TILL)[n % 2]) for n in range(4)]
        text = handbook(*asked)
        assert [preferences(text, scope) for scope in ("", SHOP, TILL)] == [[], [], []]

    @pytest.mark.parametrize(
        "ask",
        [
            "can you use tabs here?",
            "could you keep commits small?",
            "can you do the changelog too?",
            "please explain which modules you touched",
            "can you add tests that explain the behaviour?",
            "kannst du hier bitte Tabs verwenden?",
        ],
    )
    def test_a_request_in_the_form_of_a_question_stays_one(self, ask):
        asked = [session(f"s{n}", said(ask, kind=Kind.REQUEST), day=n) for n in range(2)]
        assert preferences(handbook(*asked)) == [f"Asked in 2 sessions: {ask}"]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (
                "the cart total test is red again, please make it green and push the fix",
                "the login total test is red again, please make it green and push the fix",
            ),
            ("please update the flaky checkout page test", "please update the flaky checkout test"),
            ("请修复登录页面的总数测试并且提交到主分支", "请修复购物页面的总数测试并且提交到主分支"),
        ],
    )
    @pytest.mark.parametrize("cwd", [SHOP, TILL])
    def test_requests_about_different_things_are_two_whatever_the_frame_around_them(self, one, other, cwd):
        asked = (
            session("s1", said(one, kind=Kind.REQUEST)),
            session("s2", said(other, kind=Kind.REQUEST), cwd=cwd, day=1),
        )
        text = handbook(*asked)
        assert [preferences(text, scope) for scope in ("", SHOP, TILL)] == [[], [], []]

    def test_the_same_request_in_another_frame_is_one(self):
        one, other = "could you squash the commits please?", "please squash the commits again"
        asked = session("s1", said(one, kind=Kind.REQUEST)), session("s2", said(other, kind=Kind.REQUEST), day=1)
        assert preferences(handbook(*asked)) == [f"Asked in 2 sessions: {other}"]

    def test_the_same_request_twice_in_one_session_is_none(self):
        ask = said("show me the plan before touching code", kind=Kind.REQUEST)
        assert preferences(handbook(session("s1", ask, ask))) == []


class TestKnowledge:
    def test_it_stays_in_the_project_it_was_met_in(self):
        command = said("test with `make check`", kind=Kind.COMMAND)
        text = handbook(session("s1", command), session("s2", command, cwd=TILL, day=1))
        assert text.count("- test with `make check`") == 2
        assert preferences(text, "") == []


class TestKeys:
    FIRST = session("s1", said("use pnpm here"))
    AGAIN = session("s2", said("always use pnpm here"), day=1)

    def test_the_key_is_made_of_scope_and_first_source(self):
        assert keys(handbook(self.FIRST)) == {"use pnpm here": bullet_key(SHOP, "s1#t1")}

    def test_it_stays_when_the_same_is_said_again(self):
        assert keys(handbook(self.FIRST, self.AGAIN)).popitem()[1] == bullet_key(SHOP, "s1#t1")

    def test_it_stays_when_the_first_session_is_no_longer_selected(self):
        known = {SHOP: tuple(group_preferences(handbook(self.FIRST, self.AGAIN), SHOP))}
        (key,) = keys(handbook(self.AGAIN, known=known)).values()
        assert key == bullet_key(SHOP, "s1#t1")

    def test_later_sources_are_added_to_the_bullet(self):
        (bullet,) = group_preferences(handbook(self.FIRST, self.AGAIN), SHOP)
        assert bullet.sources == ("s1#t1", "s2#t1")

    def test_no_two_bullets_of_one_text_share_a_key(self):
        command = said("test with `make check`", kind=Kind.COMMAND)
        rules = [said(f"rule about topic{n}") for n in range(5)]
        text = handbook(session("s1", *rules, command), session("s2", command, cwd=TILL, day=1))
        found = [b.key for b in map(parse_bullet, text.split("\n")) if b and b.key]
        assert len(found) == len(set(found))


class TestRemoved:
    """What a person removed returns only with newer words of theirs, as a new statement."""

    FIRST = session("s1", said("use pnpm here"))
    AGAIN = session("s2", said("always use pnpm here"), day=2)
    KEY = bullet_key(SHOP, "s1#t1")

    def consolidated(self, *sessions, **options):
        return consolidate(task(*sessions, **options))

    def test_it_is_left_out(self):
        gone = removed(self.KEY, day=3)
        assert preferences(handbook(self.FIRST, self.AGAIN, removed=[gone])) == []

    def test_it_is_left_out_also_when_the_session_that_made_its_key_is_gone(self):
        gone = removed(self.KEY, "s1#t1", "s2#t1", day=3)
        assert preferences(handbook(self.AGAIN, removed=[gone])) == []

    def test_said_after_the_removal_it_comes_back_with_a_key_of_its_own(self):
        found = self.consolidated(self.FIRST, self.AGAIN, removed=[removed(self.KEY, "s1#t1", day=1)])
        (bullet,) = group_preferences(found.texts[HANDBOOK], SHOP)
        assert (bullet.key, bullet.sources) == (bullet_key(SHOP, "s2#t1"), ("s2#t1",))
        assert found.came_back == ("always use pnpm here",)

    def test_the_next_run_gives_the_same_bullet_and_says_nothing_any_more(self):
        gone = [removed(self.KEY, "s1#t1", day=1)]
        text = handbook(self.FIRST, self.AGAIN, removed=gone)
        known = {SHOP: tuple(group_preferences(text, SHOP))}
        again = self.consolidated(self.FIRST, self.AGAIN, removed=gone, known=known)
        assert (again.texts[HANDBOOK], again.came_back) == (text, ())

    def test_removed_once_more_it_stays_away_once_more(self):
        second = removed(bullet_key(SHOP, "s2#t1"), "s2#t1", day=5)
        assert preferences(handbook(self.FIRST, self.AGAIN, removed=[removed(self.KEY, day=1), second])) == []

    def test_a_removal_in_one_project_holds_when_an_older_session_of_another_makes_the_rule_general(self):
        other = session("s0", said("use pnpm here"), cwd=TILL)
        text = handbook(self.FIRST, other, removed=[removed(self.KEY, day=3)])
        assert preferences(text, SHOP) == preferences(text, "") == []

    def test_what_tools_did_again_brings_nothing_back(self):
        first = session("s1", said("test with `make check`", kind=Kind.COMMAND))
        again = session("s2", said("test with `make check`", kind=Kind.COMMAND), day=9)
        gone = removed(bullet_key(SHOP, "s1#t1"), "s1#t1", day=1)
        assert "make check" not in handbook(first, again, removed=[gone])

    def test_a_recurring_request_must_recur_again(self):
        ask = "show me the plan before touching code"
        asked = [session(f"s{day}", said(ask, kind=Kind.REQUEST), day=day) for day in range(4)]
        gone = [removed(bullet_key(SHOP, "s0#t1"), "s0#t1", "s1#t1", day=1)]
        assert preferences(handbook(*asked[:3], removed=gone)) == []
        assert preferences(handbook(*asked, removed=gone)) == [f"Asked in 2 sessions: {ask}"]

    def test_what_it_took_the_place_of_does_not_come_back_for_it(self):
        old, new = session("s1", said("use npm here")), session("s2", said("use pnpm here"), day=1)
        text = handbook(old, new, removed=[removed(bullet_key(SHOP, "s2#t1"), day=3)])
        assert [bullet.text for bullet in group_preferences(text, SHOP) if not bullet.superseded] == []

    def test_a_note_whose_bullet_was_removed_stays_away_and_a_newer_one_of_the_same_words_stands(self):
        old, new = note("call her Ada"), note("call her Ada", day=5, name="b")
        gone = [removed(bullet_key("", old.path), old.path, day=1)]
        assert preferences(handbook(notes=[old], removed=gone), "") == []
        (bullet,) = group_preferences(handbook(notes=[old, new], removed=gone), "")
        assert bullet.sources == (new.path,)


class TestNotes:
    def test_a_note_stands_everywhere_and_its_file_is_the_source(self):
        written = consolidate(task(notes=[note("the staging database is rebuilt on Mondays")])).texts
        (bullet,) = group_preferences(written[HANDBOOK], "")
        assert bullet.text.startswith("the staging database is rebuilt on Mondays")
        assert bullet.sources == ("extensions/ad_hoc/notes/a.md",)
        assert "the staging database" in written[SUMMARY]

    def test_a_long_note_is_cut_and_says_so(self):
        text = consolidate(task(notes=[note("word " * 500)])).texts[HANDBOOK]
        assert max(map(len, text.split("\n"))) < 500
        assert "..." in text


rules = st.sampled_from(["use pnpm here", "use npm here", "write tests first", "answer in English", "keep lines short"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(rules, st.sampled_from([SHOP, TILL]), st.booleans()), min_size=1, max_size=6))
def test_no_statement_is_lost_or_doubled_in_one_scope(drawn):
    """Whatever is said in whatever order: each text stands at most once per scope, and every text stands somewhere."""
    sessions = [
        session(f"s{n}", said(text, reach=Reach.GENERAL if general else Reach.PROJECT), cwd=cwd, day=n)
        for n, (text, cwd, general) in enumerate(drawn)
    ]
    text = handbook(*sessions)
    for scope in ("", SHOP, TILL):
        found = preferences(text, scope)
        assert len(found) == len(set(found))
    assert {text for text, _, _ in drawn} <= {b for scope in ("", SHOP, TILL) for b in preferences(text, scope)}


def test_what_was_given_up_in_one_place_and_stood_in_others_is_listed_once():
    here, everywhere = Reach.PROJECT, Reach.GENERAL
    drawn = [(SHOP, here, "npm"), (SHOP, everywhere, "npm"), (TILL, here, "npm"), (SHOP, everywhere, "pnpm")]
    text = handbook(
        *(
            session(f"s{n}", said(f"use {tool} here", reach=reach), cwd=cwd, day=n)
            for n, (cwd, reach, tool) in enumerate(drawn)
        )
    )
    standing = {bullet.text: not bullet.superseded for bullet in group_preferences(text, "")}
    assert standing == {"use pnpm here": True, "use npm here": False}
    assert preferences(text, "").count("use npm here") == 1


class TestRemovedWords:
    """What a person removed is known again by its words, whoever said them before the removal."""

    def test_another_session_that_had_said_the_same_brings_it_back_under_no_key(self):
        gone = removed("0" * 10, "gone#t1", day=5, text="always run make lint before a commit")
        text = handbook(session("s2", said("always run make lint before a commit"), day=2), removed=[gone])
        assert preferences(text) == []

    def test_what_is_said_after_the_removal_does(self):
        gone = removed("0" * 10, "gone#t1", day=1, text="always run make lint before a commit")
        text = handbook(session("s2", said("always run make lint before a commit"), day=2), removed=[gone])
        assert preferences(text) == ["always run make lint before a commit"]

    def test_another_project_keeps_its_own(self):
        gone = removed("0" * 10, "gone#t1", day=5, text="always run make lint before a commit", scope=TILL)
        text = handbook(session("s2", said("always run make lint before a commit"), day=2), removed=[gone])
        assert preferences(text) == ["always run make lint before a commit"]
