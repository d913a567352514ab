"""The audit of what memory says: the committed pages, and the work tree in which a person edits them.

Each rule is one function that yields what it finds; `RULES` is the table. Nothing is changed, and nothing that looks
like a secret is repeated.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

import msgspec

from vademecum.errors import FrontMatterInvalid, StorageError
from vademecum.findings import Finding, capped, note, problem, warning
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.disk.walking import walk
from vademecum.memfs.pages import front_matter, rules
from vademecum.memfs.pages.homes import FLAT_SKILL, HOMES, PAGES, QUOTING, misspelling
from vademecum.memfs.pages.links import find_links
from vademecum.memfs.pages.masking import with_shown_names
from vademecum.memfs.pages.paths import is_valid
from vademecum.memfs.repository import Repository
from vademecum.memfs.seeds import outdated_seeds, seed_folder
from vademecum.secrets import scan

__all__ = ["RULES", "audit_tree", "audit_work_tree"]

_AREA = "memory"
_EDIT = "Correct it in the memory folder, then run `vade adopt`."


class _Pages(msgspec.Struct, frozen=True, kw_only=True):
    """The memory files of one revision."""

    tree: Tree
    #: Path -> text.
    texts: Mapping[str, str]
    #: Path -> why it is no text.
    unreadable: Mapping[str, str]
    #: Path -> most bytes, where it is not the limit of all files.
    most_bytes: Mapping[str, int]


def audit_tree(tree: Tree, *, most_bytes: Mapping[str, int]) -> Iterator[Finding]:
    """Examine a committed state.

    Parameters
    ----------
    most_bytes: the limits of files that have one of their own, by path.
    """
    texts: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    for path in filter(is_valid, tree.paths()):
        try:
            texts[path] = tree.read(path)
        except FrontMatterInvalid as error:
            unreadable[path] = str(error)
    pages = _Pages(tree=tree, texts=texts, unreadable=unreadable, most_bytes=most_bytes)
    odd = [path for path in tree.paths() if rules.name_secret_kind(path)]
    for rule, more in RULES:
        yield from capped((_told(finding, odd) for finding in rule(pages)), more.format)


def _told(finding: Finding, odd: Collection[str]) -> Finding:
    """The finding without what looks like a secret in the names of files."""
    what, after = with_shown_names(finding.what, odd), finding.next and with_shown_names(finding.next, odd)
    return msgspec.structs.replace(finding, what=what, next=after)


def audit_work_tree(repository: Repository) -> Iterator[Finding]:
    """Examine what a person edited and did not commit."""
    try:
        found = repository.hand_edits()
    except StorageError as error:
        yield problem(_AREA, str(error), error.next_step)
        return
    links = set(repository.tree().links())  # told by the audit of the pages
    if found.edits:
        some = ", ".join(map(rules.masked_name, list(found.edits)[:3]))
        more = f" and {len(found.edits) - 3} more" if len(found.edits) > 3 else ""
        yield note(_AREA, f"edited by hand and not taken in yet: {some}{more}", "Run `vade adopt`.")
    refused = (
        warning(_AREA, f"{rules.masked_name(path)} was edited and cannot be taken in: {reason}", _EDIT)
        for path, reason in found.refused.items()
        if path not in links
    )
    yield from capped(refused, "{} more edits cannot be taken in".format)
    yield from capped(_strangers(repository), "{} more files are no memory files".format)


def _strangers(repository: Repository) -> Iterator[Finding]:
    """Files of the work tree that neither memory nor git keeps. Hidden ones are their program's business."""
    tree = repository.tree()
    known = {*tree.paths(), *tree.links()}  # links are told by the audit of the pages
    for file in walk(repository.folder, skip=".git"):
        if not (is_valid(file.path) or file.path in known or _is_hidden(file.path)):
            name = rules.masked_name(file.path)
            what = f"{name!r} is no memory file: nothing reads it, and no commit of ours keeps it"
            yield note(_AREA, what, "Keep it elsewhere, or commit it with git.")


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _unreadable(pages: _Pages) -> Iterator[Finding]:
    for reason in pages.unreadable.values():
        yield problem(_AREA, reason, "Save the file as UTF-8, then run `vade adopt`.")


def _headers(pages: _Pages) -> Iterator[Finding]:
    for path, text in pages.texts.items():
        found = front_matter.violation(text, path)
        if found is None:
            continue
        try:
            front_matter.parse(text)
        except FrontMatterInvalid:
            yield problem(_AREA, f"{path} is not shown, its header cannot be read: {found}", _EDIT)
        else:
            yield warning(_AREA, f"{path}: {found}", _EDIT)


def _conflict_markers(pages: _Pages) -> Iterator[Finding]:
    for path, text in pages.texts.items():
        if marker := rules.conflict_marker(text):
            line = text.split("\n").index(marker) + 1
            yield problem(_AREA, f"{path}:{line} holds a conflict marker of a merge", _EDIT)


def _secrets(pages: _Pages) -> Iterator[Finding]:
    for path, text in pages.texts.items():
        if found := scan(text):
            line = text.count("\n", 0, found[0].start) + 1
            yield warning(
                _AREA,
                f"{path}:{line} holds something that looks like a secret ({found[0].kind})",
                "If it is one, change it where it is used, then say here where it is kept instead.",
            )


def _committed_links(pages: _Pages) -> Iterator[Finding]:
    for path in pages.tree.links():
        what = f"{path} is a symbolic link that was committed: memory never follows one"
        yield warning(_AREA, what, f"Run `git rm -- '{path}'` in the memory folder, and commit.")


def _secret_names(pages: _Pages) -> Iterator[Finding]:
    for path in pages.tree.paths():
        if kind := rules.name_secret_kind(path):
            yield warning(
                _AREA,
                f"{path} has a name that looks like a secret ({kind})",
                "Rename it with `git mv`, and commit; `vade forget` of the old name with --scrub clears the history.",
            )


def _links(pages: _Pages) -> Iterator[Finding]:
    for path, text in pages.texts.items():
        if QUOTING.fullmatch(path):
            continue
        for link in {(link.relative, link.written): link for link in find_links(text, path)}.values():
            written = f"({link.written})" if link.relative else f"[[{link.written}]]"
            if link.target.startswith("../"):
                yield warning(_AREA, f"{path} links to {written}, which leads out of the memory", _EDIT)
            elif not link.target.startswith("/") and not pages.tree.has(link.target):
                yield warning(_AREA, f"{path} links to {written}, which is not there", _EDIT)


def _sizes(pages: _Pages) -> Iterator[Finding]:
    usual = rules.MAX_FILE_BYTES
    for path in (*pages.texts, *pages.unreadable):
        size_bytes, most = pages.tree.size(path), pages.most_bytes.get(path, usual)
        if size_bytes > most:
            what = f"{path} has {size_bytes:,} bytes; no learner may change what has more than {most:,}"
            yield warning(_AREA, what, "Divide it, or take out what nobody needs.")


def _homes(pages: _Pages) -> Iterator[Finding]:
    for path in pages.tree.paths():
        if _is_hidden(path):
            continue
        skill = FLAT_SKILL.fullmatch(path)
        if skill:
            yield warning(_AREA, f"{path} is not found as a skill", f"Move it to skills/{skill[1]}/SKILL.md.")
        elif path.endswith(".md") and (found := misspelling(path)):
            yield problem(_AREA, f"{path} stands in the way of memory: {found}", "Rename it with `git mv`, and commit.")
        elif not is_valid(path):
            yield note(_AREA, f"{path!r} is no memory file: nothing reads it")
        elif not PAGES.fullmatch(path):
            yield note(_AREA, f"{path} lies where no page belongs", f"Move it to {HOMES}.")


def _duplicates(pages: _Pages) -> Iterator[Finding]:
    same: dict[str, list[str]] = defaultdict(list)
    for path, text in pages.texts.items():
        body = text.removeprefix(front_matter.header_of(text) or "").strip()
        if body:
            same[body].append(path)
    for paths in same.values():
        if len(paths) > 1:
            yield note(_AREA, f"{', '.join(paths)} say the same", "Keep one of them, and link to it.")


def _seeds(pages: _Pages) -> Iterator[Finding]:
    outdated = outdated_seeds(pages.tree)
    if outdated:
        what = f"still what an earlier version began with: {', '.join(outdated)}"
        yield note(_AREA, what, f"Take over what you like from {seed_folder()}, then run `vade adopt`.")


#: The audit of the pages, and how the findings of a rule are counted that are not told one by one.
RULES: tuple[tuple[Callable[[_Pages], Iterator[Finding]], str], ...] = (
    (_unreadable, "{} more files are no text"),
    (_headers, "{} more files have a bad header"),
    (_conflict_markers, "{} more files hold conflict markers"),
    (_secrets, "{} more files hold something that looks like a secret"),
    (_committed_links, "{} more symbolic links were committed"),
    (_secret_names, "{} more files have a name that looks like a secret"),
    (_links, "{} more links lead nowhere"),
    (_sizes, "{} more files are too large"),
    (_homes, "{} more files lie where none belongs"),
    (_duplicates, "{} more groups of files say the same"),
    (_seeds, "{} more files are older than this version"),
)
