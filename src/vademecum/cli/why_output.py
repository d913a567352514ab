"""How an explanation looks at a terminal."""

import textwrap
from collections.abc import Iterator, Sequence
from datetime import datetime

from vademecum.amounts import plural
from vademecum.artifacts import ARCHIVE_PATH, HANDBOOK_PATH, strip_marks
from vademecum.cli.commit_lines import commit_line, short_id, who
from vademecum.cli.printing import Style, flat, home_as_tilde, say, say_styled
from vademecum.engine import Spoken, Why, WhyLine
from vademecum.learning import Explained, Said
from vademecum.memfs import Commit

__all__ = ["say_why"]

_WIDTH = 88
_INDENT = "  "
_LABEL = 12
#: A longer message is cut around the statement.
_MAX_WORDS = 600
_NO_SOURCE = "no recorded source"
_DID = frozenset({"command", "failure", "error", "file", "fact"})
_RETIRED = {
    "unused": "nobody used it for too long: it left handbook and summary, and comes back when it is used",
    "no_output": "the session was read again, and nothing in it was worth keeping",
    "deleted": "you deleted its rollout summary",
    "forgotten": "you asked to forget the session",
    "rejected": "you rejected what it would have brought",
}
_READ_FROM = {
    "host": " (read again from the agent's own files)",
    "rollout summary": " (as the rollout summary quotes it)",
}
_REMOVED = {
    "deleted": "you deleted it",
    "undone": "you undid what brought it",
    "rejected": "you rejected it",
    "forgotten": "you asked to forget it",
}


def say_why(why: Why, *, everything: bool = False) -> bool:
    """Print it: one line with everything, several ones shortly unless `everything`; whether there is more of it."""
    if len(why.lines) == 1 and not why.lines[0].last_line:
        _say_whole(why.lines[0])
        return False
    for at, line in enumerate(why.lines):
        if everything and not line.last_line:
            if at:
                say()
            _say_whole(line)
        else:
            _say_shortly(line, with_path=not why.path)
    return not everything and any(len(line.spoken) > 1 for line in why.lines)


def _say_shortly(line: WhyLine, *, with_path: bool) -> None:
    place = f"{line.line.path}:{line.line.line}" if with_path else f"{line.line.line:>5}"
    if line.last_line > line.line.line:
        place = f"{place}-{line.last_line}"
    say_styled((f"{place}  ", Style.FAINT), (strip_marks(line.line.text).strip() or "(empty)", Style.PLAIN))
    say_styled((f"{'':>7}{_in_short(line)}", Style.FAINT))


def _in_short(line: WhyLine) -> str:
    superseded = f"superseded {_superseded(line.line)}; " if line.line.superseded else ""
    return f"{superseded}{_origin_in_short(line)}"


def _origin_in_short(line: WhyLine) -> str:
    if not line.spoken:
        return _commit_in_short(line.commit) if line.commit else _NO_SOURCE
    told = [item.said for item in line.spoken]
    first = told[0]
    verb = f"{_verb(line.spoken[0])}  " if not first.session else ""
    more = f", and {plural(len(told) - 1, 'more time')}" if len(told) > 1 else ""
    removed = f"{_removed(line.line)}; " if line.line.removed else ""
    return f"{removed}{verb}{_where(first)}{more}"


def _commit_in_short(commit: Commit) -> str:
    return f"{short_id(commit.id)}  {commit.at:%Y-%m-%d}  {who(commit)}  {flat(commit.subject)}"


def _say_whole(line: WhyLine) -> None:
    explained = line.line
    if explained.line:
        say_styled((f"{explained.path}:{explained.line}", Style.STRONG))
    for part in _wrapped(strip_marks(explained.text).strip() or "(an empty line)", _INDENT):
        say(part)
    facts = list(_facts(explained))
    if facts:
        say()
    for label, value in facts:
        _say_fact(label, value)
    for item in line.spoken:
        say()
        _say_spoken(item)
    if not line.spoken and not (line.commit and line.commit.provenance.session):
        say()
        _say_fact("source", _NO_SOURCE)
    if line.commit:
        say()
        _say_commit(line.commit)


def _facts(explained: Explained) -> Iterator[tuple[str, str]]:
    if explained.key:
        yield "holds in", home_as_tilde(flat(explained.scope)) if explained.scope else "every project"
    if explained.removed:
        yield "removed", f"{_removed(explained)}; it stays away ({ARCHIVE_PATH})"
    if explained.superseded:
        yield "superseded", _superseded(explained)
    if explained.is_yours:
        yield "wording", "yours" + (f"; it was learned as: {flat(explained.learned)}" if explained.learned else "")
    if explained.handbook_line:
        yield "handbook", f"{HANDBOOK_PATH}:{explained.handbook_line}"


def _superseded(explained: Explained) -> str:
    return f"on {explained.superseded}, by what you said later{_newer(explained)}"


def _newer(explained: Explained) -> str:
    return f": {flat(strip_marks(explained.superseded_by))}" if explained.superseded_by else ""


def _removed(explained: Explained) -> str:
    return f"{_REMOVED.get(explained.removed, explained.removed)} on {explained.removed_on}"


def _say_fact(label: str, value: str) -> None:
    first, *rest = _wrapped(value, _INDENT + " " * _LABEL)
    say_styled((f"{_INDENT}{label:<{_LABEL}}", Style.FAINT), (first.strip(), Style.PLAIN))
    for part in rest:
        say(part)


def _say_spoken(item: Spoken) -> None:
    said = item.said
    say_styled((f"{_INDENT}{_verb(item)}", Style.STRONG), (f"  {_where(said)}", Style.PLAIN))
    if said.kind in _DID and said.quote:
        for part in _wrapped(said.quote, f"{_INDENT}  "):
            say(part)
        if item.words:
            say_styled((f"{_INDENT}  after you asked, in turn {item.words_turn}:", Style.FAINT))
    for part in _quotation(item):
        say(part)
    for reference in _references(item):
        say_styled((f"{_INDENT}  {reference}", Style.FAINT))
    if said.retired:
        say(f"{_INDENT}  {_RETIRED.get(said.retired, said.retired)}")


def _verb(item: Spoken) -> str:
    said = item.said
    if not said.session:
        return "you noted" if said.kind == "human" else "an agent noted"
    if not said.turn:
        return "session"
    return "seen" if said.kind in _DID else "you said"


def _where(said: Said) -> str:
    place = home_as_tilde(flat(said.project))
    parts = [_time(said.at), flat(said.host), place]
    told = "  ".join(part for part in parts if part)
    return told or (f"session {flat(said.session)}, which nobody knows here" if said.session else _NO_SOURCE)


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def _quotation(item: Spoken) -> Sequence[str]:
    words = item.words or ("" if item.said.kind in _DID else item.said.quote)
    lines = [line for line in _around(words, item.said.quote).split("\n") if line.strip()]
    return [part for line in lines for part in _wrapped(line, f"{_INDENT}  > ")]


def _around(words: str, statement: str) -> str:
    """The message, or, where it is long, the part of it that holds the statement."""
    if len(words) <= _MAX_WORDS:
        return words
    at = max(0, words.casefold().find(statement[:40].casefold()) if statement else 0)
    start = max(0, words.rfind("\n", 0, at) + 1, at - _MAX_WORDS // 3)
    end = min(len(words), start + _MAX_WORDS)
    return f"{'... ' if start else ''}{words[start:end].strip()}{' ...' if end < len(words) else ''}"


def _references(item: Spoken) -> Iterator[str]:
    said = item.said
    if not said.session:
        yield said.path or f"{said.source}, which is gone"
        return
    turn = f", turn {said.turn if said.kind in _DID else item.words_turn or said.turn}" if said.turn else ""
    yield f"session {flat(said.session)}{turn}{_READ_FROM.get(item.read_from, '')}"
    if said.path:
        yield f"{said.path}:{said.line}" if said.line else said.path


def _say_commit(commit: Commit) -> None:
    say_styled((f"{_INDENT}written by", Style.FAINT))
    say(f"{_INDENT}  {commit_line(commit)}")
    provenance = commit.provenance
    if provenance.session:
        turn = f", turn {provenance.turn}" if provenance.turn else ""
        say_styled((f"{_INDENT}  in session {flat(provenance.session)}{turn}", Style.FAINT))


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        flat(text), _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    ) or [indent.rstrip()]
