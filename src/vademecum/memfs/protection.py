"""What belongs to the person alone, or to who installed an extension: others may read it, and nothing more."""

import re

__all__ = ["belongs_to_person"]

_OWN = re.compile(r"system/boundaries\.md|extensions/[^/]+/instructions\.md|extensions/[^/]+/notes/.+")


def belongs_to_person(path: str) -> bool:
    """Say whether nobody but a person may add, change or delete the file at `path`."""
    return _OWN.fullmatch(path) is not None
