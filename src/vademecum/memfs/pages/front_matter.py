"""The header of a memory file: read it, write it, and name the first way in which it breaks the grammar.

    ---
    description: One line, at most 1024 characters
    read_only: true
    ---
    body

One `key: value` a line. A value is plain text, a quoted string, an integer, `true` or `false`, or a list or map in one
line. Dates and decimal numbers stay the text that they are, so that reading and writing never changes them. Headers
that a person wrote in wider YAML are read (by PyYAML, loaded only then) and reported by `violation`.
"""

import json
import re
from typing import Any, cast

import msgspec

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs.pages.text import encodable, is_shallow, text_violation
from vademecum.memfs.pages.unseen import shown_unseen, unseen_in

__all__ = ["MAX_DESCRIPTION", "Document", "header_of", "parse", "render", "requires_front_matter", "violation"]

#: Longest description in characters; it may stand in an index line of every prompt.
MAX_DESCRIPTION = 1024

_FENCE = "---"
#: The three lines, said in one.
_EXAMPLE = "the lines `---`, `description: WHAT THE PAGE IS ABOUT`, `---`"
_HEADED = re.compile(r"(?:system|reference|people)/.+\.md|skills/(?:.+/)?SKILL\.md")
# The blanks around the value are taken off afterwards: an expression that does it takes quadratic time.
_PAIR = re.compile(r"([A-Za-z0-9_-]+):(.*)")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")

# What YAML would not read as text where it stands unquoted: its indicators at the front, a comment, a second key, the
# spellings of null and the booleans in any version of YAML.
_UNSAFE_START = re.compile(r"""[-?:,\[\]{}#&*!|>'"%@`=<~]""")
_UNSAFE_INSIDE = re.compile(r": |:$| #|[^ -~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_RESERVED = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})

# Left over from a tool call whose arguments leaked into the text: naming it beats naming its symptoms.
_SCAFFOLDING = re.compile(r"</?(?:antml:)?(?:description|parameter)\b", re.IGNORECASE)


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A memory file, taken apart."""

    #: The header in its own order; empty when the file has none.
    meta: dict[str, Any]
    #: Everything below the header, unchanged.
    body: str
    #: The file line (counted from 1) on which the body begins.
    body_line: int = 1


def requires_front_matter(path: str) -> bool:
    """Say whether files at `path` must have a header with a description."""
    return _HEADED.fullmatch(path) is not None


def header_of(text: str) -> str | None:
    """Return the header with both its fences, or None when the text has none (or never closes it)."""
    bounds = _bounds(text)
    return None if bounds is None else text[: bounds[1]]


def parse(text: str) -> Document:
    """Take a memory file apart. Text without a header is all body.

    Raises
    ------
    FrontMatterInvalid: the header is not closed, or is not YAML that maps keys to values.
    """
    bounds = _bounds(text)
    if bounds is None:
        if text.partition("\n")[0].rstrip() == _FENCE:
            raise FrontMatterInvalid("the header is not closed by a line ---")
        return Document(meta={}, body=text)
    header = _lines(text, bounds)
    meta = _strict(header)
    if meta is None:
        meta = _wide("\n".join(header))
    return Document(meta=meta, body=text[bounds[1] :], body_line=text.count("\n", 0, bounds[1]) + 1)


def render(document: Document) -> str:
    """Write a memory file: the header in the order of `meta`, then the body as it is.

    Raises
    ------
    FrontMatterInvalid: a key or value cannot be written so that it reads back the same.
    """
    if not document.meta and not document.body.startswith(_FENCE):
        return document.body
    lines = [f"{key}: {_scalar(value)}" for key, value in document.meta.items()]
    text = "\n".join([_FENCE, *lines, _FENCE, ""])
    if _strict(lines) != document.meta:
        raise FrontMatterInvalid("a key or value of the header cannot be written in one line")
    return text + document.body


def violation(text: str, path: str) -> str | None:
    """Name the first rule that the file breaks, or None.

    Only paths for which `requires_front_matter` holds need a header; one that is there must be right everywhere.
    """
    bounds = _bounds(text)
    found = text_violation(text)
    if found:
        return found
    if bounds is None:
        if text.partition("\n")[0].rstrip() == _FENCE:
            return "the header is not closed by a line ---"
        return f"has no header with a description: begin it with {_EXAMPLE}" if requires_front_matter(path) else None
    header = _lines(text, bounds)
    scaffolding = _SCAFFOLDING.search("\n".join(header))
    if scaffolding:
        return f"the header holds a piece of a tool call ({scaffolding[0]}...)"
    return _line_violations(header) or _key_violation(_strict(header) or {}, path)


def _bounds(text: str) -> tuple[int, int] | None:
    """Return where the header's lines begin and where the body begins."""
    if not text.startswith(_FENCE + "\n"):
        return None
    start = len(_FENCE) + 1
    if text.startswith(_FENCE, start) and text[start + 3 : start + 4] in {"", "\n"}:
        return start, min(start + 4, len(text))
    end = text.find(f"\n{_FENCE}\n", start - 1)
    if end >= 0:
        return start, end + len(_FENCE) + 2
    return (start, len(text)) if text.endswith("\n" + _FENCE) else None


def _lines(text: str, bounds: tuple[int, int]) -> list[str]:
    return text[bounds[0] : bounds[1]].removesuffix("\n").split("\n")[:-1]


def _strict(header: list[str]) -> dict[str, Any] | None:
    meta: dict[str, Any] = {}
    for line in header:
        pair = _PAIR.fullmatch(line)
        if pair is None or pair[1] in meta:
            return None
        value = _value(pair[2].strip(" "))
        if value is None:
            return None
        meta[pair[1]] = value
    return meta


def _value(source: str) -> Any:  # noqa: ANN401 (a header holds JSON-like values)
    """Read one value of the grammar; None when it is none of its forms."""
    if source in {"true", "false"}:
        return source == "true"
    if _INTEGER.fullmatch(source):
        return int(source)
    if _is_plain(source):
        return source
    if source[:1] in {'"', "[", "{"}:
        return _json(source)
    if len(source) > 1 and source[0] == source[-1] == "'":
        inner = source[1:-1]
        return inner.replace("''", "'") if "'" not in inner.replace("''", "") else None
    return None


def _json(source: str) -> Any:  # noqa: ANN401 (as _value)
    loaded = _loaded(source)
    return encodable(loaded) if "\\u" in source else loaded


def _loaded(source: str) -> Any:  # noqa: ANN401 (as _value)
    try:
        loaded = json.loads(source, parse_float=str, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return loaded if is_shallow(loaded) else None


def _refuse_constant(name: str) -> None:
    raise ValueError(name)  # NaN and the infinities are not JSON, and NaN does not equal itself


def _is_plain(source: str) -> bool:
    return (
        source != ""
        and source == source.strip()
        and source.lower() not in _RESERVED
        and not _INTEGER.fullmatch(source)
        and not _UNSAFE_START.match(source)
        and not _UNSAFE_INSIDE.search(source)
    )


def _scalar(value: object) -> str:
    if isinstance(value, str) and _is_plain(value) and unseen_in(value) is None:
        return value
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise FrontMatterInvalid(f"a header cannot hold {value!r}") from error
    return shown_unseen(re.sub(_UNSAFE_INSIDE, lambda found: _escaped(found[0]), written), _escaped)


def _escaped(found: str) -> str:
    return found if found.isascii() and found.isprintable() else json.dumps(found)[1:-1]


def _wide(header: str) -> dict[str, Any]:
    # PyYAML takes as long to import as a context takes to compile; headers in our own grammar never need it.
    from vademecum.memfs.pages.wide_yaml import load_mapping

    return load_mapping(header)


def _line_violations(header: list[str]) -> str | None:
    keys: set[str] = set()
    for number, line in enumerate(header, start=2):
        found = _unseen_violation(line) or _line_violation(line, keys)
        if found:
            return f"header line {number}: {found}"
    return None


def _unseen_violation(line: str) -> str | None:
    unseen = unseen_in(line)
    return f"holds the invisible character U+{ord(unseen):04X}; leave it out" if unseen else None


def _line_violation(line: str, keys: set[str]) -> str | None:
    if not line.strip():
        return "is blank"
    if line[0] in " \t":
        return "is indented; every value stands in one line"
    if line[0] == "#":
        return "is a comment"
    pair = _PAIR.fullmatch(line)
    if pair is None:
        return "is not `key: value`"
    key, source = pair[1], pair[2].strip(" ")
    if key in keys:
        return f"repeats the key {key}"
    keys.add(key)
    return _source_violation(key, source)


def _source_violation(key: str, source: str) -> str | None:
    if not source:
        return f"{key} has no value"
    if source[0] in "|>":
        return f"{key} is a block of lines; write it in one line"
    value = _value(source)
    if value is not None:
        # What is written as an escape passes every check of the text itself.
        halved = "\\u" in source and source[0] in '"[{' and _loaded(source) != value
        return f"{key} holds half of a surrogate pair, which UTF-8 cannot store" if halved else None
    if source[0] in "\"'":
        return f"{key} is not a correctly quoted string"
    if source[0] in "[{":
        return f"{key} is not a list or map in JSON form"
    return f"{key} must be quoted; unquoted it means something else"


def _key_violation(meta: dict[str, Any], path: str) -> str | None:
    description: object = meta.get("description")
    if description is None:
        return "the header has no line `description: ...`" if requires_front_matter(path) else None
    if not isinstance(description, str) or not description.strip():
        return "the description is not text"
    if "\n" in description:
        return "the description has more than one line"
    if len(description) > MAX_DESCRIPTION:
        return f"the description has more than {MAX_DESCRIPTION} characters"
    aliases: object = meta.get("aliases", [])
    if not isinstance(aliases, list) or not all(
        isinstance(a, str) and a.strip() for a in cast("list[object]", aliases)
    ):
        return "aliases is not a list of names"
    return None
