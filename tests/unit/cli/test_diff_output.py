"""A person finds every changed line by its number, and is told what cannot be shown."""

import pytest

from vademecum.cli.diff_output import say_diffs, summary
from vademecum.memfs import ChangeKind, DiffLine, FileDiff, Hunk, LineKind

MARK = "<!-- vade:3fa91c07be s1#t4 -->"


def line(kind, text, old=None, new=None):
    return DiffLine(kind=kind, text=text, old_line=old, new_line=new)


def hunk(*lines):
    return Hunk(old_start=1, old_count=1, new_start=1, new_count=1, lines=lines)


def test_a_line_that_went_has_its_old_number_and_every_other_its_new_one(capsys):
    lines = hunk(
        line(LineKind.CONTEXT, "same", 7, 8), line(LineKind.REMOVED, "old", 8), line(LineKind.ADDED, "new", None, 9)
    )
    far = hunk(line(LineKind.ADDED, f"- rule {MARK}", None, 90))
    say_diffs([FileDiff(path="a.md", kind=ChangeKind.MODIFIED, added=2, removed=1, hunks=(lines, far))])
    assert capsys.readouterr().out.splitlines() == [
        "a.md  +2 -1",
        "     8    same",
        "     8  - old",
        "     9  + new",
        "   ...",
        f"    90  + - rule {MARK}",
    ]


def test_nothing_in_it_moves_the_terminal(capsys):
    diff = FileDiff(
        path="a\x1b[2J.md", kind=ChangeKind.ADDED, added=1, hunks=(hunk(line(LineKind.ADDED, "\x1b[2J", new=1)),)
    )
    say_diffs([diff])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        (FileDiff(path="a.md", kind=ChangeKind.ADDED, added=3), "new  +3 -0"),
        (FileDiff(path="a.md", kind=ChangeKind.DELETED, removed=3), "deleted  +0 -3"),
        (FileDiff(path="b.md", kind=ChangeKind.ADDED, renamed_from="a.md"), "renamed from a.md"),
        (FileDiff(path="a.md", kind=ChangeKind.MODIFIED, unshown="a.md is UTF-16"), "a.md is UTF-16"),
    ],
)
def test_a_file_is_told_in_a_few_words(diff, words):
    assert summary(diff) == words
