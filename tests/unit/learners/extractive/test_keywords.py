"""Handles to find a session by."""

from support.conversation import Talk, bash, edit
from vademecum.learners.extractive import extract


def test_keywords_are_programs_files_and_telling_words() -> None:
    """They are distinct, at most twelve, and hold no comma, for a comma separates them."""
    talk = Talk().human("Please refactor the invoice parser, now.").works(edit("/srv/demo/src/invoice.py"))
    memory = extract(talk.works(bash("pytest -q", "3 passed")).answers().session())
    assert memory is not None
    assert {"pytest", "invoice.py", "invoice", "parser", "refactor"} <= set(memory.keywords)
    assert len(memory.keywords) == len(set(memory.keywords)) <= 12
    assert not any("," in word for word in memory.keywords)
