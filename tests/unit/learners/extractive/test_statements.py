from support.learned import SHOP, TILL, said, session
from vademecum.artifacts import PREFERENCE_KINDS, Kind, Reach
from vademecum.learners.extractive.statements import cluster, distinct, mark_superseded, statements, study


def clusters(*sessions):
    return cluster(statements(study(sessions), PREFERENCE_KINDS))


class TestStatements:
    def test_only_the_kinds_that_were_asked_for_come_oldest_first(self):
        sessions = [
            session("s2", said("use tabs"), day=2),
            session("s1", said("use pnpm"), said("make", kind=Kind.COMMAND), day=1),
        ]
        assert [s.evidence.text for s in statements(study(sessions), frozenset({Kind.RULE}))] == [
            "use pnpm",
            "use tabs",
        ]

    def test_the_source_names_session_and_turn(self):
        (statement,) = statements(study([session("s1", said("use pnpm"))]), PREFERENCE_KINDS)
        assert statement.source == "s1#t1"

    def test_words_that_stand_in_two_copies_of_a_session_count_once(self):
        """A host that forks a session copies its history."""
        copies = [session("s1", said("use pnpm")), session("s2", said("use pnpm"))]
        assert len(statements(study(copies), PREFERENCE_KINDS)) == 1
        for known in ("s1#t1", "s2#t1"):
            (statement,) = statements(study(copies), PREFERENCE_KINDS, known={known})
            assert statement.source == known


class TestClusters:
    def test_the_same_thing_said_twice_is_one_and_the_newest_wording_stands(self):
        (found,) = clusters(session("s1", said("use pnpm here")), session("s2", said("always use pnpm here"), day=1))
        assert found.newest.evidence.text == "always use pnpm here"
        assert found.statements[0].source == "s1#t1"
        assert found.sessions == 2

    def test_different_things_stay_apart(self):
        assert len(clusters(session("s1", said("use pnpm here"), said("write tests first")))) == 2


class TestScope:
    def test_a_statement_belongs_to_the_project_of_its_session_wherever_below_it_was_said(self):
        below = session("s1", said("use pnpm here"), cwd="/srv/shop/src", project=SHOP)
        (found,) = clusters(below, session("s2", said("use pnpm here"), day=1))
        assert found.scope == SHOP

    def test_in_doubt_it_is_this_project(self):
        (found,) = clusters(session("s1", said("use pnpm here")), session("s2", said("use pnpm here"), day=1))
        assert found.scope == SHOP

    def test_said_as_general_it_holds_everywhere(self):
        (found,) = clusters(session("s1", said("answer in English", reach=Reach.GENERAL)))
        assert found.scope == ""

    def test_said_in_distinct_projects_it_holds_everywhere(self):
        (found,) = clusters(
            session("s1", said("answer in English")), session("s2", said("answer in English"), cwd=TILL, day=1)
        )
        assert found.scope == ""


class TestReversals:
    OLD = session("s1", said("use npm here"))

    def superseded(self, *sessions):
        return {c.newest.evidence.text: c.superseded for c in mark_superseded(clusters(*sessions))}

    def test_the_newest_of_one_scope_holds_and_the_old_one_says_since_when_it_does_not(self):
        found = self.superseded(self.OLD, session("s2", said("use pnpm here"), day=3))
        assert found == {"use npm here": "2026-11-05", "use pnpm here": ""}

    def test_a_rule_of_another_project_stays(self):
        assert not any(self.superseded(self.OLD, session("s2", said("use pnpm here"), cwd=TILL, day=3)).values())

    def test_a_general_rule_does_not_reverse_a_projects_own(self):
        general = session("s2", said("use pnpm", reach=Reach.GENERAL), cwd=TILL, day=3)
        assert not any(self.superseded(self.OLD, general).values())

    def test_going_back_to_the_old_rule_reverses_the_reversal(self):
        back = session("s3", said("use npm here"), day=5)
        found = self.superseded(self.OLD, session("s2", said("use pnpm here"), day=3), back)
        assert found == {"use npm here": "", "use pnpm here": "2026-11-07"}


def test_years_of_sessions_are_clustered_in_seconds():
    """Statements that share only common words are never compared: cost grows with the sessions, not their square."""
    sessions = [
        session(f"s{n}", said(f"from now on always name the modules of area {n} in lower case"), day=1 + n % 28)
        for n in range(2_000)
    ]
    assert len(clusters(*sessions)) == 2_000


class TestDistinct:
    """What was said, once each, with contradictions settled place by place."""

    def distinct(self, *sessions):
        found = distinct(statements(study(sessions), PREFERENCE_KINDS))
        return [(item.newest.evidence.text, item.scope, bool(item.superseded)) for item in found]

    def test_said_in_two_projects_it_holds_everywhere(self):
        shop, till = session("s1", said("use pnpm"), day=1), session("s2", said("use pnpm"), day=2, cwd=TILL)
        assert self.distinct(shop, till) == [("use pnpm", "", False)]

    def test_a_rule_that_one_project_gave_up_stays_the_rule_of_the_other_one(self):
        first = session("s1", said("we use jest for the tests"), day=1)
        then = session("s2", said("we use vitest for the tests"), day=2)
        other = session("s3", said("we use jest for the tests"), day=3, cwd=TILL)
        assert sorted(self.distinct(first, then, other)) == [
            ("we use jest for the tests", SHOP, True),
            ("we use jest for the tests", TILL, False),
            ("we use vitest for the tests", SHOP, False),
        ]
