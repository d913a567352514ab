import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.memfs import FAKE_SECRET, Texts, page
from vademecum.errors import (
    AlreadyExists,
    FrontMatterInvalid,
    NoChange,
    NotFound,
    RefusedError,
    SecretFound,
    TextMismatch,
    UnsafePath,
    UsageError,
)
from vademecum.memfs.operations import EditRules, create, describe, insert, str_replace
from vademecum.memfs.pages import front_matter
from vademecum.memfs.pages.rules import MAX_FILE_BYTES

A = "reference/a.md"
ROOT = Path("/srv/memory")


def body_of(text):
    return front_matter.parse(text).body


class TestCreate:
    def test_a_page_gets_its_header_from_the_description(self, files, person):
        made = create(files, person, "people/ada/card", description="Ada: reviews\nreleases", text="tea")
        assert made.edits == {"people/ada/card.md": '---\ndescription: "Ada: reviews releases"\n---\ntea\n'}
        assert made.done == "created people/ada/card.md"

    def test_a_header_in_the_text_keeps_its_other_keys(self, files, person):
        text = "---\nname: release\ndescription: old\nversion: 2\n---\nbody\n"
        made = create(files, person, "skills/release/SKILL.md", description="new", text=text)
        assert made.edits["skills/release/SKILL.md"] == text.replace("old", "new")

    def test_what_exists_stays_as_it_is(self, files, person):
        """core-R20"""
        with pytest.raises(AlreadyExists) as caught:
            create(files, person, "reference/a", description="x")
        assert caught.value.paths == (A,)

    @pytest.mark.parametrize(
        ("arguments", "named"),
        [
            ({"path": " ", "description": "x"}, "create: path is blank"),
            ({"path": "reference/x", "description": " \n"}, "create: description is blank"),
        ],
    )
    def test_a_blank_argument_is_named_with_its_command(self, files, person, arguments, named):
        with pytest.raises(UsageError, match=re.escape(named)):
            create(files, person, **arguments)

    @pytest.mark.parametrize("text", ["one\r\ntwo\r\n", "one\ntwo\n"])
    def test_line_ends_of_other_systems_become_those_of_memory(self, files, person, text):
        """core-W29"""
        made = create(files, person, "reference/x", description="x", text=text)
        assert body_of(made.edits["reference/x.md"]) == "one\ntwo\n"

    @pytest.mark.parametrize("text", ["a\rb", "a\0b", "a\ud800b"])
    def test_text_that_memory_cannot_hold_is_refused(self, files, person, text):
        """core-W29"""
        for edit in (
            lambda: create(files, person, "log/x", description="x", text=f"a{text}"),
            lambda: insert(files, person, A, line=9, text=f"a{text}"),
            lambda: str_replace(files, person, A, old="two", new=f"a{text}"),
        ):
            with pytest.raises(FrontMatterInvalid):
                edit()

    @pytest.mark.parametrize(
        ("description", "cause"),
        [
            ("x" * 1025, "more than 1024"),
            ("deploys</description>", "piece of a tool call"),
            ("d" * 2000 + '<parameter name="file_text">', "piece of a tool call"),
        ],
    )
    def test_a_bad_description_is_refused_with_its_cause(self, files, person, description, cause):
        """core-R16"""
        with pytest.raises(FrontMatterInvalid, match=cause):
            create(files, person, "reference/x", description=description)

    def test_a_secret_is_refused_and_shown_masked(self, files, person):
        with pytest.raises(SecretFound, match=r"line 5 \(github-token\)") as caught:
            create(files, person, "reference/x", description="x", text=f"a\nkey {FAKE_SECRET}\n")
        assert FAKE_SECRET[:12] not in str(caught.value)

    def test_a_page_has_a_largest_size(self, files, person):
        """core-W33"""
        with pytest.raises(RefusedError, match="at most 262144"):
            create(files, person, "reference/x", description="x", text="x" * MAX_FILE_BYTES)

    def test_a_page_that_is_too_large_may_become_smaller(self, person):
        files = Texts({A: page("x\n" * MAX_FILE_BYTES + "gone\n")})
        assert str_replace(files, person, A, old="gone\n", new="").paths == (A,)

    def test_only_markdown_is_edited(self, files, person):
        with pytest.raises(UnsafePath, match="no markdown"):
            create(files, person, "extensions/x/resources/scope.json", description="x")


class TestStrReplace:
    def test_the_one_match_is_replaced(self, files, person):
        done = str_replace(files, person, A, old="two", new="2")
        assert done.edits == {A: page("one\n2\none\n")}
        assert done.done == "replaced the one match in reference/a.md"

    def test_several_matches_are_counted_and_their_file_lines_named(self, files, person):
        """core-R24, core-W27"""
        with pytest.raises(TextMismatch, match=r"2 times in reference/a\.md, in lines 4, 6"):
            str_replace(files, person, A, old="one", new="1")

    def test_one_of_several_matches_can_be_chosen(self, files, person):
        """core-R24, core-W27"""
        done = str_replace(files, person, A, old="one", new="1", occurrence=2)
        assert done.edits == {A: page("one\ntwo\n1\n")}
        assert "1 of 2 matches" in done.done

    def test_every_match_can_be_replaced(self, files, person):
        """core-W27"""
        done = str_replace(files, person, A, old="one", new="1", every=True)
        assert done.edits == {A: page("1\ntwo\n1\n")}
        assert "all 2 matches" in done.done

    def test_what_would_make_a_page_too_large_is_refused_before_it_is_built(self, files, person):
        """All who write wait for the one that writes."""
        many = create(files, person, "reference/many", description="x", text="a\n" * 60_000).edits["reference/many.md"]
        with pytest.raises(RefusedError, match="characters more"):
            str_replace(
                Texts({"reference/many.md": many}), person, "reference/many", old="a", new="a" * 5_000, every=True
            )

    def test_a_number_without_a_match_is_told(self, files, person):
        with pytest.raises(TextMismatch, match=r"no occurrence 3.*2 times"):
            str_replace(files, person, A, old="one", new="1", occurrence=3)

    def test_a_number_and_all_contradict_each_other(self, files, person):
        with pytest.raises(UsageError, match="not both"):
            str_replace(files, person, A, old="one", new="1", occurrence=1, every=True)

    def test_text_is_deleted_by_an_empty_one_and_blank_lines_are_text(self, files, person):
        """core-W27"""
        gone = str_replace(files, person, A, old="two\n", new="")
        assert gone.edits == {A: page("one\none\n")}
        blank = str_replace(files, person, A, old="two\n", new="\n\n")
        assert blank.edits == {A: page("one\n\n\none\n")}

    @pytest.mark.parametrize("text", [r"\1", r"\g<0>", "$1", "$&", ".*", "[", "\\"])
    def test_signs_of_patterns_are_only_signs(self, files, person, text):
        """core-R24"""
        there = str_replace(files, person, A, old="two", new=text)
        assert there.edits == {A: page(f"one\n{text}\none\n")}
        back = str_replace(files.after(there), person, A, old=text, new="two")
        assert back.edits == {A: files[A]}

    def test_text_that_is_not_there_changes_nothing(self, files, person):
        """core-R20"""
        with pytest.raises(TextMismatch, match="stands nowhere"):
            str_replace(files, person, A, old="three", new="3")
        with pytest.raises(UsageError, match="old is empty"):
            str_replace(files, person, A, old="", new="3")
        with pytest.raises(NotFound):
            str_replace(files, person, "reference/none", old="a", new="b")

    def test_the_header_is_never_touched(self, files, person):
        with pytest.raises(TextMismatch, match="only in the header"):
            str_replace(files, person, A, old="a page", new="b page")
        files[A] = page("a page\n")
        assert str_replace(files, person, A, old="a page", new="b").edits == {A: page("b\n")}

    def test_the_same_text_is_no_change(self, files, person):
        """core-R21"""
        with pytest.raises(NoChange):
            str_replace(files, person, A, old="two", new="two")

    def test_a_page_without_a_header_is_all_body(self, files, person):
        done = str_replace(files, person, "MEMORY", old="Handbook", new="Book")
        assert done.edits == {"MEMORY.md": "# Book\n"}

    @pytest.mark.parametrize("head", ["description: |\n  lines", "unknown", "description: a: b"])
    def test_a_header_that_was_wrong_before_stays_while_the_body_is_edited(self, files, person, head):
        files[A] = f"---\n{head}\n---\nold\n"
        assert str_replace(files, person, A, old="old", new="new").edits == {A: f"---\n{head}\n---\nnew\n"}

    @pytest.mark.parametrize("text", ["---\nnever closed\nold\n", "---\ndescription: x\n---\r\nold\r\n", "\ufeffold\n"])
    def test_a_file_that_is_no_memory_text_is_refused_by_every_tool(self, files, person, text):
        """core-W29"""
        files[A] = text
        for edit in (
            lambda: str_replace(files, person, A, old="old", new="new"),
            lambda: insert(files, person, A, line=9, text="x"),
            lambda: describe(files, person, A, description="x"),
        ):
            with pytest.raises(FrontMatterInvalid):
                edit()


class TestInsert:
    @pytest.mark.parametrize(
        ("line", "body"),
        [
            (1, "new\none\ntwo\none\n"),
            (4, "new\none\ntwo\none\n"),
            (5, "one\nnew\ntwo\none\n"),
            (7, "one\ntwo\none\nnew\n"),
            (999, "one\ntwo\none\nnew\n"),
        ],
    )
    def test_lines_are_file_lines_and_the_header_is_never_entered(self, files, person, line, body):
        done = insert(files, person, A, line=line, text="new")
        assert done.edits == {A: page(body)}

    @pytest.mark.parametrize("line", [0, -3])
    def test_a_line_that_no_file_has_is_refused(self, files, person, line):
        with pytest.raises(UsageError, match=f"there is no line {line}, because lines count from 1"):
            insert(files, person, A, line=line, text="new")

    def test_a_blank_line_can_be_inserted_and_nothing_cannot(self, files, person):
        """core-W27"""
        assert insert(files, person, A, line=5, text="\n").edits == {A: page("one\n\ntwo\none\n")}
        with pytest.raises(UsageError, match="insert: text is empty"):
            insert(files, person, A, line=5, text="")

    @pytest.mark.parametrize("text", ["---\ndescription: x\n---", "---\ndescription: x\n---\n"])
    def test_a_page_without_a_body_gets_one(self, files, person, text):
        files[A] = text
        assert insert(files, person, A, line=1, text="new").edits == {A: "---\ndescription: x\n---\nnew\n"}

    def test_a_last_line_without_an_end_stays_a_line_of_its_own(self, files, person):
        files[A] = page("one")
        assert insert(files, person, A, line=99, text="two").edits == {A: page("one\ntwo\n")}


class TestDescribe:
    def test_all_but_the_description_is_kept(self, files, person):
        """core-R12, core-R19"""
        text = "---\nname: release\ndescription: old\nread_only: false\nversion: 1.10\nlimit: 5\n---\n\nbody  \n"
        files["skills/release/SKILL.md"] = text
        done = describe(files, person, "skills/release/SKILL", description="new")
        assert done.edits == {"skills/release/SKILL.md": text.replace("old", "new")}

    def test_the_same_description_is_no_change(self, files, person):
        """core-R21"""
        with pytest.raises(NoChange):
            describe(files, person, A, description="a\npage")

    def test_a_page_without_a_header_gets_one(self, files, person):
        files["log/x.md"] = "text\n"
        assert describe(files, person, "log/x", description="x").edits == {"log/x.md": page("text\n", "x")}


LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=30)


@given(description=LINES.filter(str.strip), body=st.lists(LINES, max_size=5).map("\n".join))
@settings(max_examples=80, deadline=None)
def test_what_is_written_reads_back_and_is_written_the_same_again(description, body):
    """core-29.2 I1: rendering what was parsed is a fixed point, and keeps the grammar."""
    person = EditRules(root=ROOT, is_person=True)
    try:
        text = create(Texts(), person, A, description=description, text=f"# {body}").edits[A]
    except (FrontMatterInvalid, SecretFound, UsageError):
        return
    assert front_matter.violation(text, A) is None
    again = front_matter.render(front_matter.parse(text))
    assert again == text
    with pytest.raises(NoChange):
        describe(Texts({A: text}), person, A, description=description)


def test_a_conflict_marker_is_refused_as_in_a_draft_and_in_a_commit(files, person):
    with pytest.raises(RefusedError, match="conflict marker"):
        create(files, person, "reference/x.md", description="x", text="<<<<<<< a\nb\n>>>>>>> c\n")
