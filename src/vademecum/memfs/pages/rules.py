"""What every text must keep to become a file of the memory, whoever writes it: the same for commits and drafts."""

import re
from collections.abc import Collection, Mapping

from vademecum.errors import FrontMatterInvalid, NotFound, SecretFound
from vademecum.memfs.messages import compose
from vademecum.memfs.pages import front_matter
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.homes import NAMED_BY_US, OF_PERSON, plain_spelling
from vademecum.memfs.pages.paths import validate
from vademecum.memfs.pages.text import text_violation
from vademecum.memfs.records import Provenance
from vademecum.secrets import mask, scan

__all__ = [
    "MAX_FILE_BYTES",
    "belongs_to_person",
    "conflict_marker",
    "header_violation",
    "is_block",
    "is_read_only",
    "masked_name",
    "name_secret_kind",
    "refuse_unfit",
    "refuse_unfit_files",
    "secret_kind",
    "text_before",
]

#: Largest file that a tool or a learner may write.
MAX_FILE_BYTES = 256 * 1024

_SHOWN_CHARACTERS = 120
_SEPARATORS = re.compile(r"[/_\s-]+")
_ODD_WORD = re.compile(r"(?=.*[A-Z])(?=.*[a-z])(?=.*\d)")
_CONFLICT_MARKER = re.compile(r"^(?:<{7}|\|{7}|>{7})(?: .*)?$", re.MULTILINE)
_BLOCKS = plain_spelling("system/")
_READ_ONLY_LINE = re.compile(r"^read_only:[ ]*[\"']?true\b", re.MULTILINE)


def refuse_unfit(
    edits: Mapping[str, str | None],
    base: Files,
    subject: str,
    provenance: Provenance,
    *,
    cleared: Collection[str] = (),
) -> None:
    """Refuse edits that may not become durable. `cleared`: paths whose text a person let pass although it looks secret.

    Raises
    ------
    UnsafePath: a path is no memory path.
    FrontMatterInvalid: a text breaks the grammar.
    SecretFound: a path, a text, or the commit's message holds something like a secret.
    """
    kind = secret_kind(compose(subject, provenance))
    if kind:
        raise SecretFound(f"the reason of the change holds something that looks like a secret ({kind})")
    refuse_unfit_files(edits, base, cleared=cleared)


def refuse_unfit_files(edits: Mapping[str, str | None], base: Files, *, cleared: Collection[str] = ()) -> None:
    """The part of `refuse_unfit` that needs no commit yet: paths and texts. Raises the same."""
    for path, text in edits.items():
        validate(path)
        if text is None:
            continue
        found = header_violation(text, path, text_before(base, path))
        if found:
            raise FrontMatterInvalid(f"{path}: {found}", paths=(path,))
        if kind := name_secret_kind(path):
            shown = masked_name(path)
            raise SecretFound(f"{shown} has a name that looks like a secret ({kind})", paths=(shown,))
        if path not in cleared and (found := _first_secret(text)):
            raise SecretFound(f"{path} holds something that looks like a secret in {found}", paths=(path,))


def _first_secret(text: str) -> str | None:
    """Say where the first secret stands, with its line as it would be masked."""
    findings = scan(text)
    if not findings:
        return None
    number = text.count("\n", 0, findings[0].start) + 1
    line = mask(text).split("\n")[number - 1].strip()
    return f"line {number} ({findings[0].kind}): {line[:_SHOWN_CHARACTERS]}"


def text_before(base: Files, path: str) -> str | None:
    """Return the committed text, or None when there is none, or none that is text."""
    try:
        return base.read(path)
    except (NotFound, FrontMatterInvalid):
        return None


def header_violation(text: str, path: str, before: str | None) -> str | None:
    """Name the first rule of the header grammar that `text` breaks, or None.

    Parameters
    ----------
    before: the committed text. A header that was wrong already may stay, byte for byte, while the body is edited.
    """
    found = front_matter.violation(text, path)
    if found and before is not None and front_matter.header_of(before) == front_matter.header_of(text):
        return text_violation(text)
    return found


def conflict_marker(text: str) -> str | None:
    """Return the first line that git's merge would have left, or None."""
    found = _CONFLICT_MARKER.search(text)
    return found[0] if found else None


def secret_kind(*texts: str) -> str | None:
    """Return the kind of the first secret in any of the texts, or None. The secret itself is never returned."""
    return next((findings[0].kind for text in texts if (findings := scan(text))), None)


def is_block(path: str) -> bool:
    """Whether the file stands in every context, where no agent puts anything before a person has seen it."""
    return plain_spelling(path).startswith(_BLOCKS)


def belongs_to_person(path: str) -> bool:
    """Say whether nobody but a person may add, change or delete the file at `path`, however it is spelled."""
    return OF_PERSON.fullmatch(plain_spelling(path)) is not None


def name_secret_kind(path: str) -> str | None:
    """Return the kind of the first secret in a path, or None: as it stands, and as its words would be said."""
    if kind := secret_kind(path):
        return kind
    said = _as_said(path)
    # Names are words and numbers (`password-argon2id`): what is neither has letters of both cases and digits.
    odd = (found.kind for found in scan(said) if _ODD_WORD.match(said[found.start : found.end]))
    # A false alarm in a name of ours would stop learning, or a note.
    return None if NAMED_BY_US.fullmatch(path) else next(odd, None)


def masked_name(path: str) -> str:
    """The path as it may be told: where a part of it looks like a secret, that part is masked."""
    if name_secret_kind(path) is None:
        return path
    if (masked := mask(path)) != path:
        return masked
    return "/".join(mask(_as_said(part)) if name_secret_kind(part) else part for part in path.split("/"))


def _as_said(path: str) -> str:
    """Each word of a path with the next as its value: nothing else in a name shows what is one."""
    return ": ".join(_SEPARATORS.split(path.removesuffix(".md")))


def is_read_only(text: str) -> bool:
    """Say whether the header protects the file. In a header that cannot be read, the line itself counts."""
    try:
        return front_matter.parse(text).meta.get("read_only") in (
            True,
            "true",
        )  # a value may be a list, which no set takes
    except FrontMatterInvalid:
        return _READ_ONLY_LINE.search(text.partition("\n---")[0]) is not None
