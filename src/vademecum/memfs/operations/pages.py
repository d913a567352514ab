"""Edits of one page: make it, replace text in its body, insert lines, describe it anew."""

import re
from collections.abc import Collection

from vademecum.errors import FrontMatterInvalid, NoChange, RefusedError, TextMismatch, UsageError
from vademecum.memfs.operations.editable import Parts, free_page, page, parts_of, read_editable, refuse_blank
from vademecum.memfs.operations.staged import Edited, EditRules, finish
from vademecum.memfs.pages import front_matter
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.rules import MAX_FILE_BYTES
from vademecum.memfs.pages.text import from_outside

__all__ = ["closed", "create", "describe", "insert", "one_line", "str_replace", "with_description"]

_LISTED_LINES = 10
# Not `splitlines`: only LF ends a line of memory.
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_LINE_BREAKS = re.compile(r"[\r\n]+")


def create(files: Files, rules: EditRules, path: str, *, description: str, text: str = "") -> Edited:
    """Make a page. Where the text has a header of its own, its other keys are kept and the description is this one.

    Raises `AlreadyExists`, `UsageError` for blank arguments, and what `page` and `finish` raise.
    """
    name = free_page(path, files, rules, command="create")
    refuse_blank("create", description=description)
    written = with_description(closed(from_outside(text)), name, one_line(description))
    return finish(files, {name: written}, done=f"created {name}")


def describe(files: Files, rules: EditRules, path: str, *, description: str, without: Collection[str] = ()) -> Edited:
    """Replace the description of a page and keep all else but the keys `without`; line breaks in it become blanks."""
    name = page(path, files, rules, command="describe")
    refuse_blank("describe", description=description)
    text = read_editable(name, files, rules)
    described = with_description(text, name, one_line(description), without=without)
    return finish(files, {name: described}, done=f"described {name}")


def str_replace(
    files: Files, rules: EditRules, path: str, *, old: str, new: str, occurrence: int | None = None, every: bool = False
) -> Edited:
    """Replace text in the body of a page; an empty `new` deletes it. The header is never touched.

    Parameters
    ----------
    occurrence: which match, counted from 1.
    every: all matches. Without either there must be exactly one.

    Raises
    ------
    TextMismatch: there is no match, there are several, or there is none of this number.
    UsageError: `old` is empty, or both `occurrence` and `every` are given.
    NoChange: `old` and `new` are the same.
    """
    name = page(path, files, rules, command="str_replace")
    if not old:
        raise UsageError("str_replace: old is empty")
    if occurrence is not None and every:
        raise UsageError("str_replace: give occurrence or all, not both")
    parts = parts_of(read_editable(name, files, rules), name)
    old, new = from_outside(old), from_outside(new)
    starts = _matches(parts.body, old)
    chosen = _chosen(name, parts, old, starts, occurrence=occurrence, every=every)
    if old == new:
        raise NoChange(f"the old and the new text are the same; {name} stays as it is", paths=(name,))
    # Before it is built: a page may not become so large, and all the writers wait for this one.
    growth = len(chosen) * (len(new) - len(old))
    if growth > MAX_FILE_BYTES:
        raise RefusedError(
            f"{name} would get {growth:,} characters more; a page may have {MAX_FILE_BYTES:,} bytes",
            next_step="Replace fewer places, or by less.",
            paths=(name,),
        )
    body = _joined(parts.body, old, new, chosen)
    return finish(files, {name: parts.header + body}, done=f"{_replaced(len(chosen), len(starts))} in {name}")


def insert(files: Files, rules: EditRules, path: str, *, line: int, text: str) -> Edited:
    """Insert whole lines before file line `line`; inside the header means the first of the body, past the end appends.

    Raises `UsageError` when the text is empty, or no file has such a line.
    """
    name = page(path, files, rules, command="insert")
    if line < 1:
        raise UsageError(
            f"insert: there is no line {line}, because lines count from 1",
            next_step="Give 1 for the top of the page, or a number past its end to append.",
        )
    if not text:
        raise UsageError("insert: text is empty")
    parts = parts_of(read_editable(name, files, rules), name)
    header = closed(parts.header)
    lines = _LINES.findall(parts.body)
    at = min(max(line - parts.body_line, 0), len(lines))
    body = closed("".join(lines[:at])) + closed(from_outside(text)) + "".join(lines[at:])
    return finish(files, {name: header + body}, done=f"inserted before line {parts.body_line + at} of {name}")


def with_description(
    text: str, path: str, description: str | None, *, default: str = "", without: Collection[str] = ()
) -> str:
    """Return the text of a page with this description, or with `default` where it is None and the page has none.

    `without`: keys of its header that go where it is described.

    Raises `FrontMatterInvalid` for a header that cannot be read, or not be written again.
    """
    try:
        document = front_matter.parse(text)
        if description is None and "description" in document.meta:
            return text
        meta = {"description": "", **document.meta} if "description" not in document.meta else dict(document.meta)
        meta["description"] = default if description is None else description
        meta = {key: value for key, value in meta.items() if key not in without}
        return front_matter.render(front_matter.Document(meta=meta, body=document.body))
    except FrontMatterInvalid as error:
        raise FrontMatterInvalid(f"{path}: {error}", paths=(path,)) from error


def closed(text: str) -> str:
    """Return the text with a line break at its end, if it is not empty."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def one_line(text: str) -> str:
    """Return a description as one line."""
    lines = (line.strip() for line in _LINE_BREAKS.split(text))
    return " ".join(line for line in lines if line)


def _joined(body: str, old: str, new: str, starts: list[int]) -> str:
    """The body with the new text at these places, in one walk over it."""
    ends = [start + len(old) for start in starts]
    kept = (body[end:start] for end, start in zip([0, *ends], [*starts, len(body)], strict=True))
    return new.join(kept)


def _matches(body: str, old: str) -> list[int]:
    found: list[int] = []
    start = body.find(old)
    while start >= 0:
        found.append(start)
        start = body.find(old, start + len(old))
    return found


def _chosen(path: str, parts: Parts, old: str, starts: list[int], *, occurrence: int | None, every: bool) -> list[int]:
    if not starts:
        where = "only in the header, which `describe` changes" if old in parts.header else "nowhere"
        raise TextMismatch(f"the old text stands {where} in {path}", paths=(path,))
    if every:
        return starts
    if occurrence is None and len(starts) > 1:
        raise TextMismatch(
            f"the old text stands {len(starts)} times in {path}, in lines {_line_list(parts, starts)}",
            next_step="Give more of the text, so that it is found once; or say which occurrence, or all.",
            paths=(path,),
        )
    if occurrence is not None and not 1 <= occurrence <= len(starts):
        times = "once" if len(starts) == 1 else f"{len(starts)} times"
        raise TextMismatch(
            f"there is no occurrence {occurrence}: the old text stands {times} in {path}, "
            f"in line {_line_list(parts, starts)}",
            paths=(path,),
        )
    return [starts[(occurrence or 1) - 1]]


def _line_list(parts: Parts, starts: list[int]) -> str:
    shown = ", ".join(str(parts.body_line + parts.body.count("\n", 0, start)) for start in starts[:_LISTED_LINES])
    return shown + (", ..." if len(starts) > _LISTED_LINES else "")


def _replaced(chosen: int, matches: int) -> str:
    if matches == 1:
        return "replaced the one match"
    return f"replaced all {matches} matches" if chosen == matches else f"replaced {chosen} of {matches} matches"
