"""The tool that says why memory believes something."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from vademecum.amounts import plural
from vademecum.toolbox.answers import how_many_fit, one_line
from vademecum.toolbox.arguments import Arguments
from vademecum.toolbox.tool import Access, Answer, Call, Tool

if TYPE_CHECKING:
    from vademecum.engine import Spoken, WhyLine

__all__ = ["MEMORY_WHY"]

_LINES = 20
_MAX_LINES = 100
_WORDS_CHARACTERS = 600
_TEXT_CHARACTERS = 300
#: A rule that was said every week names more sources than anybody reads.
_MAX_SOURCES = 5

_What = Annotated[
    str,
    Meta(
        description="`MEMORY.md:12` (one line), `MEMORY.md:12-20`, a file, or a few words of a statement.",
        min_length=1,
        max_length=1_000,
    ),
]
_Count = Annotated[int, Meta(description="How many lines of a file to explain.", ge=1, le=_MAX_LINES)]
_Skip = Annotated[
    int, Meta(description="How many explained lines to skip; an answer says where to go on.", ge=0, le=1_000_000)
]


class WhyArguments(Arguments, frozen=True, kw_only=True):
    """The arguments of `memory_why`."""

    what: _What
    limit: _Count = _LINES
    offset: _Skip = 0


def _why(call: Call[WhyArguments]) -> Answer:
    asked = call.arguments
    why = call.memory.for_agents.why(asked.what)
    page = [_brief(line) for line in why.lines[asked.offset : asked.offset + asked.limit]]
    blocks = ["\n".join(_told(line)) for line in page]
    blocks = blocks[: how_many_fit(blocks)]
    last = asked.offset + len(blocks)
    more = last if blocks and last < len(why.lines) else None
    said = [f"(go on with offset={more})"] if more else []
    data: dict[str, Any] = {
        "path": why.path,
        "lines": [_data(line) for line in page[: len(blocks)]],
        "total": len(why.lines),
        "next_offset": more,
    }
    return Answer(text="\n".join([*blocks, *said]) or f"{why.path} says nothing that has a source.", data=data)


def _brief(line: "WhyLine") -> "WhyLine":
    """The line with no more of each text than helps: of its sources the first, and the newest."""
    chosen = line.spoken[:1] + line.spoken[1:][-(_MAX_SOURCES - 1) :]
    spoken = tuple(msgspec.structs.replace(item, words=_around(item.words, item.said.quote)) for item in chosen)
    explained = msgspec.structs.replace(line.line, text=one_line(line.line.text, _TEXT_CHARACTERS))
    return msgspec.structs.replace(line, line=explained, spoken=spoken)


def _around(words: str, statement: str) -> str:
    """The message, or, where it is long, the part of it that holds the statement."""
    if len(words) <= _WORDS_CHARACTERS:
        return words
    at = max(0, words.casefold().find(statement[:40].casefold()))
    start = max(0, at - _WORDS_CHARACTERS // 3)
    return words[start : start + _WORDS_CHARACTERS]


def _told(line: "WhyLine") -> Iterator[str]:
    explained = line.line
    last = f"-{line.last_line}" if line.last_line > explained.line else ""
    yield f"{explained.path}:{explained.line}{last}: {explained.text}"
    if explained.key:
        yield f"  holds in {explained.scope or 'every project'}"
    if explained.superseded:
        yield f"  superseded on {explained.superseded} by what the user said later"
    if explained.is_yours:
        yield "  the user's own wording"
    if explained.handbook_line:
        yield f"  in the handbook: MEMORY.md:{explained.handbook_line}"
    for item in line.spoken:
        yield from _source(item)
    if more := len(explained.said) - len(line.spoken):
        yield f"  and {plural(more, 'other session')}"
    if commit := line.commit:
        yield f"  written {commit.at:%Y-%m-%d} by {commit.provenance.writer}: {commit.subject}"
    if not line.spoken and not line.commit:
        yield "  no recorded source"


def _source(item: "Spoken") -> Iterator[str]:
    said = item.said
    if said.session:
        turn = f", turn {item.words_turn or said.turn}" if said.turn else ""
        parts = [f"from session {said.session}{turn}", said.at and f"{said.at:%Y-%m-%d}", said.host, said.project]
    else:
        who = "the user noted" if said.kind == "human" else "an agent noted, unconfirmed"
        parts = [who, said.at and f"{said.at:%Y-%m-%d}", said.path or f"{said.source}, which is gone"]
    yield "  " + "  ".join(part for part in parts if part)
    if words := item.words or said.quote:
        yield f'    "{one_line(words, _WORDS_CHARACTERS)}"'
    if said.session and said.path:
        yield f"    recap: {said.path}:{said.line}" if said.line else f"    recap: {said.path}"
    if said.retired:
        yield f"    out of memory: {said.retired}"


def _data(line: "WhyLine") -> dict[str, Any]:
    explained, commit = line.line, line.commit
    return {
        "path": explained.path,
        "line_start": explained.line,
        "line_end": max(explained.line, line.last_line),
        "text": explained.text,
        "scope": explained.scope,
        "superseded": explained.superseded,
        "is_users_wording": explained.is_yours,
        "sources": [_source_data(item) for item in line.spoken],
        "commit": commit and {"id": commit.id, "subject": commit.subject, "writer": commit.provenance.writer.value},
    }


def _source_data(item: "Spoken") -> dict[str, Any]:
    said = item.said
    return {
        "session_id": said.session or None,
        "turn": item.words_turn or said.turn or None,
        "at": said.at and said.at.isoformat(),
        "host": said.host,
        "project": said.project,
        "words": one_line(item.words or said.quote, _WORDS_CHARACTERS),
        "path": said.path,
        "line": said.line or None,
        "retired": said.retired,
    }


MEMORY_WHY = Tool(
    name="memory_why",
    description=(
        "Say where a line of memory comes from: the session, the day, and the words that the user said. Use it where a "
        "memory seems wrong or at odds with the user, before you rely on it or correct it, and when they ask why you "
        "believe something."
    ),
    arguments=WhyArguments,
    access=Access.READ,
    call=_why,
)
