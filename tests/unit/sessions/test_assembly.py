"""Gathering messages costs bounded memory, whatever a session holds, and never lets a cut uncover private words."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.sessions import Role, assembly
from vademecum.sessions.assembly import Assembly, PendingCall, narrow


@pytest.fixture
def skipped() -> Counter[str]:
    return Counter()


@pytest.fixture
def gathered(skipped: Counter[str]) -> Assembly:
    return Assembly(skipped)


def say(gathered: Assembly, role: Role | None, text: str, **fields):
    return gathered.add(role, text, message_id="m", at=None, **fields)


def run(gathered: Assembly, message, output: str, text: str = "{}"):
    call = PendingCall("c", "sh", text)
    message = gathered.attach(message, call)
    gathered.answer(call, output, failed=False)
    return message


def test_the_first_and_the_newest_messages_are_kept_with_their_numbers(gathered, skipped, monkeypatch):
    monkeypatch.setattr(assembly, "MESSAGES_CAP", 10)
    monkeypatch.setattr(assembly, "FIRST_KEPT", 3)
    for number in range(1, 31):
        say(gathered, Role.HUMAN, str(number))
    assert [message.index for message in gathered.messages()] == [1, 2, 3, *range(24, 31)]
    assert all(message.text == str(message.index) for message in gathered.messages())
    assert skipped == {"too_many_messages": 20}


def test_the_oldest_tool_texts_go_first_and_words_stay(gathered, skipped, monkeypatch):
    monkeypatch.setattr(assembly, "MEMORY_CAP_BYTES", 50_000)
    for number in range(20):
        run(gathered, say(gathered, None, f"step {number}"), "x" * 5_000, text='{"cmd":"make"}')
    messages = gathered.messages()
    outputs = [message.tool_calls[0].output for message in messages]
    assert [message.text for message in messages] == [f"step {number}" for number in range(20)]
    assert outputs[0] == ""
    assert outputs[-1] == "x" * 5_000
    assert all(message.tool_calls[0].input == '{"cmd":"make"}' for message in messages)
    assert skipped["capped_session"] == outputs.count("")


def test_when_no_tool_text_is_left_the_oldest_messages_go_but_for_the_opening(gathered, skipped, monkeypatch):
    monkeypatch.setattr(assembly, "MEMORY_CAP_BYTES", 20_000)
    for number in range(50):
        say(gathered, Role.HUMAN, f"{number} " + "x" * 1_000)
    kept = [message.index for message in gathered.messages()]
    assert kept[0] == 1
    assert len(kept) < 20
    assert skipped["too_many_messages"] == 50 - len(kept)


def test_a_message_with_very_many_calls_is_continued_by_others(gathered, monkeypatch):
    monkeypatch.setattr(assembly, "CALLS_PER_MESSAGE", 2)
    message = say(gathered, None, "I look.")
    for _ in range(5):
        message = run(gathered, message, "x")
    assert [len(message.tool_calls) for message in gathered.messages()] == [2, 2, 1]


def test_calls_that_went_with_their_messages_are_counted_once(gathered, skipped, monkeypatch):
    monkeypatch.setattr(assembly, "MESSAGES_CAP", 10)
    monkeypatch.setattr(assembly, "FIRST_KEPT", 3)
    monkeypatch.setattr(assembly, "MEMORY_CAP_BYTES", 20_000)
    for _ in range(200):
        run(gathered, say(gathered, None, "step"), "x" * 100)
    assert skipped["too_many_messages"] == 190
    assert skipped["capped_session"] == 0
    assert all(message.tool_calls[0].output for message in gathered.messages())


def test_a_rewind_takes_back_prompts_and_the_numbers_of_their_turns(gathered, skipped):
    for text in ("one", "two", "three"):
        say(gathered, Role.HUMAN, text)
        say(gathered, None, f"answer to {text}")
        say(gathered, Role.HUMAN, "an answer", is_prompt=False)
    gathered.rewind(2)
    say(gathered, Role.HUMAN, "again")
    assert [(message.index, message.text) for message in gathered.messages()] == [
        (1, "one"),
        (2, "answer to one"),
        (3, "an answer"),
        (4, "again"),
    ]
    assert skipped == {"rewound": 6}


def test_a_rewind_beyond_the_beginning_leaves_nothing(gathered):
    say(gathered, Role.HUMAN, "one")
    gathered.rewind(99)
    assert gathered.messages() == ()


def test_a_cut_keeps_head_and_tail_and_says_how_much_is_missing():
    assert narrow("a" * 10 + "b" * 7 + "c" * 10, 10) == "a" * 10 + "\n[... 7 characters left out ...]\n" + "c" * 10
    assert narrow("a" * 20, 10) == "a" * 20


def test_a_cut_does_not_uncover_a_private_part_whose_beginning_it_takes():
    text = "a" * 100 + "<private>" + "secret " * 50 + "</private>" + "end"
    assert "secret" not in narrow(text, 60)


def test_a_cut_does_not_uncover_our_own_block_whose_beginning_it_takes():
    """user-U52: what memory injected is never evidence."""
    nonce = "0123456789ab"
    block = f'<vademecum-memory nonce="{nonce}">\n' + "recalled " * 50 + f'\n</vademecum-memory nonce="{nonce}">'
    assert "recalled" not in narrow("a" * 100 + block + "end", 60)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from([None, *Role]), st.integers(0, 3_000)),
        st.tuples(st.just("run"), st.none(), st.integers(0, 3_000)),
        st.tuples(st.just("rewind"), st.none(), st.integers(0, 3)),
    ),
    max_size=60,
)


@given(steps)
@settings(max_examples=100, deadline=None)
def test_whatever_is_gathered_the_cap_holds_and_turn_numbers_grow(done):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembly, "MEMORY_CAP_BYTES", 20_000)
        gathered = Assembly(Counter())
        message = say(gathered, Role.HUMAN, "opening")
        for kind, role, size in done:
            if kind == "say":
                message = say(gathered, role, "x" * size)
            elif kind == "run":
                message = run(gathered, message, "x" * size)
            else:
                gathered.rewind(size)
                message = say(gathered, Role.HUMAN, "again")
        messages = gathered.messages()
        texts = sum(len(m.text) + sum(len(c.input) + len(c.output) for c in m.tool_calls) for m in messages)
        assert texts <= 20_000
        indexes = [message.index for message in messages]
        assert indexes == sorted(set(indexes))
