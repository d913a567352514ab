"""How a sentence is spelt: the form that phrases see, and cue words that were mistyped.

Phrases see lower case, straight quotes, and quoted and code parts blanked out, every character at its old place.
"""

import re

from vademecum.learners.extractive.cues import Header

__all__ = ["normalise", "respelt", "slips_of"]

_STRAIGHT = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " ", "，": ",", "？": "?"}
    | dict.fromkeys(map(chr, range(0xE000, 0xE100)), " ")
)
_QUOTED = re.compile(r"`[^`]{1,300}`|\"[^\"]{1,300}\"|(?<!\w)'[^']{2,300}'(?!\w)|[「『«][^」』»]{1,300}[」』»]")
_QUOTE_MARKS = frozenset("`\"'「『«")


def normalise(sentence: str) -> str:
    """The sentence as phrases see it; same length, so that places carry over.

    Quoted text and code become a row of `x`: what stands there is named, not said.
    """
    lowered = sentence.lower()
    if len(lowered) != len(sentence):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in sentence)
    straight = lowered if lowered.isascii() else lowered.translate(_STRAIGHT)
    if not _QUOTE_MARKS.intersection(straight):
        return straight
    return _QUOTED.sub(lambda match: "x" * len(match[0]), straight)


def slips_of(word: str) -> frozenset[str]:
    """The word with one letter left out (not the first), doubled, or swapped with the next."""
    places = range(len(word))
    left_out = {word[:at] + word[at + 1 :] for at in places if at}
    doubled = {word[:at] + word[at] + word[at:] for at in places}
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-1]}
    return frozenset((left_out | doubled | swapped) - {word})


def respelt(header: Header) -> dict[str, str]:
    """Wrong or other spelling -> the word that phrases use."""
    slips = {slip: word for word in header.mistyped for slip in slips_of(word)}
    return slips | dict(header.respelt)
