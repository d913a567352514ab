"""Handles to find a session by."""

from support.conversation import Talk, bash, edit
from vademecum.learners.extractive.extract import extract
from vademecum.learners.extractive.keywords import keywords_of


def test_keywords_are_programs_files_and_telling_words() -> None:
    """They are distinct, at most twelve, and hold no comma, for a comma separates them."""
    talk = Talk().human("Please refactor the invoice parser, now.").works(edit("/srv/demo/src/invoice.py"))
    memory = extract(talk.works(bash("pytest -q", "3 passed")).answers().session())
    assert memory is not None
    assert {"pytest", "invoice.py", "invoice", "parser", "refactor"} <= set(memory.keywords)
    assert len(memory.keywords) == len(set(memory.keywords)) <= 12
    assert not any("," in word for word in memory.keywords)


def test_keywords_of_one_task_come_from_that_task() -> None:
    """What another task of the session was on is no handle to this one."""
    talk = Talk().human("Fix the login bug.").works(edit("/srv/demo/login.py")).answers()
    memory = extract(talk.human("Write release notes for version two.").works(edit("/srv/demo/NEWS.md")).session())
    assert memory is not None
    first, second = (keywords_of([task]) for task in memory.tasks)
    assert {"login.py", "login"} <= set(first)
    assert {"NEWS.md", "release"} <= set(second)
    assert not set(first) & set(second)
