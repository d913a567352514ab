"""Edits of whole files and folders: delete, rename. Both say which links they concern."""

from vademecum.amounts import plural
from vademecum.errors import AlreadyExists, UnsafePath
from vademecum.memfs.commits.meant import Meant
from vademecum.memfs.operations.backlinks import links_to, relinked, told
from vademecum.memfs.operations.editable import find_meant, free_page, read_editable, refuse_blank
from vademecum.memfs.operations.staged import Edited, EditRules, finish
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.paths import normalise_folder

__all__ = ["delete", "rename"]

_FIXING = "next: correct these links, or take the rename back (`vade undo`) and do it again with `--fix-links`"


def delete(files: Files, rules: EditRules, path: str) -> Edited:
    """Delete a file, or a folder with everything below it; one file that may not be edited refuses all.

    Raises `NotFound`, `ReadOnly`, `UsageError` where a file and a folder are meant.
    """
    meant = find_meant(path, files, rules, command="delete")
    for file in meant.files:
        read_editable(file, files, rules)
    gone = set(meant.files)
    left = [link for link in links_to(files, gone) if link.path not in gone]
    edits = dict.fromkeys(meant.files, None)
    return finish(files, edits, done=f"deleted {_named(meant)}", notes=told(left, "which is gone"))


def rename(files: Files, rules: EditRules, old: str, new: str, *, fix_links: bool = False) -> Edited:
    """Move a file or a folder, byte for byte, to where nothing is yet.

    Parameters
    ----------
    fix_links: rewrite the links to it, and its own relative links, instead of only naming them.

    Raises
    ------
    AlreadyExists: something stands at the new place.
    NotFound, ReadOnly, UsageError, FrontMatterInvalid: see `delete` and `finish`.
    """
    meant = find_meant(old, files, rules, command="rename", field="old path")
    moved = _targets(meant, new, files, rules)
    texts = {path: read_editable(path, files, rules) for path in meant.files}
    edits: dict[str, str | None] = {**dict.fromkeys(meant.files, None), **{moved[path]: texts[path] for path in moved}}
    done = f"renamed {_named(meant)} to {_new_name(meant, moved)}"
    if not fix_links:
        left = [link._replace(path=moved.get(link.path, link.path)) for link in links_to(files, moved.keys())]
        return finish(files, edits, done=done, notes=(*told(left, "its old place"), *([_FIXING] if left else [])))
    rewritten, left = relinked(files, moved, lambda path: read_editable(path, files, rules))
    fixed = (f"links rewritten in {', '.join(sorted(rewritten))}",) if rewritten else ()
    return finish(
        files, {**edits, **rewritten}, done=done, notes=(*fixed, *told(left, "its old place, and may not be edited"))
    )


def _targets(meant: Meant, new: str, files: Files, rules: EditRules) -> dict[str, str]:
    """Old path -> new path for every file that moves."""
    if not meant.is_folder:
        return {meant.path: free_page(new, files, rules, command="rename", field="new path")}
    refuse_blank("rename", **{"new path": new})
    folder = normalise_folder(new, root=rules.root, files=files)
    if not folder:
        raise UnsafePath("rename: a folder cannot become the whole memory", next_step="Name a folder in it.")
    if any(f"{path}/".startswith(f"{folder}/") for path in files.paths()):
        raise AlreadyExists(f"{folder} exists already", paths=(folder,))
    below = {path: folder + path.removeprefix(meant.path) for path in meant.files}
    return {path: free_page(target, files, rules, command="rename") for path, target in below.items()}


def _named(meant: Meant) -> str:
    return f"{meant.path}/ ({plural(len(meant.files), 'file')})" if meant.is_folder else meant.path


def _new_name(meant: Meant, moved: dict[str, str]) -> str:
    first = meant.files[0]
    return moved[first].removesuffix(first.removeprefix(meant.path)) + "/" if meant.is_folder else moved[first]
