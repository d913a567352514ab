"""Where everything stands in a JSON text with comments: one pass, nothing changed, nothing guessed.

Strings, numbers and words are those of JSON; besides, `//` and `/* */` comments and a comma behind the last part are
read. Everything else is refused with its line.
"""

import json
import re
from typing import Any

from vademecum.errors import CannotEdit

__all__ = ["Node", "Part", "bad_json", "scan", "skip_line_comment"]

#: Hosts nest their settings a few levels deep; a text that goes deeper is no configuration.
_DEEPEST = 100
_BLANKS = re.compile(r"[ \t\r\n]+")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_REST_OF_LINE = re.compile(r"(?:[ \t]|/\*(?:[^*\n]|\*(?!/))*\*/)*(?://[^\r\n]*)?(?=\r?\n|\Z)")
_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null'
)


class Node:
    """One value: where it begins and ends, and what stands in it."""

    __slots__ = ("content_end", "end", "is_object", "parts", "start", "value")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.value: Any = None
        self.is_object = False
        self.parts: list[Part] = []
        #: Behind the bracket, or behind the last comment before the first part.
        self.content_end = start + 1

    def find(self, step: str | int) -> int | None:
        """The place of a member or element among the parts; of a key that stands there twice, the last one."""
        if isinstance(step, int):
            return step if not self.is_object and 0 <= step < len(self.parts) else None
        found = [place for place, part in enumerate(self.parts) if self.is_object and part.key == step]
        return found[-1] if found else None

    def child(self, step: str | int) -> "Node | None":
        """The value of a member or an element."""
        place = self.find(step)
        return None if place is None else self.parts[place].value

    def is_bare(self, text: str) -> bool:
        """Whether nothing but blanks stands between its brackets."""
        return isinstance(self.value, dict | list) and not text[self.start + 1 : self.end - 1].strip()


class Part:
    """A member of an object or an element of a list."""

    __slots__ = ("comma", "key", "start", "value")

    def __init__(self, start: int, key: str | None, value: Node) -> None:
        self.start, self.key, self.value = start, key, value
        #: Where the comma behind it stands.
        self.comma: int | None = None


def scan(text: str) -> Node:
    """Read a whole text. Raises CannotEdit with the line."""
    scanner = _Scanner(text)
    place = scanner.skip(0)
    node = scanner.value(place, 0)
    end = scanner.skip(node.end)
    if end != len(text):
        raise bad_json(text, end, "something stands behind the end")
    return node


def bad_json(text: str, place: int, what: str) -> CannotEdit:
    """The refusal of a text, with the line."""
    return CannotEdit(f"line {text.count(chr(10), 0, place) + 1}: {what}")


def skip_line_comment(text: str, place: int) -> int:
    """The end of the line, where only comments stand until there; else the place itself."""
    rest = _REST_OF_LINE.match(text, place)
    return rest.end() if rest else place


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text

    def skip(self, place: int) -> int:
        """The next place that holds neither blanks nor a comment."""
        while True:
            if found := _BLANKS.match(self.text, place) or _COMMENT.match(self.text, place):
                place = found.end()
            elif self.text.startswith("/*", place):
                raise bad_json(self.text, place, "a comment begins here and does not end")
            else:
                return place

    def value(self, place: int, depth: int) -> Node:
        node = Node(place)
        opening = self.text[place : place + 1]
        if opening in {"{", "["} and opening:
            if depth >= _DEEPEST:
                raise bad_json(self.text, place, f"more than {_DEEPEST} levels")
            node.is_object = opening == "{"
            self._container(node, depth)
        else:
            self._scalar(node)
        return node

    def _scalar(self, node: Node) -> None:
        found = _SCALAR.match(self.text, node.start)
        if found is None:
            what = "the text ends too early" if node.start >= len(self.text) else "this is no JSON"
            raise bad_json(self.text, node.start, what)
        node.end = found.end()
        node.value = json.loads(found[0])

    def _container(self, node: Node, depth: int) -> None:
        closing = "}" if node.is_object else "]"
        place = self.skip(node.start + 1)
        node.content_end = node.start + 1 + len(self.text[node.start + 1 : place].rstrip())
        while not self.text.startswith(closing, place):
            if node.parts and node.parts[-1].comma is None:
                raise bad_json(self.text, place, f"a comma or {closing} is missing")
            part = self._part(node, place, depth)
            node.parts.append(part)
            place = self.skip(part.value.end)
            if self.text.startswith(",", place):
                part.comma = place
                place = self.skip(place + 1)
        node.end = place + 1
        values = [part.value.value for part in node.parts]
        node.value = dict(zip((part.key for part in node.parts), values, strict=True)) if node.is_object else values

    def _part(self, node: Node, start: int, depth: int) -> Part:
        if not node.is_object:
            return Part(start, None, self.value(start, depth + 1))
        key = Node(start)
        self._scalar(key)
        if not isinstance(key.value, str):
            raise bad_json(self.text, start, "a key in quotes is missing")
        place = self.skip(key.end)
        if not self.text.startswith(":", place):
            raise bad_json(self.text, place, "a colon is missing")
        return Part(start, key.value, self.value(self.skip(place + 1), depth + 1))
