"""Characters that nobody sees: they hide text from who reads it, though not from a model, or make it read otherwise.

These are what Unicode lets a program ignore (`Default_Ignorable_Code_Point`: joiners, fillers, tags, selectors), what
turns the direction of a line, and the blank of Braille.
"""

import re
from collections.abc import Callable

__all__ = ["is_never_shown", "shown_unseen", "unseen_in", "without_unseen"]

# For classes of regular expressions: what stands for nothing in any text, selectors left out.
_IGNORED = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
# Selectors, which choose a form of the sign before them; a row of them is text that only programs read.
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"

_BLANK_OF_BRAILLE = "\u2800"
_ANY = f"{_IGNORED}{_SELECTORS}{_BLANK_OF_BRAILLE}"
_NEVER_SHOWN = re.compile(f"[{_ANY}]")
# What does something to the sign before it: selectors in an emoji (after anything that is seen), in Mongolian and Han;
# joiners after what is neither Latin nor punctuation, as in Persian, in Hindi and in an emoji of several.
_AT_WORK = (
    rf"(?<=[^\s\ufffd{_ANY}])[\ufe0e\ufe0f]"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]"
    "|(?<=[\u3021-\u3029\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\ufe00-\ufe0d\U000e0100-\U000e01ef]"
    rf"|(?<=[^\0-\u024f\u2000-\u206f\s\ufffd{_ANY}])[\u200c\u200d]"
    rf"|(?<=[^\s\ufffd{_ANY}]\ufe0f)\u200d"
)
_UNSEEN = re.compile(f"(?!{_AT_WORK})[{_ANY}]")


def is_never_shown(character: str) -> bool:
    """Say whether a character stands for nothing by itself."""
    return _NEVER_SHOWN.match(character) is not None


def without_unseen(text: str) -> str:
    """The text as it reads to the eye."""
    return _NEVER_SHOWN.sub("", text)


def unseen_in(text: str) -> str | None:
    """The first character of a text that nobody sees, or None. Selectors and joiners in their place count as seen."""
    if text.isascii():
        return None
    found = _UNSEEN.search(text)
    return found[0] if found else None


def shown_unseen(text: str, show: Callable[[str], str] = lambda _unseen: "\ufffd") -> str:
    """The text with each such character shown as `show` says, so that a reader sees that something stands there."""
    return text if text.isascii() else _UNSEEN.sub(lambda found: show(found[0]), text)
