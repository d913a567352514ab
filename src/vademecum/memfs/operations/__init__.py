"""The operations on memory files, pure: from the state that they are asked of to the edits that they would make.

The same for the committed state, a draft, and what an earlier step staged. What whoever edits may do, and how
paths may be spelled, is an `EditRules`; the outcome is an `Edited`, checked as a commit would check it.
"""

from vademecum.memfs.operations.backlinks import Backlink, links_to
from vademecum.memfs.operations.pages import create, describe, insert, str_replace
from vademecum.memfs.operations.patching import apply_patch
from vademecum.memfs.operations.reading import MAX_READ_BYTES, Listing, Reading, list_folder, read_lines
from vademecum.memfs.operations.staged import Edited, EditRules, Operation, Staged
from vademecum.memfs.operations.whole_files import delete, rename

__all__ = [
    "MAX_READ_BYTES",
    "Backlink",
    "EditRules",
    "Edited",
    "Listing",
    "Operation",
    "Reading",
    "Staged",
    "apply_patch",
    "create",
    "delete",
    "describe",
    "insert",
    "links_to",
    "list_folder",
    "read_lines",
    "rename",
    "str_replace",
]
