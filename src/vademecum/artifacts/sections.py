"""Markdown as sections: a heading, the headings above it, and the lines below it until the next heading."""

import re

import msgspec

__all__ = ["Section", "parse_sections", "render_sections"]

_HEADING = re.compile(r"^(#{1,6}) +(\S.*?)\s*$")


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A heading with the lines that stand directly below it."""

    #: Heading lines from the outermost to this one, as they stand in the file; empty before the first heading.
    path: tuple[str, ...]
    #: The lines without the heading, as they stand in the file.
    lines: tuple[str, ...]

    @property
    def title(self) -> str:
        """The heading's text without its marks, empty before the first heading."""
        return self.path[-1].lstrip("#").strip() if self.path else ""


def parse_sections(text: str) -> list[Section]:
    """The sections in file order; headings inside fenced code are text. The first one may have no heading."""
    sections: list[Section] = []
    path: tuple[str, ...] = ()
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        sections.append(Section(path=path, lines=tuple(lines)))
        level = len(heading[1])
        path = (*(above for above in path if _level(above) < level), line.rstrip())
        lines = []
    sections.append(Section(path=path, lines=tuple(lines)))
    return [section for section in sections if section.path or any(section.lines)]


def _level(heading: str) -> int:
    return len(heading) - len(heading.lstrip("#"))


def render_sections(sections: list[Section]) -> str:
    """The text: one blank line before each heading, none doubled, a newline at the end."""
    blocks: list[str] = []
    for section in sections:
        body = "\n".join(section.lines).strip("\n")
        blocks.append("\n".join(part for part in (section.path[-1] if section.path else "", body) if part))
    return "\n\n".join(block for block in blocks if block) + "\n"
