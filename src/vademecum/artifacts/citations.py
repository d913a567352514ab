"""Citation blocks: what an agent says, at the end of an answer, of the memories it used. Here: taking them out.

Two forms (docs/format.md): `<memory-citation>...</memory-citation>`, and a fence with the tag `memory-citation`.
"""

import re

__all__ = ["strip_citations"]

_TAGGED = re.compile(r"\n*<memory-citation>.*?(?:</memory-citation>|\Z)", re.IGNORECASE | re.DOTALL)
_FENCED = re.compile(r"(?:^|\n)\n*```memory-citation[ \t]*\n.*?(?:\n```[ \t]*(?=\n|\Z)|\Z)", re.IGNORECASE | re.DOTALL)


def strip_citations(text: str) -> str:
    """The text without citation blocks; other text stays as it is. A block without end reaches to the end."""
    if "memory-citation" not in text.casefold():
        return text
    return _FENCED.sub("", _TAGGED.sub("", text))
