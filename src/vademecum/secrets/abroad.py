"""Words for a password or a token in other languages, as labels and in sentences."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import apposed, columns
from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.judge import credible_beside, credible_label
from vademecum.secrets.names import PASSWORD, TOKEN, Meaning
from vademecum.secrets.prose import LINE_BREAK, TRAILING, is_given_away
from vademecum.secrets.words import PASSWORDS_ABROAD, TOKENS_ABROAD

_WORDS = "|".join(map(re.escape, sorted((*PASSWORDS_ABROAD, *TOKENS_ABROAD), key=len, reverse=True)))
_VERBS = (
    "ist|lautet|war|est|es|era|é|è|is|to|jest|je|on|är|er|este|adalah|là|यह|है|είναι|это|є|е"
    "|היא|הוא|هي|هو|است|คือ|van|olarak|now|jetzt|c'est|c’est|será|sarà|sera|wird|będzie"
)
#: Of the value only what a keyboard of ASCII types: other signs belong to the sentence.
_VALUE = r"""(?P<value>(?:[!\#-&(-;=?-\[\]-_a-{}~]|\\(?![nrt"'`\\])|["'`](?=[A-Za-z0-9])){6,512})"""
_SENTENCE = re.compile(
    rf"""
    (?:{_WORDS})
    (?:
      (?P<label>[ \u00a0]{{0,2}}[:：=])
    | (?:[^\n"'“”`:：=|<>]|(?<=[^\W\d_])['’](?=[^\W\d_])){{0,40}}?
      (?:[:：=]|[ ](?:{_VERBS})(?=[ ])|是|为|為|就是|は|이?가|는|은|คือ)
    )
    [ ]?[:：]?(?:{LINE_BREAK}|[^\S\n]{{0,2}})["'“”‘’`«「『*(]{{0,3}}{_VALUE}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_APPOSED = re.compile(rf"(?:{_WORDS})\w{{0,8}}+{apposed.BETWEEN}{_VALUE}", re.VERBOSE | re.IGNORECASE)


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value of the word at `start`."""
    if start and text[start - 1].isalpha() and text[start].isascii() and text[start - 1].isascii():
        return NOTHING
    return _sentence(text, start) or _beside(text, start) or columns.detect(text, start, seams)


def _sentence(text: str, start: int) -> Sequence[Finding]:
    found = _SENTENCE.match(text, start)
    shown = found["value"].rstrip(TRAILING) if found else ""
    if found is None or not (
        is_given_away(shown, _meaning(text, start).kind)
        or (found["label"] and _meaning(text, start) is PASSWORD and credible_label(shown, PASSWORD))
    ):
        return NOTHING
    kept = found["value"].rstrip(TRAILING.replace("!", ""))
    return (Finding(kind=_meaning(text, start).kind, start=found.start("value"), end=found.start("value") + len(kept)),)


def _beside(text: str, start: int) -> Sequence[Finding]:
    found = _APPOSED.match(text, start)
    if found is None:
        return NOTHING
    value = found["value"].rstrip(TRAILING.replace("!", ""))
    end = found.start("value") + len(value)
    firm = apposed.is_firm(text, start, found["between"], end)
    if firm is None or not credible_beside(value, _meaning(text, start), firm=firm):
        return NOTHING
    return (Finding(kind=_meaning(text, start).kind, start=found.start("value"), end=end),)


def _meaning(text: str, start: int) -> Meaning:
    return TOKEN if text[start : start + 12].lower().startswith(TOKENS_ABROAD) else PASSWORD


def _cases(word: str) -> set[str]:
    named = word.replace("api", "API")
    titled = named.title().replace("Api", "API")
    first, blank, last = word.rpartition(" ")
    return {word, word.upper(), word[0].upper() + word[1:], named, titled, first + blank + last.capitalize()}


DETECTORS: tuple[tuple[str, Detector], ...] = tuple(
    (form, detect) for word in (*PASSWORDS_ABROAD, *TOKENS_ABROAD) for form in sorted(_cases(word))
)
