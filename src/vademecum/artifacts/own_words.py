"""Whether a note is what the user said: only then an agent that writes it down speaks for them.

Compared sentence by sentence: case, width, punctuation, quotes and marks of emphasis do not count, nor does what leads
in ("please remember that ..."). Everything else does: half of "never delete the database" is another statement.
"""

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["is_said"]

#: Where a sentence ends: a stop before a blank or the end, any line, or the stops of scripts without blanks.
_ENDS = re.compile(r"[.!?;]+(?=\s|$)|[\u3002\uff01\uff1f\uff1b]+|\n+")
_WORD = re.compile(r"\w+(?:[.\-/'\u2019:@+]\w+)*|[<>=+%$\u20ac/^~!-]+(?=\w)")
#: Words in which a request to remember is dressed; they say nothing of what is to be remembered.
_LEAD_IN = re.compile(
    r"^(?:(?:ok|okay|hey|hi|so|and|also|btw|please|pls|can you|could you|bitte|und|s'il te plait|por favor) )*"
    r"(?:(?:remember|note down|note|keep in mind|memorize|make a note|save to memory|add to memory"
    r"|merk dir|notiere|notier|retiens|souviens-toi|recuerda|anota)"
    r"(?: (?:this|that|it|dass|das|que|qu'|for me|fur mich))*"
    r" )?"
)


def is_said(note: str, human_texts: Iterable[str]) -> bool:
    """Whether every sentence of the note is a sentence of these texts."""
    claimed = _sentences(note)
    said = {sentence for text in human_texts for sentence in _sentences(text)}
    return bool(claimed) and claimed <= said


def _sentences(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return set(filter(None, map(_words, _ENDS.split(plain))))


def _words(sentence: str) -> str:
    words = " ".join(_WORD.findall(sentence)).replace("\u2019", "'")
    return _LEAD_IN.sub("", words + " ", count=1).strip() or words
