"""Names of identities: those that people choose, and those that projects get.

A name is one folder on every file system: lower-case letters, their marks and digits of any script in Unicode form NFC,
with hyphens between them. A project's name is `<slug>-<hash8>`: readable by the last part of its
path, unique by the whole of it. That shape is kept for projects (`is_automatic`), so no chosen name meets one by
accident.
"""

import hashlib
import re
import unicodedata

from vademecum.errors import UsageError

__all__ = ["automatic_name", "is_automatic", "slug", "valid_name"]

MAX_NAME_CHARACTERS = 60
MAX_SLUG_CHARACTERS = 40
#: The slug of a path without a letter or digit in its last part.
_NO_WORDS = "project"

_LETTERS_AND_DIGITS = frozenset({"Ll", "Lo", "Lm", "Nd"})
_MARKS = frozenset({"Mn", "Mc"})
#: Letters and marks that show nothing: joiners, fillers, variation selectors. Two names must not differ by them alone.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_LATIN_ACCENTS = re.compile("(?<=[A-Za-z\u00c0-\u024f])[\u0300-\u036f]+")
#: Reserved on Windows, whatever the case and whatever the folder.
_DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
_HYPHENS = re.compile("-+")
_AUTOMATIC = re.compile(r".+-[0-9a-f]{8}", re.DOTALL)


def valid_name(name: str) -> str:
    """The name in its one spelling, where it may name an identity. Raises UsageError, which says what may."""
    spelled = unicodedata.normalize("NFC", name)
    fits = 0 < len(spelled) <= MAX_NAME_CHARACTERS and _HYPHENS.sub("-", spelled) == _cleared(spelled)
    if not fits or _DEVICES.fullmatch(spelled):
        raise UsageError(
            f"{name!r} is no identity name",
            next_step=f"Use 1 to {MAX_NAME_CHARACTERS} lower-case letters or digits with hyphens between them, "
            "such as `work` or `client-a`.",
        )
    return spelled


def is_automatic(name: str) -> bool:
    """Whether a name has the shape that projects' names have: its end is a hyphen and eight hexadecimal digits."""
    return _AUTOMATIC.fullmatch(name) is not None


def automatic_name(project: str) -> str:
    """The name of the identity of a project: from its absolute, normalised path."""
    path = unicodedata.normalize("NFC", project)
    digest = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{slug(path.rstrip('/').rpartition('/')[2])}-{digest[:8]}"


def slug(text: str) -> str:
    """The words of a text as a part of a name: any script stays readable; Latin letters lose their accents."""
    plain = _LATIN_ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return _cleared(plain)[:MAX_SLUG_CHARACTERS].rstrip("-") or _NO_WORDS


def _cleared(text: str) -> str:
    """The text in lower case and NFC with one hyphen for every run that may not stand in a name; none at its ends."""
    kept: list[str] = []
    for character in unicodedata.normalize("NFC", text.lower()):
        if _may_stand(character, after=kept[-1] if kept else "-"):
            kept.append(character)
        elif kept and kept[-1] != "-":
            kept.append("-")
    return "".join(kept).rstrip("-")


def _may_stand(character: str, *, after: str) -> bool:
    """Whether a character may stand in a name behind this one; a mark needs a letter to stand on."""
    if _UNSEEN.match(character):
        return False
    category = unicodedata.category(character)
    return category in _LETTERS_AND_DIGITS or (category in _MARKS and after != "-")
