"""The landing check: what a learner's draft must keep before any of it becomes memory.

Each rule is one function that yields the violations it finds; `RULES` is the table. All of them are reported together,
so that a learner that may try again learns everything at once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from vademecum.errors import FrontMatterInvalid, LandingRefused, UnsafePath
from vademecum.memfs.landing.drafts import Frozen
from vademecum.memfs.pages import rules
from vademecum.memfs.pages.homes import misspelling
from vademecum.memfs.pages.links import links_in, resolve
from vademecum.memfs.pages.paths import collision_words, collisions, validate
from vademecum.memfs.records import ChangeKind

__all__ = ["RULES", "Check", "Violation", "check"]

_SHOWN = 8  # violations that are spelled out in the message


#: Most paths that may change.
_MAX_CHANGES = 1000
#: Most bytes by which the memory may grow.
_MAX_GROWTH_BYTES = 4 * 1024 * 1024
#: Deleting up to this many files is never a mass deletion; beyond that, the largest share of all files that may go.
_FREE_DELETIONS = 20
_MAX_DELETED_SHARE = 0.2
#: Losing up to this many bytes from files that stay is none either; beyond that, the largest share of their text.
_FREE_SHRINK_BYTES = 8 * 1024
_MAX_SHRUNK_SHARE = 0.8


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """One broken rule."""

    #: The sentence without its subject: "is a symbolic link".
    reason: str
    #: The path that breaks it; None when the draft as a whole does.
    path: str | None = None

    def __str__(self) -> str:
        return f"{self.path} {self.reason}" if self.path else self.reason


#: A check of an artefact's grammar, passed in by the flow that knows it.
Check = Callable[[Frozen], Iterable[Violation]]


def check(frozen: Frozen, *, extra_checks: Sequence[Check] = ()) -> None:
    """Refuse a draft that breaks a rule.

    Raises
    ------
    LandingRefused: the message names the rules and paths; `paths` lists all of them.
    """
    # What is too much is not read: to scan it takes as long as whoever wrote it likes.
    rules_asked = [rule for rule in RULES if rule not in _READING] if any(_sizes(frozen)) else RULES
    found = [violation for rule in rules_asked for violation in rule(frozen)]
    # The artefact checks read the files: they may rely on paths and encoding being right.
    if not found:
        found = [violation for extra in extra_checks for violation in extra(frozen)]
    if found:
        shown = "; ".join(str(violation) for violation in found[:_SHOWN])
        more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise LandingRefused(shown + more, paths=tuple(v.path for v in found if v.path))


def _regular_files(frozen: Frozen) -> Iterator[Violation]:
    for path, reason in sorted(frozen.irregular.items()):
        yield Violation(path=path, reason=reason)


def _allowed_paths(frozen: Frozen) -> Iterator[Violation]:
    # What was committed under another name stands in no draft: a learner that wrote there may not either.
    for path in frozen.edits:
        try:
            validate(path)
        except UnsafePath as error:
            yield Violation(reason=str(error))
    added = [change.path for change in frozen.changes if change.kind is ChangeKind.ADDED]
    for path, other in collisions(added, frozen.base.paths()).items():
        if misspelling(other.rstrip("/")):
            continue  # it took a name of memory itself: landing goes around it and keeps this path for review
        yield Violation(path=path, reason=collision_words(other))


def _protected_files(frozen: Frozen) -> Iterator[Violation]:
    for change in frozen.changes:
        if rules.belongs_to_person(change.path):
            yield Violation(
                path=change.path, reason="belongs to the person; a learner may not add, change or delete it"
            )
            continue
        before = rules.text_before(frozen.base, change.path)
        if before is not None and rules.is_read_only(before):
            yield Violation(path=change.path, reason="is marked read_only")
        elif rules.is_read_only(_text(frozen, change.path) or ""):
            yield Violation(path=change.path, reason="becomes read_only, which only a person may decide")


def _sizes(frozen: Frozen) -> Iterator[Violation]:
    if len(frozen.edits) > _MAX_CHANGES:
        yield Violation(reason=f"{len(frozen.edits)} files change; at most {_MAX_CHANGES} may")
    for path, data in frozen.edits.items():
        if data is not None and len(data) > rules.MAX_FILE_BYTES:
            yield Violation(path=path, reason=f"has {len(data)} bytes; at most {rules.MAX_FILE_BYTES} are allowed")
    growth = _new_bytes(frozen) - sum(frozen.base.size(path) for path in frozen.edits if frozen.base.has(path))
    if growth > _MAX_GROWTH_BYTES:
        yield Violation(reason=f"the memory grows by {growth} bytes; at most {_MAX_GROWTH_BYTES} are allowed")


def _no_mass_deletion(frozen: Frozen) -> Iterator[Violation]:
    deleted = sum(change.kind is ChangeKind.DELETED for change in frozen.changes)
    files = len(frozen.base.paths())
    if deleted > _FREE_DELETIONS and deleted > _MAX_DELETED_SHARE * files:
        yield Violation(reason=f"{deleted} of {files} files are deleted at once")
    old = sum(frozen.base.size(path) for path in _written(frozen) if frozen.base.has(path))
    shrunk = old - _new_bytes(frozen)
    if shrunk > _FREE_SHRINK_BYTES and shrunk > _MAX_SHRUNK_SHARE * old:
        yield Violation(reason=f"{shrunk} of {old} bytes in the changed files are gone")


def _texts(frozen: Frozen) -> Iterator[Violation]:
    for path in _written(frozen):
        try:
            text = frozen.read(path)
        except FrontMatterInvalid as error:
            yield Violation(reason=str(error))
            continue
        header = rules.header_violation(text, path, rules.text_before(frozen.base, path))
        if header:
            yield Violation(path=path, reason=f"has a bad header or encoding: {header}")
        marker = rules.conflict_marker(text)
        if marker:
            yield Violation(path=path, reason=f"holds a conflict marker ({marker[:7]})")


def _no_secrets(frozen: Frozen) -> Iterator[Violation]:
    for path in _written(frozen):
        kind = rules.name_secret_kind(path) or rules.secret_kind(_text(frozen, path) or "")
        if kind:
            yield Violation(path=path, reason=f"holds something that looks like a secret ({kind})")


def _links_resolve(frozen: Frozen) -> Iterator[Violation]:
    for path in _written(frozen):
        known = set(links_in(rules.text_before(frozen.base, path) or ""))
        for target in dict.fromkeys(links_in(_text(frozen, path) or "")):
            if not frozen.has(resolve(target)) and (target not in known or frozen.base.has(resolve(target))):
                yield Violation(path=path, reason=f"links to [[{target}]], which does not exist")
    deleted = {change.path for change in frozen.changes if change.kind is ChangeKind.DELETED}
    if deleted:
        yield from _links_left_behind(frozen, deleted)


def _links_left_behind(frozen: Frozen, deleted: set[str]) -> Iterator[Violation]:
    for path in frozen.base.paths():
        if path not in frozen.edits:
            for target in links_in(rules.text_before(frozen.base, path) or ""):
                if resolve(target) in deleted:
                    yield Violation(path=resolve(target), reason=f"is deleted, but {path} links to it")


#: The landing check, in the order in which violations are reported.
RULES: tuple[Check, ...] = (
    _regular_files,
    _allowed_paths,
    _protected_files,
    _sizes,
    _no_mass_deletion,
    _texts,
    _no_secrets,
    _links_resolve,
)
#: Those that read whole texts.
_READING = (_texts, _no_secrets, _links_resolve)


def _written(frozen: Frozen) -> list[str]:
    return [change.path for change in frozen.changes if change.kind is not ChangeKind.DELETED]


def _text(frozen: Frozen, path: str) -> str | None:
    """Return the text after the change. Bytes that are not UTF-8 (reported by `_texts`) are replaced: nothing hides."""
    data = frozen.edits.get(path)
    return None if data is None else data.decode(errors="replace")


def _new_bytes(frozen: Frozen) -> int:
    return sum(len(data) for data in frozen.edits.values() if data is not None)
