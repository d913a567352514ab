"""Links between memory files: `[[path]]`, `[[path#heading]]`, `[[path|words]]`; the `.md` may be left out."""

import re

__all__ = ["links_in", "resolve"]

_FENCED = re.compile(r"^(```+|~~~+).*?(?:^\1[`~]*[ ]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\[\[([^\[\]|#\s][^\[\]|#\n]*)(?:[#|][^\[\]\n]*)?\]\]")


def links_in(text: str) -> list[str]:
    """List the link targets in their order. Code is left out; so is what does not look like a path (`[[1, 2]]`)."""
    if "[[" not in text:
        return []
    prose = _INLINE_CODE.sub("", _FENCED.sub("", text))
    targets = [match[1].strip() for match in _LINK.finditer(prose)]
    return [target for target in targets if "/" in target or target.endswith(".md")]


def resolve(target: str) -> str:
    """Return the memory path that a link names, whether or not a file is there."""
    path = target.removeprefix("./")
    return path if path.endswith((".md", ".json")) else f"{path}.md"
