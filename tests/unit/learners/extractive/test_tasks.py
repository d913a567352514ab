"""Where tasks begin and end."""

import pytest

from support.conversation import Talk
from vademecum.learners.extractive.signals import signals_by_turn
from vademecum.learners.extractive.tasks import MAX_TITLE_CHARS, Task, split_tasks


def titles(talk: Talk) -> list[str]:
    return [task.title for task in tasks_of(talk)]


def tasks_of(talk: Talk) -> tuple[Task, ...]:
    return split_tasks(talk.messages, signals_by_turn(talk.messages))


def test_a_request_on_another_matter_after_an_answer_is_a_new_task() -> None:
    """Two unrelated requests are two tasks."""
    talk = Talk().human("Fix the login bug.").answers().human("Write release notes for version two.").answers()
    assert titles(talk) == ["Fix the login bug", "Write release notes for version two"]


def test_corrections_and_follow_ups_stay_in_their_task() -> None:
    """What points back at the work, or rejects it, is no new task."""
    talk = Talk().human("Fix the login bug.").answers()
    talk.human("No, that's wrong. Use the session table.").answers().human("Also rename it.").answers()
    talk.human("Run the login tests again.").answers()
    assert titles(talk) == ["Fix the login bug"]


def test_a_message_before_any_answer_belongs_to_the_task() -> None:
    """A person who adds to a request has not changed the subject."""
    assert titles(Talk().human("Fix the login bug.").human("Write a migration.").answers()) == ["Fix the login bug"]


def test_a_rule_gives_no_title() -> None:
    """A task is named by what was asked for, not by a standing rule before it."""
    assert titles(Talk().human("Always use tabs. Please refactor the parser.").answers()) == [
        "Please refactor the parser"
    ]


def test_a_title_is_one_bounded_line() -> None:
    """A long request is cut at a word."""
    (title,) = titles(Talk().human("Add " + "a very long list of things " * 20).answers())
    assert len(title) <= MAX_TITLE_CHARS
    assert "\n" not in title


def test_every_message_is_in_exactly_one_task() -> None:
    """Splitting loses nothing and doubles nothing."""
    talk = Talk().answers("Hello").human("Fix the login bug.").answers().human("Now add a footer.").answers()
    assert [message for task in tasks_of(talk) for message in task.messages] == talk.messages


def test_a_session_without_words_has_a_name() -> None:
    """A task without any human word is untitled, not empty."""
    assert titles(Talk().answers("Hello")) == ["untitled"]


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("add a dark theme. for this one show me the plan first", "add a dark theme"),
        ("for this one show me the plan first. add a dark theme", "add a dark theme"),
        ("add a dark theme, for this one show me the plan first", "add a dark theme"),
        ("the settings page needs a dark theme. show me the plan first", "the settings page needs a dark theme"),
        ("Add a dark theme and from now on always use tabs.", "Add a dark theme"),
        ("show me the plan first", "show me the plan first"),
    ],
)
def test_a_title_names_the_work_not_how_to_go_about_it(said: str, title: str) -> None:
    """An aside or a rule beside the request names no task, unless nothing else was said."""
    assert titles(Talk().human(said).answers()) == [title]


def test_a_rule_alone_opens_no_task() -> None:
    """A message that only states a rule belongs to the work around it."""
    talk = Talk().human("Add a footer to the page.").answers().human("Don't use print for logging.").answers()
    assert titles(talk) == ["Add a footer to the page"]


def test_a_greeting_gives_no_title() -> None:
    """Where nothing was asked for, the first sentence that says something is the name."""
    assert titles(Talk().human("Hi! We use pnpm here, not npm.").answers()) == ["We use pnpm here, not npm"]


@pytest.mark.parametrize(
    ("said", "title"),
    [
        (("Do you always have to call drain()?", "Write the drain test."), "Write the drain test"),
        (("go on", "Fix the login bug."), "Fix the login bug"),
        (("I'm not convinced, let's see", "Fix the login bug."), "Fix the login bug"),
        (
            ("Kannst du dieses eine Mal erst den Plan zeigen?", "Baue bitte die Anmeldeseite um."),
            "Baue bitte die Anmeldeseite um",
        ),
        (("先别提交", "修复登录页面的错误"), "修复登录页面的错误"),
        (("Fix the login bug.", "go on", "Do you always have to call drain()?"), "Fix the login bug"),
    ],
)
def test_a_question_or_an_aside_gives_no_title_where_something_was_asked_for(said: tuple[str, ...], title: str) -> None:
    """The first real request names the task, wherever in the session it stands."""
    talk = Talk()
    for words in said:
        talk.human(words).answers()
    assert titles(talk) == [title]
