"""How what is committed is shown, texts and names: what looks like a secret is masked, but where a person let it pass.

`git commit --no-verify` and a pull bring in what no writer of ours would take. It stays in the file as it is; it goes
into no context, no search and no answer. The same holds for the name of a file.
"""

from collections.abc import Iterable

import msgspec

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs.pages import front_matter
from vademecum.memfs.pages.homes import NOTE
from vademecum.memfs.pages.rules import masked_name
from vademecum.memfs.records import Commit
from vademecum.secrets import mask_lines, scan

__all__ = ["ALLOW_FIELD", "shown", "shown_commit", "with_shown_names"]

#: The field of a note's header that says so. Notes belong to the person, so that nobody else can have written it.
ALLOW_FIELD = "allow_secret"


def shown(path: str, text: str) -> str:
    """Return the text of the file at `path` with its secrets masked and its lines where they were."""
    if not scan(text) or (NOTE.fullmatch(path) and _is_let_pass(text)):
        return text
    end = "\n" if text.endswith("\n") else ""
    return "\n".join(mask_lines(text)) + end


def shown_commit(commit: Commit) -> Commit:
    """Return the record of a commit with the names of its files as they may be told."""
    return msgspec.structs.replace(commit, paths=tuple(map(masked_name, commit.paths)))


def with_shown_names(text: str, paths: Iterable[str]) -> str:
    """Return a sentence about files with their names as they may be told. `paths`: all that it may speak of."""
    for path in paths:
        if path in text:
            text = text.replace(path, masked_name(path))
    return text


def _is_let_pass(text: str) -> bool:
    try:
        return front_matter.parse(text).meta.get(ALLOW_FIELD) in {True, "true"}
    except FrontMatterInvalid:
        return False
