"""What a value looks like: a secret, a placeholder, code, a path or plain words."""

import re

from vademecum.secrets.words import OF_CODE, OF_PROSE

_PLACEHOLDER = re.compile(
    r"""
    \$\{|\$\(|\$[A-Za-z_]\w*$|%\w+%$|\{\{|\{%|\{[\w.$]*\}?$                 # ${X} $(x) $X %X% {{ x }} {x}
    |<[^>]*>?$|&lt;|\[[A-Za-z][\w :./-]*\]$|![A-Za-z][\w:]*(?:\s|$)               # <x> [x] !Ref
    |(?:\\u2022|[xX*•.\-_\#?·…])+$                                         # xxxx **** .... ----
    """,
    re.VERBOSE,
)
_SAYS_PLACEHOLDER = re.compile(
    r"(?:your|my|the|a|an|some|new|old|fake|dummy|mock|sample|insert|enter|replace|change|put|add|set|use|see)"
    r"(?:[-_ .]|$)"
    r"|your|(?:masked|hidden|removed|omitted|todo|tbd|xxx)"
    r"|(?:[a-z0-9]{1,40}+[-_. ]){0,3}(?:secret|password|passwd|pwd|pass|passphrase|token|key|credentials?)s?"
    r"[-_ .]?(?:here|value|goes|\d{0,2}$)",
)
_PLACEHOLDER_PARTS = (
    *("change_me", "changeme", "change-me", "change me", "changeit", "change_this", "changethis"),
    *("redacted", "placeholder", "example"),
)
_FILLED_IN = re.compile(r"\$\{[a-z]{2,12}:[A-Za-z_]\w{0,60}\}$")
"""`${env:NAME}`, `${input:NAME}`: a program puts the value there."""
_MEMBERS = r"[!&*@-]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)\#?[A-Za-z_$][\w$]*)"
_CALL = re.compile(_MEMBERS + r"{0,12}!?(?:\(|\[|::|->|<\w)")
_KEYWORD = re.compile(
    r"(?:new|await|not|lambda|yield|typeof|return|if|null|undefined|void|this|self)(?![\w-])|![01](?!\w)"
)
_DOTTED = re.compile(_MEMBERS + r"{1,12}!?$")
#: A bracket before a name, or what closes calls and blocks: no value begins or goes on so.
_EXPRESSION = re.compile(
    r"\([A-Za-z_$!]|[^\n]*(?:\(\)|=>|\)\)\)|\}\)|\)\{|;(?:if|return|let|const|var|function)\b|\?\?[A-Za-z])"
)
#: Of PowerShell.
_COMMAND = re.compile(r"(?:ConvertTo|ConvertFrom|Get|Import|Invoke|New|Out|Read|Select|Set|Write)-[A-Z][A-Za-z]+\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*$")
_VERSION = re.compile(r"(?:[\^~v]|[<>=]{1,2})?[0-9]{1,4}(?:\.(?:[0-9]{1,5}|x|\*)){1,2}(?:-[a-z]{1,5}\.?[0-9]{0,3})?\Z")
_CAMEL = re.compile(r"[A-Za-z][a-z]+[0-9]{0,5}(?:[A-Z][a-z]+[0-9]{0,3})+\Z")
_PATH = re.compile(
    r"(?:~|\.{1,2})/|/[a-z][\w.@+-]*(?:/|$)|/$|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]{1,12}://|(?:[a-z_.-]+/)+[a-z_.-]+$"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
_TEMPLATE = re.compile(r"\$?\{\{?[^{}]{0,80}\}?\}|\$\([^()]{0,80}\)|%\([^()]{0,40}\)s|%[sdvq]")
_CLASSES = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"), re.compile(r"[!#$%&*+=?@^~|]"))
_PIECES = re.compile(r"[-_./:,@+=\[\](){}]+")
#: A part of a compound that words, versions, dates and names of code are made of.
_ORDINARY = re.compile(r"[A-Za-z]*[0-9]{0,4}\Z|[0-9]+[a-z]{0,3}\Z")
_HEX = re.compile(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)\Z")
_NUMBERS = re.compile(r"[0-9]+")
#: From one kind of letter to another.
_CHANGE = re.compile(r"(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=[0-9])[^0-9]|(?<=[^A-Za-z0-9])[A-Za-z0-9]")
_SHORTEST_UNMISTAKABLE = 8
_MADE_UP = re.compile(r"[A-Za-z0-9](?!.*-[a-z]+\Z)(?=[^\W_]*[-!#$%&*+?@^~])[A-Za-z0-9\-!#$%&*+?@^~_]{7,}\Z")
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]{4,20}[0-9]{3,6}[!?#$*]{0,2}\Z")
_RUNS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_PROSE_WORD = re.compile(r"[A-Za-z']+")


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret instead of being one, or is a word that everybody uses there."""
    lowered = value.lower()
    if lowered in OF_CODE or _FILLED_IN.match(value):
        return True
    if _PLACEHOLDER.match(value):
        return not (value[0] == "$" and mixed(value[1:], classes=3)) or _mostly_template(value)
    if _SAYS_PLACEHOLDER.match(lowered) or any(part in lowered for part in _PLACEHOLDER_PARTS):
        return not mixed(value, classes=3)
    return _mostly_template(value)


def _mostly_template(value: str) -> bool:
    """`Bearer ${token}` and `{user}:{password}` hold nothing once the holes are taken out."""
    if "{" not in value and "%" not in value and "$(" not in value:
        return False
    rest, holes = _TEMPLATE.subn("", value)
    return holes > 0 and not mixed(rest, classes=2)


def is_path(value: str) -> bool:
    """Whether the value names a file, a folder or an address."""
    return _PATH.match(value) is not None and not (value[0] == "/" and is_random(value))


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression: a call, an index, or attributes of something."""
    if _CALL.match(value) or _KEYWORD.match(value) or _EXPRESSION.match(value) or _COMMAND.match(value):
        return True
    return _DOTTED.match(value) is not None and not mixed(value.strip("!").replace("?", "").replace("#", ""), classes=3)


def is_identifier(value: str) -> bool:
    """Whether the value may be the name of a variable."""
    return _IDENTIFIER.match(value) is not None


def is_version(value: str) -> bool:
    """Whether the value says which versions of a package are wanted."""
    return _VERSION.match(value) is not None


def is_camel(value: str) -> bool:
    """Whether the value is the name of a class or a function, numbers among its words."""
    return _CAMEL.match(value) is not None


def is_uuid(value: str) -> bool:
    """Whether the value is a UUID, which names things more often than it opens them."""
    return _UUID.match(value) is not None


def is_odd(value: str) -> bool:
    """Whether the value is no compound of ordinary words and numbers."""
    pieces = [piece for piece in _PIECES.split(value) if piece]
    if classes_of(value) == 4 and len(pieces) == 1:
        return True
    return not all(map(_ORDINARY.match, pieces))


def is_one_piece(value: str) -> bool:
    """Whether no sign parts the value, as signs part compounds, versions and dates."""
    return _PIECES.search(value) is None


def is_made_up(value: str) -> bool:
    """Whether the value is words and numbers joined as people make up a password: `blue-Horse77`, `Summer24!`."""
    return _MADE_UP.match(value) is not None and mixed(value, classes=3) and has_digit(value)


def is_usual_password(value: str) -> bool:
    """Whether the value is what passwords usually are: made up, a word with a number behind it, or scrambled."""
    return is_made_up(value) or _WORD_AND_NUMBER.match(value) is not None or _is_scrambled(value)


def _is_scrambled(value: str) -> bool:
    """Whether most of the words in a name of three classes have no vowel, as in `QKzwxS27t`."""
    if len(value) < _SHORTEST_UNMISTAKABLE or not is_one_piece(value) or classes_of(value) < 3:
        return False
    words = _RUNS.findall(value)
    silent = sum(1 for word in words if not _VOWEL.search(word))
    return silent >= 2 and silent * 2 >= len(words) and has_digit(value)


def is_unmistakable(value: str) -> bool:
    """Whether a piece of the value has letters and digits by turns, as no word, name, version or hash has."""
    return any(map(_is_by_turns, _PIECES.split(value)))


def _is_by_turns(piece: str) -> bool:
    if len(piece) < _SHORTEST_UNMISTAKABLE or _HEX.match(piece):
        return False
    if classes_of(piece) == 4 or (len(_NUMBERS.findall(piece)) >= 2 and any(map(str.isalpha, piece))):
        return True
    return classes_of(piece) >= 3 and len(_CHANGE.findall(piece)) * 2 >= len(piece)


def is_prose(value: str) -> bool:
    """Whether several words read as a sentence instead of a pass phrase."""
    words = _PROSE_WORD.findall(value.lower())
    return len(words) > 8 or not OF_PROSE.isdisjoint(words)


def is_common_word(value: str) -> bool:
    """Whether the value is a word of which sentences about secrets are made."""
    return value.lower() in OF_PROSE


def classes_of(value: str) -> int:
    """How many of lower case, upper case, digits and strong symbols the value has."""
    return sum(1 for one in _CLASSES if one.search(value))


def mixed(value: str, *, classes: int) -> bool:
    """Whether the value has that many classes, digits among them unless there are three."""
    count = classes_of(value)
    return count >= classes and (count >= 3 or has_digit(value))


def has_digit(value: str) -> bool:
    """Whether there is an ASCII digit."""
    return _CLASSES[2].search(value) is not None


def is_random(value: str) -> bool:
    """Whether the value alone looks like a secret: sixteen characters or more, mixed, in one piece."""
    return len(value) >= 16 and mixed(value, classes=2) and not any(map(str.isspace, value))
