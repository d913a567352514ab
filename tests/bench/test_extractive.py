"""How fast the extraction half reads: sessions as readers hand them over, tool outputs capped.

Budget: learning as a whole reads 25 MB of raw session files a second, so extraction alone must do several times that.
"""

import random
from typing import Any

import pytest

from support import phrasebook
from support.budgets import note_speed
from support.conversation import Talk, bash, edit
from vademecum.learners.extractive.extract import extract
from vademecum.learners.extractive.languages import readings_of
from vademecum.learners.extractive.signals import signals_of

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

_SAID = [text for texts in (phrasebook.STANDING | phrasebook.PASSING).values() for text in texts]
_TALKED = (
    "The parser drops the last line when the file does not end with a newline, look at the reader first. "
    "I think it was introduced with the new buffer. The other formats are not affected as far as I can see. "
)


def _output(rng: random.Random) -> str:
    lines = [
        f"src/mod{rng.randrange(99)}.py:{n}: handled request {rng.getrandbits(32):08x} in {n} ms" for n in range(150)
    ]
    return "\n".join(lines)[:8000] + rng.choice(
        ["\n12 passed in 0.4s", "\n2 failed, 10 passed", "\nKeyError: 'id'", ""]
    )


def _session(rng: random.Random, turns: int) -> Talk:
    """Per turn: two sentences of a person, one in five of them with a cue; twelve tool calls; an answer."""
    talk = Talk()
    for _ in range(turns):
        talk.human(rng.choice(_SAID) + " " + _TALKED if rng.random() < 0.4 else _TALKED * 2)
        for _ in range(6):
            command = rng.choice(["pytest -q 2>&1 | tail -20", "ls -la src", "cat a.py", "npm run build", "git status"])
            talk.works(
                bash(command, _output(rng), failed=rng.random() < 0.2), edit(f"/srv/demo/m{rng.randrange(9)}.py")
            )
        talk.answers("Done, the change is in the parser. " * 20)
    return talk


def _bytes(talk: Talk) -> int:
    return sum(
        len(message.text) + sum(len(call.input) + len(call.output) for call in message.tool_calls)
        for message in talk.messages
    )


def test_extraction(benchmark: Any) -> None:
    """MB of capped session text a second, the first use of each cue included only in the warm-up."""
    rng = random.Random(7)
    talks = [_session(rng, 40) for _ in range(8)]
    sessions = [talk.session() for talk in talks]
    benchmark.pedantic(
        lambda: [extract(session) for session in sessions], setup=readings_of.cache_clear, rounds=9, warmup_rounds=1
    )
    size = sum(map(_bytes, talks))
    human = sum(len(message.text) for talk in talks for message in talk.messages if message.role == "human")
    mix = f"capped session text, {100 * human / size:.1f} % human words"
    note_speed(benchmark, "extraction alone", size / 1e6, "MB/s", mix=mix)


def test_human_words(benchmark: Any) -> None:
    """KB of distinct human words a second, every one of them full of cues: the worst case."""
    rng = random.Random(7)
    messages = [" ".join(rng.sample(_SAID, 5)) + f" Case {n}." for n in range(300)]
    benchmark.pedantic(
        lambda: [signals_of(message, after_action=False) for message in messages],
        setup=readings_of.cache_clear,
        rounds=6,
        warmup_rounds=1,
    )
    size = sum(map(len, messages))
    note_speed(benchmark, "extraction, worst case", size / 1e3, "KB/s", mix="distinct human words, all full of cues")
