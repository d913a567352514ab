"""Links between memory files, outside of code.

[[path]]  [[path#heading]]  [[path|words]]      from the root of the memory; the `.md` may be left out
[[name]]                                        a page at the root; one word without blanks, `[[1, 2]]` is none
[words](../folder/page.md#heading)              markdown's own, from the folder of the file that it stands in
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

__all__ = ["Link", "find_links", "links_in", "resolve", "with_links"]

_FENCED = re.compile(r"^(```+|~~~+).*?(?:^\1[`~]*[ ]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\[\[([^\[\]|#\s][^\[\]|#\n]*)(?:[#|][^\[\]\n]*)?\]\]")
_RELATIVE = re.compile(r"\]\(([^()\s#?:]+\.md)(?:#[^()\s]*)?\)")
#: A word that may be the name of a page at the root: `[[todo]]`, `[[deploy-steps]]`; no number, no single letter.
_NAME = re.compile(r"[^\W\d_][\w-]*\w")
_VISIBLE = re.compile(r"[^\n]")


class Link(NamedTuple):
    """One link to a memory file, whether or not the file is there."""

    #: The memory path that it names.
    target: str
    #: The path as it stands in the text, from offset `start` to offset `end`.
    written: str
    start: int
    end: int
    #: True for markdown's own form, which is read from the folder of the file.
    relative: bool


def links_in(text: str) -> list[str]:
    """List the targets of `[[...]]` in their order that are certainly meant as paths: with a slash or `.md`.

    A learner's draft is refused for one that leads nowhere, so a mere word in double brackets is none.
    """
    if "[[" not in text:
        return []
    return [link.written for link in _wiki_links(_without_code(text)) if _is_path(link.written)]


def resolve(target: str) -> str:
    """Return the memory path that a `[[...]]` names, whether or not a file is there."""
    path = target.removeprefix("./")
    return path if path.endswith((".md", ".json")) else f"{path}.md"


def find_links(text: str, path: str) -> list[Link]:
    """List the links of both forms in the file `path`, in their order; `[[name]]` is one too."""
    if "[[" not in text and "](" not in text:
        return []
    prose = _without_code(text)
    return sorted([*_wiki_links(prose), *_relative_links(prose, path)], key=lambda link: link.start)


def with_links(text: str, path: str, written: Callable[[Link], str]) -> str:
    """Return the text of the file `path` with every link as `written` says."""
    parts: list[str] = []
    done = 0
    for link in find_links(text, path):
        parts += text[done : link.start], written(link)
        done = link.end
    return "".join(parts) + text[done:]


def _wiki_links(prose: str) -> Iterator[Link]:
    for match in _LINK.finditer(prose):
        written = match[1].rstrip()
        if _is_path(written) or _NAME.fullmatch(written):
            yield Link(resolve(written), written, match.start(1), match.start(1) + len(written), relative=False)


def _relative_links(prose: str, path: str) -> Iterator[Link]:
    folder = posixpath.dirname(path)
    for match in _RELATIVE.finditer(prose):
        target = posixpath.normpath(posixpath.join(folder, unquote(match[1])))
        yield Link(target, match[1], match.start(1), match.end(1), relative=True)


def _is_path(target: str) -> bool:
    return "/" in target or target.endswith(".md")


def _without_code(text: str) -> str:
    """The text with blanks in the place of code, so that every offset stays."""
    if "`" not in text and "~~~" not in text:
        return text
    return _INLINE_CODE.sub(_blanked, _FENCED.sub(_blanked, text))


def _blanked(match: re.Match[str]) -> str:
    return _VISIBLE.sub(" ", match[0])
