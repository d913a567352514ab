"""Change single values in JSON that people write: comments, order, indentation and trailing commas stay as they are.

    set_at(text, ("mcp", "vademecum"), value)    puts a value at a place; objects on the way are made
    set_at(text, ("hooks", "Stop", 2), value)    a number behind the last element appends
    unset_at(text, path)                         takes a member or element out
    read(text)                                   the plain value of the whole

Text that is strict JSON stays strict JSON. An object that has a key twice counts as hosts count it: the last one holds.
"""

import json
import re
from typing import Any

from vademecum.hosts.jsonc_scan import Node, Part, bad_json, scan, skip_line_comment

__all__ = ["read", "set_at", "unset_at"]

_Path = tuple[str | int, ...]
_UNIT = "  "
_LINE_END = re.compile(r"\r?\n")
_END_OF_LINE = re.compile(r"[ \t]*(\r?\n)?")


def read(text: str) -> Any:  # noqa: ANN401  any JSON
    """The plain value; an empty text is an empty object. Raises CannotEdit."""
    return scan(text).value if text.strip() else {}


def set_at(text: str, path: _Path, value: object) -> str:
    """Put a value at a place, and make the objects on the way to it. Raises CannotEdit.

    The same text comes back where the value stands there already.
    """
    if not text.strip():
        return json.dumps(_nested(path, value), indent=_UNIT, ensure_ascii=False) + "\n"
    root = node = scan(text)
    for depth, step in enumerate(path):
        child = node.child(step)
        if child is None:
            return _Writer(text, root).inserted(node, step, _nested(path[depth + 1 :], value))
        node = child
    if node.value == value and _same_types(node.value, value):
        return text
    writer = _Writer(text, root)
    return text[: node.start] + writer.rendered(value, writer.indent_at(node.start)) + text[node.end :]


def unset_at(text: str, path: _Path, *, prune: bool = False) -> str:
    """Take a member or an element out; the same text where nothing is there. Raises CannotEdit.

    `prune`: objects and lists on the way that this leaves without anything go too, comments included being something.
    """
    if not text.strip():
        return text
    node = scan(text)
    for step in path[:-1]:
        child = node.child(step)
        if child is None:
            return text
        node = child
    while node.find(path[-1]) is not None:  # a key may stand there twice
        text = _taken_out(text, node, path[-1])
        node = _at(scan(text), path[:-1])
        if isinstance(path[-1], int):
            break
    if prune and len(path) > 1 and node.is_bare(text):
        return unset_at(text, path[:-1], prune=True)
    return text


def _at(node: Node, path: _Path) -> Node:
    for step in path:
        child = node.child(step)
        assert child is not None
        node = child
    return node


def _nested(path: _Path, value: object) -> object:
    for step in reversed(path):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def _same_types(one: object, other: object) -> bool:
    """`True == 1` in Python, not in JSON."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _taken_out(text: str, node: Node, step: str | int) -> str:
    place = node.find(step)
    assert place is not None
    part = node.parts[place]
    if len(node.parts) == 1 and not _without(text[node.start + 1 : node.end - 1], part, node.start + 1).strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    spans = [(part.start, part.value.end)]
    if part.comma is not None:
        spans.append((part.comma, part.comma + 1))
    elif place:
        comma = node.parts[place - 1].comma
        assert comma is not None
        spans.append((comma, comma + 1))
    return _cut(text, spans, is_last=place == len(node.parts) - 1)


def _without(inside: str, part: Part, offset: int) -> str:
    """What stands between the brackets beside the only part."""
    comma = part.value.end if part.comma is None else part.comma + 1
    between = inside[part.value.end - offset : comma - offset].rstrip(",")
    return inside[: part.start - offset] + between + inside[comma - offset :]


def _cut(text: str, spans: list[tuple[int, int]], *, is_last: bool) -> str:
    """Take out a part and a comma, and with them the blanks or the line that would be left of the part."""
    start, end = spans[0]
    if len(spans) > 1 and spans[1][0] >= end and not text[end : spans[1][0]].strip():
        end = spans.pop()[1]
    line = text.rfind("\n", 0, start) + 1
    rest = _END_OF_LINE.match(text, end)
    if rest and rest[1] and not text[line:start].strip():
        start, end = line, rest.end()
    elif rest and not is_last:
        end = rest.end(0) - len(rest[1] or "")
    else:
        start = len(text[:start].rstrip(" \t"))
    for first, last in sorted([(start, end), *spans[1:]], reverse=True):
        text = text[:first] + text[last:]
    return text


class _Writer:
    """Writes in the style of a text: its line ends, and its indentation."""

    def __init__(self, text: str, root: Node) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.unit = self._unit(root)

    def _unit(self, root: Node) -> str:
        first = root.parts[0] if root.parts else None
        if first is None or "\n" not in self.text[root.start : first.start]:
            return _UNIT
        return self.indent_at(first.start).removeprefix(self.indent_at(root.start)) or _UNIT

    def indent_at(self, position: int) -> str:
        """The blanks that begin the line of a position."""
        line = self.text[self.text.rfind("\n", 0, position) + 1 : position]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def rendered(self, value: object, indent: str) -> str:
        """A value whose further lines are indented as its first line is."""
        lines = json.dumps(value, indent=self.unit, ensure_ascii=False).split("\n")
        return (self.newline + indent).join(lines)

    def inserted(self, node: Node, step: str | int, value: object) -> str:
        """The text with a further member or element at the end of a container. Raises CannotEdit."""
        if node.is_object != isinstance(step, str):
            wanted = "an object" if isinstance(step, str) else "a list"
            raise bad_json(self.text, node.start, f"{wanted} is expected here")
        if node.is_object or step == len(node.parts):
            key = json.dumps(step, ensure_ascii=False) + ": " if node.is_object else ""
            return self._in_lines(node, key, value) if self._is_tall(node) else self._in_line(node, key, value)
        raise bad_json(self.text, node.start, f"the list has no element {step}")

    def _is_tall(self, node: Node) -> bool:
        if not node.parts:
            return True
        return "\n" in self.text[node.start : node.parts[-1].start]

    def _in_line(self, node: Node, key: str, value: object) -> str:
        last = node.parts[-1]
        body = key + json.dumps(value, ensure_ascii=False)
        if last.comma is not None:
            return f"{self.text[: last.comma + 1]} {body},{self.text[last.comma + 1 :]}"
        return f"{self.text[: last.value.end]}, {body}{self.text[last.value.end :]}"

    def _in_lines(self, node: Node, key: str, value: object) -> str:
        outer = self.indent_at(node.parts[0].start if node.parts else node.start)
        indent = outer if node.parts else outer + self.unit
        member = indent + key + self.rendered(value, indent)
        if not node.parts:
            return self._into_empty(node, member)
        last, comma = node.parts[-1].value.end, node.parts[-1].comma
        if comma is not None:
            place = skip_line_comment(self.text, comma + 1)
            return f"{self.text[:place]}{self._line_end_at(place)}{member},{self.text[place:]}"
        place = skip_line_comment(self.text, last)
        return f"{self.text[:last]},{self.text[last:place]}{self._line_end_at(place)}{member}{self.text[place:]}"

    def _line_end_at(self, place: int) -> str:
        """The line end that stands there: in a file that has both kinds, ours goes with its line."""
        return found[0] if (found := _LINE_END.match(self.text, place)) else self.newline

    def _into_empty(self, node: Node, member: str) -> str:
        place = node.content_end
        rest = self.text[place:]
        closing = "" if "\n" in self.text[place : node.end] else self.newline + self.indent_at(node.start)
        return self.text[:place] + self._line_end_at(place) + member + closing + rest
