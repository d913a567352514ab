"""Whether a value, where it stands, is credible as a secret."""

import re

import msgspec

from vademecum.secrets import values
from vademecum.secrets.names import Meaning, meaning_of

_LOOKED_AT = 64
"""Characters of a value that are judged; a longer one is judged by its beginning."""
_IS_NAME = re.compile(r"[\w.\-]{1,60}[:=]")
_NOT_A_VALUE = re.compile(r"[-#/*<>{}\[\]|(]")
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)*_?[0-9]{1,2}$")
_WORD_AND_YEAR = re.compile(r"[A-Za-z_]+[0-9]{1,4}$")

_SAYS_WHERE = re.compile(r"[a-z]{2,12}=[^=]|(?:env|file|fd|cmd|exec|op|vault|keyring|keychain):")
"""`id=NAME,src=FILE`, `env:NAME`: where the secret is."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What surrounds a value."""

    #: The separator is a colon, as in YAML, JSON, prose and type annotations.
    colon: bool
    #: The separator is `=` with blanks around it, as in code.
    spaced: bool
    #: The (backslashed) quote that closes the name; "" for a bare name.
    keyed: str
    #: The name is the first thing on its line.
    at_line: bool
    #: The name follows `(` or `,`, as keyword arguments do.
    argument: bool
    #: The name is an XML tag, and the value its content.
    tagged: bool
    #: Characters before the name on its line.
    indent: int


_LABEL = Place(colon=True, spaced=False, keyed="", at_line=False, argument=False, tagged=False, indent=0)


def credible_string(content: str, meaning: Meaning, place: Place) -> bool:
    """Whether a quoted value, or all words of a line, are a secret."""
    value = content[:_LOOKED_AT].strip()
    if not value or values.is_placeholder(value) or values.is_path(value) or values.is_version(value):
        return False
    if not meaning.strong:
        return _credible_weak(value, meaning)
    if " " in value:
        return _credible_words(value, meaning)
    if meaning.kind == "password":
        return len(value) >= 3 and (values.has_digit(value) or not value.isidentifier() or not value[0].isupper())
    if values.mixed(value, classes=2):
        return len(value) >= 6
    return len(value) >= (8 if meaning.kind in ("secret", "api-key") else 16) and not place.argument


def _credible_words(value: str, meaning: Meaning) -> bool:
    """Several words: a pass phrase, or a sentence with a word in it that can only be a secret."""
    if values.is_prose(value):
        words = (word for word in value.split() if len(word) >= 8)
        return any(values.mixed(word, classes=3) and not values.is_path(word) for word in words)
    return meaning.kind in ("password", "secret") or values.mixed(value, classes=2)


def credible(value: str, meaning: Meaning, place: Place, *, last: bool) -> bool:
    """Whether an unquoted value is a secret; `last` says that nothing but a comment follows on its line."""
    value = value[:_LOOKED_AT]
    if len(value) < 3 or values.is_placeholder(value) or values.is_path(value) or values.is_code(value):
        return False
    if not meaning.strong:
        return _credible_weak(value, meaning)
    if place.tagged:
        return credible_string(value, meaning, place)
    if value.isdigit():
        return meaning.kind == "password" and len(value) >= 4 and not place.spaced
    if values.mixed(value, classes=2):
        return _credible_mixed(value, meaning, place)
    return _credible_word(value, meaning, place, last=last)


def _credible_mixed(value: str, meaning: Meaning, place: Place) -> bool:
    """Letters and digits: a variable with a number is none, where variables may stand."""
    if len(value) < (6 if place.colon or place.spaced else 4):
        return False
    if meaning.kind != "password" and len(value) < 10 and _WORD_AND_NUMBER.match(value):
        return False
    variable = (place.spaced or place.argument) and values.is_identifier(value)
    return not (variable and (_WORD_AND_NUMBER.match(value) or ("_" in value and len(value) < 20)))


def _credible_word(value: str, meaning: Meaning, place: Place, *, last: bool) -> bool:
    """One class of letters: a secret only where neither code nor prose writes such a word."""
    if place.spaced or place.argument:
        return values.classes_of(value) >= 2 and not values.is_identifier(value)
    if place.colon:
        shortest = 6 if meaning.kind in ("password", "secret") else 16
        return place.at_line and last and len(value) >= shortest and value[0].islower()
    return len(value) >= (4 if meaning.kind == "password" else 8) and not values.is_common_word(value)


def credible_below(value: str, meaning: Meaning, place: Place, indent: int, *, alone: bool) -> bool:
    """Whether the first word on the line below the name is a secret: eight characters or more, no name.

    Where more words follow on that line (`alone` is false), it must be one that sentences do not hold.
    """
    value = value[:_LOOKED_AT]
    if len(value) < 8 or _IS_NAME.match(value) or _NOT_A_VALUE.match(value):
        return False
    if values.is_placeholder(value) or values.is_path(value) or values.is_code(value):
        return False
    if not meaning.strong:
        return _credible_weak(value, meaning)
    if not alone:
        return _WORD_AND_YEAR.match(value) is None and values.has_digit(value) and values.mixed(value, classes=3)
    return values.mixed(value, classes=2) or (place.at_line and indent > place.indent)


def credible_label(value: str, meaning: Meaning) -> bool:
    """Whether what follows a label in a text of another language is a secret; its words are no evidence here."""
    return any(map(str.isascii, value)) and credible(value, meaning, _LABEL, last=False) and len(value) >= 6


def credible_beside(value: str, meaning: Meaning, *, firm: bool) -> bool:
    """Whether a value that only stands near its name is a secret.

    Where the place says that a value follows (`firm`), a word with a number does for a password; elsewhere it must be
    what no word, name of code, version or hash is.
    """
    value = value[:_LOOKED_AT]
    if values.is_placeholder(value) or values.is_path(value) or values.is_code(value) or values.is_uuid(value):
        return False
    if values.is_unmistakable(value):
        return True
    if meaning_of(value):
        return False
    if values.is_usual_password(value) and (meaning.kind == "password" or (firm and values.is_made_up(value))):
        return True
    if not firm or not values.mixed(value, classes=2) or not any(map(str.isalpha, value)):
        return False
    return (
        len(value) >= 7
        if meaning.kind == "password"
        else len(value) >= 10 and values.is_odd(value) and not values.is_camel(value)
    )


def credible_argument(value: str, meaning: Meaning, *, is_call: bool) -> bool:
    """Whether what follows a flag is its secret.

    Where a program declares its options (`is_call`), words follow a flag that say where its value goes.
    """
    value = value[:_LOOKED_AT].strip()
    if not value or values.is_placeholder(value) or values.is_path(value) or _SAYS_WHERE.match(value):
        return False
    is_mixed = values.mixed(value, classes=3)
    if (value.startswith("-") and not (is_mixed and values.is_random(value))) or (meaning_of(value) and not is_mixed):
        return False
    if not meaning.strong:
        return _credible_weak(value, meaning)
    if " " in value:
        return (values.mixed(value, classes=2) or not is_call) and _credible_words(value, meaning)
    return _credible_argument_word(value, meaning, is_call=is_call)


def _credible_argument_word(value: str, meaning: Meaning, *, is_call: bool) -> bool:
    names_variable = values.is_identifier(value) and "_" in value and len(value) < 20
    if values.mixed(value, classes=2):
        return len(value) >= 6 and not (is_call and names_variable)
    if is_call or names_variable or values.is_common_word(value):
        return False
    return len(value) >= (4 if meaning.kind == "password" else 16)


def _credible_weak(value: str, meaning: Meaning) -> bool:
    """A weak name needs a value that looks random; a session or a signature also one that names nothing."""
    return values.is_random(value) and not (meaning.kind == "session" and values.is_uuid(value))
