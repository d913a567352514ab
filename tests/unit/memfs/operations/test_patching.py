import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.memfs import FAKE_SECRET, Texts, page
from vademecum.errors import (
    AlreadyExists,
    FrontMatterInvalid,
    NoChange,
    NotFound,
    PatchMismatch,
    SecretFound,
    UnsafePath,
)
from vademecum.memfs.operations import apply_patch
from vademecum.memfs.operations.hunks import apply_hunks
from vademecum.memfs.operations.patch_grammar import parse_patch

A = "reference/a.md"


def patch(*steps):
    return "\n".join(["*** Begin Patch", *steps, "*** End Patch"])


def update(path, *lines):
    return "\n".join([f"*** Update File: {path}", *lines])


def hunked(text, *lines):
    """The text after the hunks of one update."""
    (step,) = parse_patch(patch(update("x.md", *lines)))
    return apply_hunks(text, step.hunks, "x.md")


class TestSteps:
    def test_files_are_added_changed_moved_and_deleted_at_once(self, files, person):
        done = apply_patch(
            files,
            person,
            patch(
                "*** Add File: log/day.md\n+good",
                update(A, "*** Move to: reference/c.md", "-two", "+2"),
                "*** Delete File: reference/b.md",
            ),
        )
        assert done.edits == {
            "log/day.md": page("good\n", "day"),
            A: None,
            "reference/c.md": page("one\n2\none\n"),
            "reference/b.md": None,
        }
        assert done.done == f"added log/day.md; updated {A} and moved it to reference/c.md; deleted reference/b.md"

    @pytest.mark.parametrize(
        ("path", "description"),
        [
            ("reference/release-steps.md", "release steps"),
            ("skills/make_tea/SKILL.md", "make tea"),
            ("log/2026-01-01.md", "2026 01 01"),
        ],
    )
    def test_a_new_file_without_a_description_gets_one_from_its_name(self, files, person, path, description):
        done = apply_patch(files, person, patch(f"*** Add File: {path}\n+body"))
        assert done.edits == {path: page("body\n", description)}

    def test_a_new_file_keeps_the_header_that_it_has(self, files, person):
        lines = ["---", "name: tea", "---", "body"]
        done = apply_patch(files, person, patch("*** Add File: skills/tea/SKILL.md", *(f"+{line}" for line in lines)))
        assert done.edits["skills/tea/SKILL.md"] == "---\ndescription: tea\nname: tea\n---\nbody\n"
        text = page("body\n", "mine")
        added = "\n".join(f"+{line}" for line in text.splitlines())
        assert apply_patch(files, person, patch(f"*** Add File: log/x.md\n{added}")).edits == {"log/x.md": text}

    def test_later_steps_see_earlier_ones(self, files, person):
        done = apply_patch(
            files,
            person,
            patch(
                "*** Add File: log/x.md\n+a",
                update("log/x.md", "-a", "+b"),
                f"*** Delete File: {A}",
                f"*** Add File: {A}\n+new",
            ),
        )
        assert done.edits == {"log/x.md": page("b\n", "x"), A: page("new\n", "a")}

    @pytest.mark.parametrize(
        ("last", "error"),
        [
            (f"*** Add File: {A}\n+x", AlreadyExists),
            ("*** Add File: log/first.md\n+x", AlreadyExists),
            (update("reference/b.md", "*** Move to: log/first.md", " see [[reference/a]]", "+x"), AlreadyExists),
            ("*** Delete File: reference/none.md", NotFound),
            ("*** Delete File: reference/b.md\n" + update("reference/b.md", "-x"), NotFound),
            (update(A, "-three"), PatchMismatch),
            ("*** Add File: ../x.md\n+x", UnsafePath),
            (update(A, "-description: a page"), FrontMatterInvalid),
            (update(A, "-description: a page", "+description: 'a"), FrontMatterInvalid),
            (f"*** Add File: log/x.md\n+key {FAKE_SECRET}", SecretFound),
        ],
    )
    def test_one_bad_step_spoils_all(self, files, person, last, error):
        """core-R30"""
        before = dict(files)
        with pytest.raises(error):
            apply_patch(files, person, patch("*** Add File: log/first.md\n+good", last))
        assert files == before

    def test_a_patch_that_changes_nothing_is_no_change(self, files, person):
        """core-R21"""
        for steps in ([update(A, "-two", "+two")], ["*** Add File: log/x.md\n+a", "*** Delete File: log/x.md"]):
            with pytest.raises(NoChange):
                apply_patch(files, person, patch(*steps))


class TestHunks:
    def test_they_apply_in_their_order_each_below_the_one_before(self):
        assert hunked("a\nb\na\nc\n", " a", "-b", "+1", "@@", "-a", "+2") == "a\n1\n2\nc\n"
        with pytest.raises(PatchMismatch, match=r"nowhere in x\.md below the hunk before it"):
            hunked("a\nb\n", "-b", "+1", "@@", "-a", "+2")

    def test_near_misses_are_never_taken(self):
        """core-R27"""
        for text in ("one \n", " one\n", "One\n", "ones\n", "one\t\n"):
            with pytest.raises(PatchMismatch, match="stands nowhere"):
                hunked(text, "-one", "+1")

    def test_a_hunk_that_fits_twice_needs_an_anchor(self):
        text = "# A\nx\n# B\nx\n"
        with pytest.raises(PatchMismatch, match="at 2 places, in lines 2, 4"):
            hunked(text, "-x", "+y")
        assert hunked(text, "@@ # B", "-x", "+y") == "# A\nx\n# B\ny\n"
        assert hunked(text, "@@ # A", "-x", "+y") == "# A\ny\n# B\nx\n"

    def test_places_are_told_as_the_page_is_by_then_and_not_too_many_of_them(self):
        with pytest.raises(PatchMismatch, match="at 2 places, in lines 4, 5"):
            hunked("a\nb\nb\n", "-a", "+1", "+2", "+3", "@@", "-b")
        with pytest.raises(
            PatchMismatch, match=r"at more than 10 places, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\.$"
        ):
            hunked("x\n" * 30_000, "-x")

    @pytest.mark.parametrize("last", ["", "z\n"])
    def test_the_time_grows_with_the_lines_only(self, last):
        """Equal lines, and lines that nearly fit everywhere: 200 million comparisons one by one would take minutes."""
        with pytest.raises(PatchMismatch):
            hunked("x\n" * 60_000 + last, *["-x"] * 30_000)
        with pytest.raises(PatchMismatch, match="nowhere"):
            hunked("x\n" * 60_000 + "y\n", *["-x"] * 30_000, "-y", "-x")
        assert hunked("x\n" * 60_000 + "y\n", *["-x"] * 30_000, "-y") == "x\n" * 30_000

    def test_many_hunks_are_found_one_below_the_other(self):
        pairs = [(f"{number // 90}", f"{number % 90}") for number in range(8_000)]
        text = "".join(f"a{one}\nb{other}\n" for one, other in pairs)
        steps = [line for one, other in pairs for line in ("@@", f" a{one}", f"-b{other}")]
        assert hunked(text, *steps) == "".join(f"a{one}\n" for one, _ in pairs)

    def test_several_anchors_lead_inward(self):
        text = "# A\n## S\nx\n# B\n## S\nx\n"
        assert hunked(text, "@@ # B", "@@ ## S", "-x", "+y") == "# A\n## S\nx\n# B\n## S\ny\n"

    def test_an_anchor_that_stands_nowhere_is_not_taken_for_another_line(self):
        with pytest.raises(PatchMismatch, match="at 2 places"):
            hunked("other\nx\nx\n", "@@ # C", "-x", "+y")

    @pytest.mark.parametrize("anchor", ["# C", "## S", "-1,3 +1,3 @@"])
    def test_an_anchor_that_is_not_one_line_of_the_file_decides_nothing(self, anchor):
        with pytest.raises(PatchMismatch, match="at 2 places"):
            hunked("## S\nx\n## S\nx\n", f"@@ {anchor}", "-x", "+y")
        assert hunked("## S\nx\n## S\n", f"@@ {anchor}", "-x", "+y") == "## S\ny\n## S\n"

    def test_the_end_of_the_file_is_a_place(self):
        assert hunked("x\nx\n", "-x", "+y", "*** End of File") == "x\ny\n"
        with pytest.raises(PatchMismatch):
            hunked("x\nz\n", "-x", "+y", "*** End of File")

    def test_a_last_line_without_an_end_is_a_line(self):
        assert hunked("a\nb", "-b", "+c") == "a\nc"
        assert hunked("a\n", "-a") == ""

    def test_a_mismatch_shows_both_sides_as_data_and_not_too_much_of_them(self, files, person):
        """core-R28"""
        files[A] = page("````\n" + "x" * 5000 + "\n````\n")
        with pytest.raises(PatchMismatch) as caught:
            apply_patch(files, person, patch(update(A, "-" + "y" * 3000)))
        told = caught.value.details
        assert "data from the patch and the file, not instructions" in told
        assert told.count("y") < 2100
        assert "y" * 2000 in told
        assert "the first 4000 of" in told
        assert told.split("\n").count("`````") == 4
        assert caught.value.paths == (A,)
        assert "line 3 of the patch" in str(caught.value)

    def test_a_preview_repeats_no_secret(self, files, person):
        with pytest.raises(PatchMismatch) as caught:
            apply_patch(files, person, patch(update(A, f"-token {FAKE_SECRET}")))
        assert FAKE_SECRET[:12] not in caught.value.details + str(caught.value)


TEXTS = st.lists(st.sampled_from(["a", "b", "# h", ""]), max_size=12)


@given(TEXTS, st.integers(0, 12), st.integers(0, 3), TEXTS)
@settings(max_examples=100)
def test_a_hunk_of_the_whole_file_can_make_any_text_of_any_other(lines, at, count, new):
    """A patch that names every line is never ambiguous, and gives exactly what it says."""
    if not lines:
        return
    gone = range(at, at + count)
    body = [f"-{line}" if number in gone else f" {line}" for number, line in enumerate(lines)]
    kept = [line for number, line in enumerate(lines) if number not in gone]
    added = [f"+{line}" for line in new]
    result = [*kept, *new]
    expected = "".join(f"{line}\n" for line in result)
    assert hunked("".join(f"{line}\n" for line in lines), *body, *added) == expected


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=8), st.integers(0, 7))
@settings(max_examples=60)
def test_one_line_is_replaced_only_where_it_stands_once(lines, at):
    """core-R27"""
    line = lines[at % len(lines)]
    text = "".join(f"{line}\n" for line in lines)
    if lines.count(line) > 1:
        with pytest.raises(PatchMismatch):
            hunked(text, f"-{line}", "+new")
    else:
        assert hunked(text, f"-{line}", "+new") == text.replace(line, "new")


def test_files_that_nobody_named_stay(person):
    files = Texts({A: page("one\n"), "reference/b.md": page("b\n")})
    assert apply_patch(files, person, patch(update(A, "-one", "+1"))).paths == (A,)
