"""Marks that keep a session from being learned."""

import pytest

from vademecum.sessions import LEARNER_MARK, Message, Role
from vademecum.sessions.marks import exclusion_of


def messages(*texts: str, role: Role = Role.HUMAN) -> list[Message]:
    return [Message(id=str(index), index=index, role=role, text=text) for index, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("title", "texts", "reason"),
    [
        ("", ["hello"], None),
        (f"{LEARNER_MARK}: extract", ["hello"], "learner"),
        ("", [f"[{LEARNER_MARK}]", "hello"], "learner"),
        ("", ["hello", LEARNER_MARK], None),
        ("", ["hello", "\n<EXTERNAL SESSION IMPORTED>"], "import"),
        ("", ["what means <EXTERNAL SESSION IMPORTED>?"], None),
    ],
)
def test_the_reason(title: str, texts: list[str], reason: str | None) -> None:
    assert exclusion_of(title, messages(*texts)) == reason
