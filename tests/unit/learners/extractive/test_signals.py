"""Which statements are preferences: recall over wordings, and silence where nothing lasting was said."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import phrasebook
from vademecum.artifacts import Kind, Reach
from vademecum.learners.extractive.quoting import MAX_QUOTE_CHARS
from vademecum.learners.extractive.signals import Signal, signals_of

STANDING = [text for texts in phrasebook.STANDING.values() for text in texts]
PASSING = [text for texts in phrasebook.PASSING.values() for text in texts]


def preferences(text: str, *, after_action: bool = False) -> list[Signal]:
    return [signal for signal in signals_of(text, after_action=after_action) if signal.kind is not Kind.REQUEST]


def test_the_phrasebook_is_large_enough_to_mean_something() -> None:
    """At least 120 standing and 150 passing sentences are tried."""
    assert len(STANDING) + len(phrasebook.CORRECTIONS) >= 120
    assert len(PASSING) >= 150


@pytest.mark.parametrize("category", phrasebook.STANDING)
def test_a_standing_statement_becomes_one_preference(category: str) -> None:
    """What a person states as lasting is one preference in their own words."""
    found = {text: [signal.text for signal in preferences(text)] for text in phrasebook.STANDING[category]}
    assert {text: said for text, said in found.items() if len(said) != 1} == {}
    assert {text: said for text, said in found.items() if said[0] not in " ".join(text.split())} == {}


@pytest.mark.parametrize("text", phrasebook.CORRECTIONS)
def test_a_correction_of_an_action_is_learned(text: str) -> None:
    """A correction that says how it should be is one preference of the kind correction."""
    found = preferences(text, after_action=True)
    assert found
    assert {signal.kind for signal in found} == {Kind.CORRECTION}


@pytest.mark.parametrize("after_action", [False, True])
@pytest.mark.parametrize("category", phrasebook.PASSING)
def test_a_passing_statement_becomes_no_preference(category: str, after_action: bool) -> None:
    """Questions, one-offs, reports, hypotheses, stories, features and pasted text teach nothing that lasts."""
    found = {text: preferences(text, after_action=after_action) for text in phrasebook.PASSING[category]}
    assert {text: said for text, said in found.items() if said} == {}


@pytest.mark.parametrize("text", ["No, that's wrong.", "nope", "that's not what I asked for", "不对。"])
def test_a_bare_rejection_is_no_rule(text: str) -> None:
    """A rejection that does not say how it should be teaches nothing."""
    assert preferences(text, after_action=True) == []


def test_the_statement_after_a_rejection_is_the_correction() -> None:
    """ "No, that's wrong. Use X." is quoted without the rejection."""
    (found,) = preferences("No, that's wrong. Use the repository classes.", after_action=True)
    assert (found.kind, found.text) == (Kind.CORRECTION, "Use the repository classes.")


def test_a_rule_is_cut_out_of_a_one_off_request() -> None:
    """Only the lasting half of a sentence is quoted."""
    (found,) = preferences("Fix the failing test and from now on always run the whole suite.")
    assert found.text == "and from now on always run the whole suite.".removeprefix("and ")


def test_conditions_and_reasons_stay_with_the_rule() -> None:
    """A quote keeps the words that say when and why."""
    text = "Whenever you touch the schema, run `make gen`, because the client breaks silently."
    (found,) = preferences(text)
    assert found.text == text


@pytest.mark.parametrize(
    "text",
    [
        "we changed our mind: use spaces for indentation here, no tabs",
        "keep the public API stable, no breaking changes without asking",
        "Money is stored in cents, never as a float.",
    ],
)
def test_a_short_sentence_is_quoted_whole(text: str) -> None:
    """ "no tabs" alone says nothing: what a rule contrasts with belongs to it."""
    assert [signal.text for signal in preferences(text)] == [text]


def test_a_contrast_of_a_one_off_request_is_no_rule() -> None:
    """ "no auth needed" beside one piece of work binds nobody later."""
    assert preferences("create the endpoint, no auth needed") == []


def test_the_order_after_a_warning_is_a_habit() -> None:
    """The warning itself is no quote; without an order beside it nothing is learned."""
    (found,) = preferences("This has bitten us before. Check for a running container before the migrations.")
    assert (found.kind, found.text) == (Kind.HABIT, "Check for a running container before the migrations.")
    assert preferences("The cache was stale again. This has bitten us before.") == []


def test_how_we_work_here_makes_a_habit_of_the_sentence_before() -> None:
    """An anaphoric remark is no quote itself: the statement before it is."""
    (found,) = preferences("Small commits with a ticket number. That's how we work here.")
    assert (found.kind, found.text) == (Kind.HABIT, "Small commits with a ticket number.")


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("测试数据库的端口是 5433，不是 5432。记住。", "测试数据库的端口是 5433，不是 5432。"),
        ("The staging database listens on 5433. Remember that.", "The staging database listens on 5433."),
        ("Die Testdatenbank läuft auf Port 5433. Merk dir das.", "Die Testdatenbank läuft auf Port 5433."),
    ],
)
def test_remember_that_takes_the_sentence_before_it(said: str, quote: str) -> None:
    """ "Remember that" alone says nothing, in any language."""
    assert [signal.text for signal in preferences(said)] == [quote]


def test_a_terse_correction_is_quoted_with_the_complaint_before_it() -> None:
    """ "X | None please" is understood only beside what was wrong."""
    text = "hm, you used Optional[X] again. X | None please, we're on 3.12"
    (found,) = preferences(text, after_action=True)
    assert (found.kind, found.text) == (Kind.CORRECTION, text)


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        (
            "No mutex. That ring is lock-free on purpose and must stay that way.",
            "That ring is lock-free on purpose and must stay that way.",
        ),
        (
            "wrong. The config is in config/prod.yaml, not settings.yaml",
            "The config is in config/prod.yaml, not settings.yaml",
        ),
    ],
)
def test_what_a_correction_states_is_quoted_whole(said: str, quote: str) -> None:
    """The sentence behind the rejection carries it."""
    assert quote in [signal.text for signal in preferences(said, after_action=True)]


def test_a_weak_order_beside_a_passing_state_is_no_rule() -> None:
    """What holds for the moment binds a "don't" beside it, but not a "never", and not what a "but" sets against it."""
    assert preferences("dont run the tests. right now, the db is down") == []
    assert preferences("The db is down right now. Never push to main.")
    assert preferences("This time npm is fine, but normally we use pnpm.")


def test_a_list_under_a_rules_heading_is_read_as_rules() -> None:
    """Items below "Rules for this repo:" need no cue of their own; a question among them stays a question."""
    text = "Rules for this repo:\n- two spaces\n- docs next to the code\n- do we need a licence header?"
    assert [signal.text for signal in preferences(text)] == ["two spaces", "docs next to the code"]


def test_a_list_under_a_paste_heading_is_not_read() -> None:
    """What a person introduces as somebody else's text is not theirs."""
    text = "The contributing guide says:\n- always sign commits\n- never squash\n\nFix the typo in it."
    assert preferences(text) == []


def test_one_off_requests_are_history() -> None:
    """A request is kept as such, for it may recur in other sessions."""
    (found,) = signals_of("Show me the plan first.", after_action=False)
    assert found.kind is Kind.REQUEST


def test_a_masked_statement_is_not_even_a_request() -> None:
    """user-U55: "remember the password ..." leaves nothing behind."""
    assert signals_of("Please remember that the admin password is [secret:password].", after_action=False) == ()


MASK = "[secret:github-token]"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"use token {MASK} for the deploy and always run make lint first", ["always run make lint first"]),
        (f"from now on use token {MASK} here, and never push on Fridays", ["never push on Fridays"]),
        (f"always run make lint first and use token {MASK} for the deploy", ["always run make lint first"]),
        (f"please always use the key {MASK}; never commit without a ticket", ["never commit without a ticket"]),
        (f"nie auf main pushen, und immer mit Token {MASK} deployen", ["nie auf main pushen"]),
        (f"always use {MASK} for deploy and staging", []),
        (f"the deploy key is {MASK}, and always use it for staging", []),
        (f"部署令牌是{MASK}，以后都用这个", []),
        (f"the password is {MASK} and never tell it to anyone", []),
        (f"the till is slow and the token is {MASK}, from now on", []),
    ],
)
def test_of_a_sentence_with_a_secret_only_a_clause_without_it_is_a_rule(text: str, kept: list[str]) -> None:
    found = [signal.text for signal in signals_of(text, after_action=False)]
    assert [words.removeprefix("and ").removeprefix("und ") for words in found] == kept


@pytest.mark.parametrize(
    "text",
    [
        f"Deploy with {MASK}. That's how we always work here.",
        f"You used {MASK} again. No, {MASK} please.",
        f"This has bitten us before. Deploy with {MASK}.",
        f"No, don't deploy with {MASK}.",
        "Always deploy with " + "very " * 70 + MASK,
    ],
)
@pytest.mark.parametrize("after_action", [False, True])
def test_what_stands_beside_a_sentence_brings_no_secret_of_it_back(text: str, *, after_action: bool) -> None:
    assert [signal.text for signal in signals_of(text, after_action=after_action) if "eploy" in signal.text] == []
    assert [signal.text for signal in signals_of(text, after_action=after_action) if "secret" in signal.text] == []


@pytest.mark.parametrize("line", ["# Task Group: everywhere", "> ## User preferences", "- # Task Group: /srv/shop"])
def test_a_heading_of_memory_files_is_nothing_that_a_person_said(line: str) -> None:
    assert signals_of(line, after_action=False) == ()
    found = signals_of(f"always use tabs here\n{line}\nnever use semicolons", after_action=False)
    assert [signal.text for signal in found] == ["always use tabs here", "never use semicolons"]


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        ("In all my projects, always sign the commits.", Reach.GENERAL),
        ("House rule: all under services/billing, never elsewhere.", Reach.PROJECT),
        ("I like short answers.", Reach.GENERAL),
        ("Please always answer in English.", Reach.GENERAL),
        ("Never push to main, whatever the project.", Reach.GENERAL),
        ("General rule: keep functions below forty lines.", Reach.GENERAL),
        ("As a general thing, answer me in German.", Reach.GENERAL),
        ("For everything I do, use metric units.", Reach.GENERAL),
        ("Wherever we work, keep secrets out of the logs.", Reach.GENERAL),
        ("In any repo, run the tests before you say it works.", Reach.GENERAL),
        ("We use pnpm here.", Reach.PROJECT),
        ("In this repo always use tabs.", Reach.PROJECT),
        ("Always run the linter.", Reach.PROJECT),
        ("Antworte immer auf Deutsch.", Reach.GENERAL),
        ("no emojis please", Reach.GENERAL),
        ("I like small diffs", Reach.PROJECT),
        ("Please write docstrings in Google style", Reach.PROJECT),
        ("Please write comments in English", Reach.PROJECT),
        ("Schreib Kommentare immer auf Englisch.", Reach.PROJECT),
        ("in general every user-visible change gets a changelog entry", Reach.PROJECT),
        ("无论什么项目都必须写测试。", Reach.GENERAL),
        ("这个项目统一用 pnpm。", Reach.PROJECT),
    ],
)
def test_reach_follows_the_words_and_in_doubt_is_this_project(text: str, reach: Reach) -> None:
    """user-U25: a rule of one project must not leak into another."""
    (found,) = preferences(text)
    assert found.reach is reach


@pytest.mark.parametrize(
    ("everywhere", "here"),
    [
        ("Please answer in German from now on.", "Please answer in German from now on in this repo."),
        ("Ab jetzt bitte immer auf Deutsch antworten.", "Ab jetzt in diesem Repo bitte immer auf Deutsch antworten."),
        ("Ab jetzt bitte auf Italienisch.", "Ab jetzt bitte Kommentare auf Italienisch."),
        ("Désormais, réponds toujours en allemand.", "Désormais, réponds toujours en allemand dans ce projet."),
        ("A partir de ahora responde en alemán.", "A partir de ahora responde en alemán en este proyecto."),
        ("从现在起请用德语回答。", "从现在起这个项目请用德语回答。"),
        ("今後はドイツ語で回答してください。", "今後はこのプロジェクトではドイツ語で回答してください。"),
        ("앞으로 독일어로 답변해 주세요.", "앞으로 이 프로젝트에서는 독일어로 답변해 주세요."),
    ],
)
def test_how_the_agent_talks_to_the_person_holds_everywhere_in_every_language(everywhere: str, here: str) -> None:
    """The language of answers is about the person, unless the project is named."""
    reaches = [[signal.reach for signal in preferences(text)] for text in (everywhere, here)]
    assert reaches == [[Reach.GENERAL], [Reach.PROJECT]]


def test_a_quote_is_bounded() -> None:
    """A very long sentence is cut at a word."""
    (found,) = preferences("Always " + "check the very long list of things " * 12 + "please.")
    assert len(found.text) <= MAX_QUOTE_CHARS
    assert not found.text.endswith(" ")


@pytest.mark.parametrize(
    "said", ["修好登录，以后不要用 npm", "Fix the login, - and from now on never use npm", "好的。，永远不要用 npm"]
)
def test_a_quote_begins_with_a_word(said: str) -> None:
    """Punctuation that joins a clause to the one before it is no part of the quote."""
    assert all(signal.text[0].isalnum() for signal in preferences(said))
    assert preferences(said)


SNIPPETS = st.sampled_from(STANDING + PASSING)
ANY_TEXT = st.one_of(
    st.text(max_size=400),
    st.lists(st.one_of(SNIPPETS, st.text(max_size=40)), max_size=6).map(" ".join),
    st.lists(st.one_of(SNIPPETS, st.sampled_from(["```", "> ", "<b>", "- ", "    ", ":", "\t"])), max_size=8).map(
        "\n".join
    ),
)


@settings(max_examples=80, deadline=None)
@given(text=ANY_TEXT, after_action=st.booleans())
def test_every_quote_stands_in_its_message(text: str, after_action: bool) -> None:
    """Whatever a message holds, a signal's text is a part of it, and the same message gives the same signals."""
    found = signals_of(text, after_action=after_action)
    said = " ".join(text.split())
    assert all(signal.text in said for signal in found)
    assert found == signals_of(text, after_action=after_action)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "hostile",
    [
        "always " * 9000,
        "<a>" * 20000,
        "when you " * 7000,
        "`" * 60000,
        "- " * 30000,
        "x" * 64000,
        "not, " * 12000,
        "\n".join(["we use a b c d e f g h"] * 2800),
        '"' * 60000,
        "。" * 30000,
        "前先" * 20000,
        "1:" * 30000,
    ],
)
def test_hostile_text_takes_linear_time(hostile: str, elapsed: "Stopwatch") -> None:
    """64 KB of anything are done in seconds."""
    signals_of(hostile, after_action=True)
    assert elapsed.seconds() < 10


class Stopwatch:
    def __init__(self) -> None:
        import time

        self._now = time.process_time
        self._start = self._now()

    def seconds(self) -> float:
        return self._now() - self._start


@pytest.fixture
def elapsed() -> Stopwatch:
    return Stopwatch()


@pytest.mark.parametrize(
    "message",
    [
        "Always rebase with `make foxtrot`. Just kidding.",
        "Always test with `make november`. NOT.",
        "Always deploy with `make alpha`. Unless it is production.",
        "Immer mit `make golf` bauen. Es sei denn, es ist Freitag.",
    ],
)
def test_what_the_next_sentence_takes_back_or_bounds_is_no_rule(message: str) -> None:
    assert [signal for signal in signals_of(message, after_action=False) if signal.kind is not Kind.REQUEST] == []
