"""What a model answered, judged: an extraction or a verdict, or `LearnerFailed` with a reason that it could act on.

A model may refuse, stop in the middle of its object, talk around it, copy the form that it was to fill in, or answer
with something else altogether. None of that may become memory.
"""

import re
from collections.abc import Iterator
from typing import Annotated, TypeVar

import msgspec

from vademecum.artifacts import Outcome, parse_evidence, parse_raw_memory, plain_line, plain_text, render_raw_memory
from vademecum.errors import LearnerFailed, VademecumError
from vademecum.learners.protocol import Consolidated, Extraction, Verdict
from vademecum.secrets import mask

__all__ = [
    "BLANKS",
    "MAX_RAW_MEMORY_CHARACTERS",
    "MAX_ROLLOUT_SUMMARY_CHARACTERS",
    "read_extraction",
    "read_verdict",
    "repair_request",
]

MAX_RAW_MEMORY_CHARACTERS = 40_000
MAX_ROLLOUT_SUMMARY_CHARACTERS = 24_000
_MAX_SLUG_CHARACTERS = 200
#: JSON writes one sign in up to twelve characters.
_MAX_ANSWER_CHARACTERS = 1_000_000
_SHOWN_CHARACTERS = 60

#: What is to be filled in, in the form that the instructions show.
BLANKS = (
    "<one dense line on what was done>",
    "<outcome>",
    "<the directory that most of the work was done in>",
    "<words to search for, separated by commas>",
    "<what the person asked for, in one line>",
    "<outcome of this task>",
    "<kind>",
    "<reach>",
    "<statement>",
)

_FENCED = re.compile(r"```[A-Za-z]{0,10}[ \t]*\r?\n(?P<body>.*?)\r?\n?```", re.DOTALL)
_CANNOT = r"(?:can\s?not|can'?t|could\snot|couldn'?t|won'?t|will\snot|(?:a|')?m\s(?:unable|not\sable)\sto)"
#: How models refuse. "I can't log in" is what a person may have asked about: a verb of helping has to follow.
_REFUSAL = re.compile(
    rf"""(?:[#>*"'\s]*)(?:
        (?:unfortunately,?\s)?i\s?{_CANNOT}\s(?:help|assist|comply|fulfil|process|analy[sz]e|summari[sz]e|extract|engage|do\s(?:that|this|so)
            |provide|complete\sth(?:at|is)|continue\swith\sth(?:at|is))\b
        |(?:i\s?'?a?m\s)?(?:so\s|very\s)?sorry,?\s(?:but\b|i\b|however\b)
        |(?:i\sapologi[sz]e|my\sapologies)\b
        |i\s(?:must|have\sto|need\sto)\s(?:decline|refuse)\b
        |as\san\sai\b
    )""",
    re.VERBOSE,
)
_TASK = re.compile(r"### Task \d+: \S")
_RAW_HEADING = "## Raw memory"


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    raw_memory: str
    rollout_summary: str
    rollout_slug: str
    outcome: str


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    verdict: Verdict
    came_back: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=1_000)], ...], msgspec.Meta(max_length=50)] = ()


_Shape = TypeVar("_Shape", _Answer, _Said)


def read_extraction(text: str) -> Extraction:
    """The extraction in a model's answer; an empty one where all values are blank. Raises LearnerFailed.

    One JSON object, bare or in a code fence. Keys beside ours are passed over. Nothing here is proven yet: that quotes
    stand in their turns is for who knows the session.
    """
    answer = _object(text, _Answer)
    if not any(map(str.strip, msgspec.structs.astuple(answer))):
        return Extraction()
    for problem in (*_misfits(answer), *_refused_fields(answer)):
        raise LearnerFailed(problem)
    raw_memory = answer.raw_memory.strip()
    for problem in _raw_memory_problems(raw_memory):
        raise LearnerFailed(f"raw_memory {problem}")
    return Extraction(
        raw_memory=render_raw_memory(parse_raw_memory(raw_memory)),
        rollout_summary=plain_text(answer.rollout_summary).strip() + "\n",
        rollout_slug=answer.rollout_slug.strip(),
        outcome=answer.outcome.strip(),
    )


def read_verdict(text: str) -> Consolidated:
    """What a model says of its consolidation: `verdict`, and `came_back` where it has any. Raises LearnerFailed."""
    said = _object(text, _Said)
    lines = (plain_line(line) for line in said.came_back)
    return Consolidated(verdict=said.verdict, came_back=tuple(filter(None, lines)))


def repair_request(error: VademecumError) -> str:
    """What a model is told in the one try that it gets to put its answer right."""
    return (
        f"Your answer cannot be used: {error}. The instructions and the material are as before. Put this right and "
        "answer once more: the whole answer, in the form that was asked for, and nothing else."
    )


def _object(text: str, shape: type[_Shape]) -> _Shape:
    body = text.strip()
    if not body:
        raise LearnerFailed("the model answered nothing")
    if len(body) > _MAX_ANSWER_CHARACTERS:
        raise LearnerFailed(f"the answer has more than {_MAX_ANSWER_CHARACTERS:,} characters")
    if match := _FENCED.fullmatch(body):
        body = match["body"].strip()
    if not body.startswith("{"):
        raise LearnerFailed(
            "the model refused to answer" if _refuses(body) else "the answer does not begin with a JSON object"
        )
    try:
        return msgspec.json.decode(body.encode(), type=shape)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise LearnerFailed(
            f"the answer is not the one JSON object that was asked for: {_plain_reason(error)}"
        ) from error


def _plain_reason(error: Exception) -> str:
    # The other two speak of this program, not of the answer.
    return str(error) if isinstance(error, msgspec.MsgspecError) else "it cannot be decoded"


def _refuses(text: str) -> bool:
    return _REFUSAL.match(text[:200].lower().replace("\u2019", "'").replace("\u02bc", "'")) is not None


def _refused_fields(answer: _Answer) -> Iterator[str]:
    header = parse_raw_memory(answer.raw_memory.strip())
    spoken = {
        "raw_memory": header.description or answer.raw_memory,
        "rollout_summary": answer.rollout_summary,
        "rollout_slug": re.sub(r"[_-]+", " ", answer.rollout_slug),
    }
    yield from (f"the model refused to answer, in {name}" for name, words in spoken.items() if _refuses(words.strip()))


def _misfits(answer: _Answer) -> Iterator[str]:
    """What is wrong with the values, whatever their grammar."""
    limits = {
        "raw_memory": MAX_RAW_MEMORY_CHARACTERS,
        "rollout_summary": MAX_ROLLOUT_SUMMARY_CHARACTERS,
        "rollout_slug": _MAX_SLUG_CHARACTERS,
    }
    for name, most in limits.items():
        value: str = getattr(answer, name)
        if len(value) > most:
            yield f"{name} has {len(value):,} characters; at most {most:,} are allowed"
        if not _is_encodable(value):
            yield f"{name} holds half of a character"
        if name != "rollout_slug" and not value.strip():
            yield f"{name} is empty and the rest is not: fill in both, or leave all four values empty"
    if answer.outcome.strip() not in set(Outcome):
        yield f"outcome is none of {', '.join(Outcome)}"
    if any(line.rstrip() == _RAW_HEADING for line in answer.rollout_summary.splitlines()):
        yield f"rollout_summary holds the heading `{_RAW_HEADING}`, which the program writes"


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _raw_memory_problems(text: str) -> Iterator[str]:
    """Where the text leaves the grammar; the parser itself passes over what it does not know."""
    yield from (f"still holds {blank}, which is to be filled in" for blank in BLANKS if blank in text)
    lines = text.splitlines()
    if lines[0] != "---" or "---" not in lines[1:]:
        yield "does not begin with a header between two lines `---`"
        return
    end = lines.index("---", 1)
    if not parse_raw_memory(text).description:
        yield "has no `description:` in its header"
    is_in_task = False
    for number, line in enumerate(lines[end + 1 :], end + 2):
        if _TASK.match(line):
            is_in_task = True
        elif line.strip() and not (is_in_task and _belongs_in_task(line)):
            yield f"has a line {number} that is neither a task, its outcome nor evidence: {_shown(line)}"
    if not is_in_task:
        yield "has no line `### Task 1: ...`"


def _belongs_in_task(line: str) -> bool:
    is_outcome = line.startswith("outcome:") and line.partition(":")[2].strip() in set(Outcome)
    return is_outcome or parse_evidence(line) is not None


def _shown(line: str) -> str:
    return plain_line(mask(line), _SHOWN_CHARACTERS)
