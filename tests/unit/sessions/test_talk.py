"""Fragments of the live branch become messages."""

from collections import Counter

from vademecum.sessions import Role
from vademecum.sessions.assembly import PendingCall
from vademecum.sessions.talk import Fragment, Result, Talk


def said(words: str, carrier: str = "line") -> Fragment:
    return Fragment(id=words, role=Role.HUMAN, text=words, carrier=carrier)


def part(words: str, family: str, *calls: PendingCall) -> Fragment:
    return Fragment(id=words, role=None, text=words, family=family, calls=calls)


def test_parts_of_one_answer_are_one_message() -> None:
    talk = Talk(Counter())
    for fragment in (
        part("a", "m1"),
        part("", "m1", PendingCall("c1", "Bash", "{}")),
        part("b", "m1"),
        part("c", "m2"),
    ):
        talk.settle(fragment)
    first, second = talk.messages()
    assert (first.id, first.text, [call.id for call in first.tool_calls]) == ("a", "a\n\nb", ["c1"])
    assert second.text == "c"


def test_an_output_finds_its_call_before_and_after_it_is_settled() -> None:
    talk = Talk(Counter())
    early, late = PendingCall("c1", "Bash", "{}"), PendingCall("c2", "Bash", "{}")
    for call in (early, late):
        talk.expect(call)
    talk.bring(Result(call_id="c1", text="one", failed=False))
    talk.settle(part("a", "", early, late))
    talk.bring(Result(call_id="c2", text="two", failed=True))
    (message,) = talk.messages()
    assert [(call.output, call.failed) for call in message.tool_calls] == [("one", False), ("two", True)]


def test_an_output_without_a_call_is_counted() -> None:
    skipped: Counter[str] = Counter()
    Talk(skipped).bring(Result(call_id="c1", text="one", failed=None))
    assert skipped == {"orphan_output": 1}


def test_words_that_come_by_two_carriers_are_heard_once() -> None:
    """Two queued prompts may both be stored twice, one after the other."""
    talk = Talk(Counter())
    for carrier in ("queue", "attachment"):
        talk.settle(said("one", carrier))
        talk.settle(said("two", carrier))
    talk.settle(said("one", "queue"))
    assert [message.text for message in talk.messages()] == ["one", "two", "one"]
