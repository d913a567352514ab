"""Whether a line reads like an order: what a program printed is quoted, but no program may order an agent about."""

import re

from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.languages import readings_of
from vademecum.learners.extractive.spelling import normalise

__all__ = ["shows_order"]

_ORDERS = (Cue.FIRM, Cue.RULE, Cue.HABIT, Cue.WEAK, Cue.ANAPHORIC, Cue.STANDING)

#: What takes a reader's other instructions away: the opening move of a planted text. No person's rule needs it, so
#: it stands here and not among the cues.
_TAKEOVER = re.compile(
    r"\b(?:ignor\w*|disregard|forget|override|vergiss|oublie\w*|olvida|dimentica|esque[cç]a|negeer|игнорируй\w*|забудь\w*)"
    r"\s(?:\S+\s){0,4}?(?:previous|prior|above|earlier|all|instru\S*|rules|anweisung\S*|regeln|istru\S*|инструкци\S*)"
    r"|system prompt|忽略.{0,12}(?:指令|指示|规则)|(?:指示|命令).{0,6}無視|(?:지시|명령).{0,6}무시"
)


def shows_order(line: str) -> bool:
    """Whether a line of program output reads like an instruction to somebody, in any language that ships."""
    text = normalise(line)
    return bool(_TAKEOVER.search(text)) or any(reading.shows(*_ORDERS) for reading in readings_of(text))
