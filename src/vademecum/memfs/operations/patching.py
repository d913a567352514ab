"""Apply a patch: every step staged in memory on what the steps before it made, all of it or nothing."""

from vademecum.memfs.operations.editable import free_page, page, read_editable
from vademecum.memfs.operations.hunks import apply_hunks
from vademecum.memfs.operations.pages import with_description
from vademecum.memfs.operations.patch_grammar import AddFile, DeleteFile, PatchStep, UpdateFile, parse_patch
from vademecum.memfs.operations.staged import Edited, EditRules, Staged, finish
from vademecum.memfs.pages.files import Files

__all__ = ["apply_patch"]


def apply_patch(files: Files, rules: EditRules, text: str) -> Edited:
    """Apply a patch in the grammar of `patch_grammar`. Hunks fit to the letter or not at all.

    A new file without a description gets one from its name.

    Raises
    ------
    PatchInvalid: the patch breaks the grammar.
    PatchMismatch: a hunk stands nowhere in its file, or at several places between which no anchor decides.
    AlreadyExists, NotFound, ReadOnly, UnsafePath, FrontMatterInvalid, NoChange, SecretFound: see the other edits.
    """
    steps = parse_patch(text)
    staged = Staged(files)
    done = [_apply(step, staged, rules) for step in steps]
    return finish(files, staged.edits, done="; ".join(done))


def _apply(step: PatchStep, staged: Staged, rules: EditRules) -> str:
    """Stage one step and say what was done."""
    if isinstance(step, AddFile):
        return _add(step, staged, rules)
    path = page(step.path, staged, rules, command="patch")
    text = read_editable(path, staged, rules)
    if isinstance(step, DeleteFile):
        staged.put(path, None)
        return f"deleted {path}"
    return _update(step, path, text, staged, rules)


def _add(step: AddFile, staged: Staged, rules: EditRules) -> str:
    path = free_page(step.path, staged, rules, command="patch")
    staged.put(path, with_description(step.text, path, None, default=_name_of(path)))
    return f"added {path}"


def _update(step: UpdateFile, path: str, text: str, staged: Staged, rules: EditRules) -> str:
    written = apply_hunks(text, step.hunks, path)
    if step.move_to is None:
        staged.put(path, written)
        return f"updated {path}"
    target = free_page(step.move_to, staged, rules, command="patch", field="Move to")
    staged.put(path, None)
    staged.put(target, written)
    return f"updated {path} and moved it to {target}"


def _name_of(path: str) -> str:
    """A description for a file of which nothing but its name is known."""
    stem = path.removesuffix("/SKILL.md").rpartition("/")[2].removesuffix(".md")
    return " ".join(stem.replace("-", " ").replace("_", " ").split())
