"""The fence around our block in a prompt: its nonce derives from the content, so no content can close it.

<vademecum-memory nonce="9f2c41d07a3b">
...
</vademecum-memory nonce="9f2c41d07a3b">
"""

import hashlib
import re

__all__ = ["fence_lines", "strip_memory_blocks"]

_OPEN = re.compile(r'<vademecum-memory nonce="([0-9a-f]{12})">')


def fence_lines(content: str) -> tuple[str, str]:
    """The opening and the closing line for a block made of this content. Same content, same lines."""
    nonce = _nonce(content)
    return f'<vademecum-memory nonce="{nonce}">', _close(nonce)


def _close(nonce: str) -> str:
    return f'</vademecum-memory nonce="{nonce}">'


def _nonce(content: str) -> str:
    # Content that holds its own nonce cannot be written on purpose without inverting SHA-256; counting up keeps the
    # rule true even so.
    for attempt in range(16):
        nonce = hashlib.sha256(f"{attempt}\0{content}".encode()).hexdigest()[:12]
        if nonce not in content:
            return nonce
    raise AssertionError("sixteen SHA-256 prefixes stand in one text")


def strip_memory_blocks(text: str) -> str:
    """The text without any block of ours; a block that was cut off reaches to the end of the text."""
    match = _OPEN.search(text)
    if match is None:
        return text
    parts: list[str] = []
    position = 0
    while match is not None:
        parts.append(text[position : match.start()])
        close = _close(match[1])
        end = text.find(close, match.end())
        position = len(text) if end < 0 else end + len(close)
        match = _OPEN.search(text, position)
    parts.append(text[position:])
    return "".join(parts)
