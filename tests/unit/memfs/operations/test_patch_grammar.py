import pytest

from vademecum.errors import PatchInvalid
from vademecum.memfs.operations.patch_grammar import AddFile, DeleteFile, PatchHunk, UpdateFile, parse_patch

WHOLE = """*** Begin Patch
*** Add File: reference/new.md
+first
+
*** Update File: reference/page.md
*** Move to: reference/other.md
@@ # Title
@@ ## Part
 stays
-goes
+comes

@@
-last
*** End of File

*** Delete File: reference/old.md
*** End Patch
"""

STEPS = [
    AddFile(path="reference/new.md", text="first\n\n"),
    UpdateFile(
        path="reference/page.md",
        move_to="reference/other.md",
        hunks=(
            PatchHunk(
                line=7,
                anchors=("# Title", "## Part"),
                old=("stays", "goes", ""),
                new=("stays", "comes", ""),
                at_end=False,
            ),
            PatchHunk(line=13, anchors=(), old=("last",), new=(), at_end=True),
        ),
    ),
    DeleteFile(path="reference/old.md"),
]


def test_every_form_is_read():
    assert parse_patch(WHOLE) == STEPS


def test_line_ends_of_other_systems_are_accepted():
    """core-R26"""
    assert parse_patch(WHOLE.replace("\n", "\r\n")) == STEPS


def test_an_update_without_an_anchor_is_one_hunk():
    """core-R26"""
    (step,) = parse_patch("*** Begin Patch\n*** Update File: a.md\n-x\n+y\n\n \n*** End Patch")
    assert step.hunks == (PatchHunk(line=3, anchors=(), old=("x", "", ""), new=("y", "", ""), at_end=False),)


def test_empty_lines_before_the_next_step_only_separate():
    (step, _) = parse_patch("*** Begin Patch\n*** Update File: a.md\n-x\n\n\n*** Delete File: b.md\n*** End Patch")
    assert step.hunks[0].old == ("x",)


INVALID = {
    "": "line 1 of the patch: a patch begins with",
    "\n*** Begin Patch\n*** Delete File: a.md\n*** End Patch": "line 1",
    " *** Begin Patch\n*** Delete File: a.md\n*** End Patch": "line 1",
    "*** Begin Patch\n*** Delete File: a.md": "line 2 of the patch: the patch has no line",
    "*** Begin Patch\n*** Delete File: a.md\n*** End Patch\n\nmore": "line 5 of the patch: nothing may follow",
    "*** Begin Patch\n\n*** End Patch": "changes no file",
    "*** Begin Patch\nwords\n*** End Patch": "line 2 of the patch: expected",
    "*** Begin Patch\n*** Add File: a.md\n*** End Patch": "line 3 of the patch: a new file needs lines",
    "*** Begin Patch\n*** Add File: a.md\n+x\ny\n*** End Patch": "line 4",
    "*** Begin Patch\n*** Add File:  \n+x\n*** End Patch": "line 2 of the patch: `.*` names no path",
    "*** Begin Patch\n*** Update File: a.md\n*** End Patch": "line 3 of the patch: the update of a.md has no hunk",
    "*** Begin Patch\n*** Update File: a.md\n*** Move to: b.md\n*** End Patch": "line 4",
    "*** Begin Patch\n*** Update File: a.md\n@@\n x\n~y\n*** End Patch": "line 5 of the patch: a line of a hunk",
    "*** Begin Patch\n*** Update File: a.md\n@@ x\n+y\n*** End Patch": "line 3 of the patch: the hunk does not say",
    "*** Begin Patch\n*** Update File: a.md\n@@\n@@\n*** End Patch": "line 3",
}


@pytest.mark.parametrize(("text", "what"), INVALID.items(), ids=range(len(INVALID)))
def test_what_breaks_the_grammar_is_named_with_its_line(text, what):
    """core-R25, core-R26"""
    with pytest.raises(PatchInvalid, match=what):
        parse_patch(text)


def test_very_many_empty_lines_are_read_in_linear_time():
    blank = "\n" * 60_000
    (step, _) = parse_patch(
        f"*** Begin Patch\n*** Update File: a.md\n-x{blank}-y{blank}*** Delete File: b.md\n*** End Patch"
    )
    assert step.hunks[0].old == ("x", *[""] * 59_999, "y")
