import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import Citations, CitedLines, parse_citations, strip_citations

TAGGED = "<memory-citation>\nMEMORY.md:3-9|note=[x]\n</memory-citation>"
FENCED = "```memory-citation\nMEMORY.md:3-9\n```"
FULL = """<memory-citation>
<citation_entries>
MEMORY.md:12-14|note=[package manager]
skills/deploy/SKILL.md:1-20|note=[how to deploy]
</citation_entries>
<session_ids>
0199a000-1111
ses_2f
</session_ids>
</memory-citation>"""
FULL_FENCED = """```memory-citation
MEMORY.md:12-14|note=package manager
skills/deploy/SKILL.md:1-20|note=how to deploy
sessions: 0199a000-1111 ses_2f
```"""


def places(text):
    return [(one.path, one.line_start, one.line_end) for one in parse_citations(text).files]


def tagged(*lines, inner="citation_entries"):
    return "\n".join(["<memory-citation>", f"<{inner}>", *lines, f"</{inner}>", "</memory-citation>"])


class TestTakingOut:
    def test_both_forms_are_taken_out(self):
        """codex-R85"""
        assert strip_citations(f"Done.\n\n{TAGGED}") == "Done."
        assert strip_citations(f"Done.\n\n{FENCED}\n") == "Done.\n"

    def test_a_block_without_end_reaches_to_the_end(self):
        """codex-W43: A stream that was cut off must not leave half a block in what is stored."""
        assert strip_citations("Done.\n<memory-citation>\nMEMORY.md:3") == "Done."
        assert strip_citations("Done.\n```memory-citation\nMEMORY.md:3") == "Done."
        assert strip_citations("Done.\n<memory-citation>\n<citation_entries>\nMEMORY.md:3-4|note=[a]\n<sess") == "Done."

    @pytest.mark.parametrize("opening", ["<memory-citation>", "```memory-citation"])
    def test_a_block_without_end_takes_no_prose_along(self, opening):
        """codex-W43"""
        text = f"Done.\n{opening}\nMEMORY.md:3-4|note=[a]\nsessions: s1\n\nOne more thing: run the tests.\n"
        assert strip_citations(text) == "Done.\n\nOne more thing: run the tests.\n"
        assert places(text) == [("MEMORY.md", 3, 4)]

    def test_a_block_that_is_not_closed_does_not_end_with_the_next_one(self):
        text = f"one\n<memory-citation>\nMEMORY.md:1-2\n\nprose between\n{TAGGED}"
        assert strip_citations(text) == "one\n\nprose between"
        assert places(text) == [("MEMORY.md", 1, 2), ("MEMORY.md", 3, 9)]

    def test_text_around_and_between_blocks_stays(self):
        """codex-W43: runs of empty lines elsewhere are the user's."""
        assert strip_citations(f"one\n{TAGGED}\ntwo\n{FENCED}\nthree") == "one\ntwo\nthree"
        assert strip_citations(f"one\n\n\n\n  two  \n\n{TAGGED}\n\n\nthree\n\n") == "one\n\n\n\n  two  \n\n\nthree\n\n"

    def test_nothing_is_left_of_a_block_that_stands_first(self):
        assert strip_citations(f"{TAGGED}\n\nDone.") == "Done."

    def test_the_tag_is_known_in_any_case(self):
        """codex-W53"""
        assert strip_citations("Done.\n<Memory-Citation>x</MEMORY-CITATION>") == "Done."
        assert strip_citations("Done.\n```Memory-Citation\nMEMORY.md:1\n```") == "Done."

    def test_a_block_of_one_line_behind_a_sentence_is_taken_out(self):
        """codex-N30: also a fence that is glued to the last sentence."""
        assert strip_citations("Done. <memory-citation>MEMORY.md:3-4|note=[a]</memory-citation>") == "Done. "
        assert strip_citations("Done.```memory-citation\nMEMORY.md:1-2\n```") == "Done."

    def test_other_fences_stay(self):
        text = "Run\n```sh\nmake\n```\nthen stop."
        assert strip_citations(text) == text

    @pytest.mark.parametrize(
        "text",
        [
            f"The form is:\n````markdown\n{FENCED}\n````\nthat is all.",
            f"The form is:\n```\n{TAGGED}\n```\nthat is all.",
            f"The form is:\n~~~text\n{TAGGED}\n~~~\n",
            "Answers end with a `<memory-citation>` block, closed by `</memory-citation>`.",
            "The tag <memory-citation> is closed by </memory-citation>.",
            "The tag <memory-citation> marks what was used.",
            "Write ```memory-citation ...``` at the end.",
        ],
    )
    def test_a_block_that_is_only_shown_is_text(self, text):
        """codex-W43: what stands in code, or is spoken of, is neither taken out nor counted."""
        assert strip_citations(text) == text
        assert parse_citations(text).is_empty

    def test_a_fence_that_is_never_closed_hides_no_block(self):
        assert strip_citations(f"```sh\nmake\n\n{TAGGED}") == "```sh\nmake"

    def test_nested_and_doubled_blocks_go_as_a_whole(self):
        assert strip_citations(f"Done.\n<memory-citation>\n{TAGGED}\n</memory-citation>") == "Done."
        assert strip_citations(f"Done.\n{TAGGED}\n</memory-citation>\nBye.") == "Done.\nBye."
        assert strip_citations(f"Done.\n{TAGGED}\n{TAGGED}\n{FENCED}") == "Done."

    def test_windows_line_ends_stay(self):
        assert strip_citations("a\r\nb\r\n\r\n```memory-citation\r\nMEMORY.md:1\r\n```\r\nc\r\n") == "a\r\nb\nc\r\n"

    @settings(max_examples=200)
    @given(st.lists(st.text(alphabet="ab .-:\t\né<>|", max_size=40), max_size=4), st.sampled_from([TAGGED, FENCED]))
    def test_prose_comes_out_as_it_went_in(self, pieces, block):
        """codex-W43"""
        prose = [piece.strip("\n ") + "x" for piece in pieces]
        assert strip_citations(f"\n{block}\n".join([*prose, ""])) == ("\n".join(prose) if prose else "") + (
            "\n" if prose else ""
        )

    @settings(max_examples=200)
    @given(st.text(alphabet="a<>/-`~\n \r:", max_size=60), st.text(alphabet="a<>/-`~\n \r:.md1", max_size=60))
    def test_no_text_breaks_it_and_nothing_is_added(self, before, after):
        for mark in ("<memory-citation>", "</memory-citation>", "```memory-citation", TAGGED):
            text = f"{before}{mark}{after}"
            stripped = strip_citations(text)
            remaining = iter(text)
            assert all(character in remaining for character in stripped)
            parse_citations(text)

    @pytest.mark.parametrize(
        "unit",
        [
            "<memory-citation>",
            "<memory-citation> a word ",
            "<memory-citation>\n",
            "</memory-citation>",
            "<memory-citation>\nx y\n",
            "```memory-citation\n",
            "```memory-citation\nx y\n",
            "~~~x\n",
            "`",
            "````a\n```\n",
            "<memory-citation>.md:",
            "<memory-citation>                 ",
            "|note=[",
        ],
    )
    def test_hostile_text_takes_no_longer_than_other_text(self, unit):
        text = f"<memory-citation>\n{unit * (300_000 // len(unit))}memory-citation"
        assert len(strip_citations(text)) <= len(text)
        parse_citations(text)


class TestReading:
    def test_both_forms_say_the_same(self):
        """codex-A17"""
        expected = Citations(
            files=(
                CitedLines(path="MEMORY.md", line_start=12, line_end=14, note="package manager"),
                CitedLines(path="skills/deploy/SKILL.md", line_start=1, line_end=20, note="how to deploy"),
            ),
            sessions=("0199a000-1111", "ses_2f"),
        )
        assert parse_citations(f"Done.\n\n{FULL}") == expected
        assert parse_citations(f"Done.\n\n{FULL_FENCED}\n") == expected

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("a.md:1-2|note=[x]", ("a.md", 1, 2)),
            ("  - `a.md:1-2|note=[x]`  ", ("a.md", 1, 2)),
            ("a.md:7|note=[x]", ("a.md", 7, 7)),
            ("a.md:L7-L9", ("a.md", 7, 9)),
            ("a.md:9-7|note=[backwards]", ("a.md", 7, 9)),
            ("a.md:1x-2y|note=[]", ("a.md", 1, 2)),
            ("a.md:3 – 5", ("a.md", 3, 5)),
            ("./reference/a b.md:1-2|note=[a [b] c]", ("reference/a b.md", 1, 2)),
            ("c:odd.md:4-5", ("c:odd.md", 4, 5)),
            ("notes.md|note=[the whole file]", ("notes.md", None, None)),
        ],
    )
    def test_an_entry_is_understood_in_many_spellings(self, line, expected):
        """codex-A17"""
        assert places(tagged(line)) == [expected]
        assert places(f"```memory-citation\n{line}\n```") == [expected]

    @pytest.mark.parametrize(
        "line", [":1-2|note=[x]", "a.md:x-y|note=[x]", "just words", "a.md:" + "9" * 40, "a" * 600 + ".md:1-2", ""]
    )
    def test_a_line_that_says_nothing_is_passed_over(self, line):
        assert places(tagged(line, "b.md:1-1")) == [("b.md", 1, 1)]

    def test_each_is_cited_once_in_the_order_of_the_answer(self):
        text = f"{tagged('b.md:1-2', 'a.md:1-2', 'b.md:1-2')}\n\n{tagged('a.md:3-4', 'b.md:1-2')}"
        assert places(text) == [("b.md", 1, 2), ("a.md", 1, 2), ("a.md", 3, 4)]

    @pytest.mark.parametrize(
        "block",
        [
            tagged("s1", "s2", "s1", inner="session_ids"),
            tagged("s1, s2;`s1`", inner="session_ids"),
            "```memory-citation\nsessions: s1 s2\n```",
            "```memory-citation\nsessions: s1, s2\nsessions: s2\n```",
            "<memory-citation>\n<session_ids>\ns1\ns2\n</memory-citation>",
            tagged("s1, s2"),
            f"{tagged('s1', inner='session_ids')}\n{tagged('s2', inner='session_ids')}",
        ],
    )
    def test_ids_are_understood_in_many_spellings(self, block):
        """codex-W43"""
        assert parse_citations(block).sessions == ("s1", "s2")

    def test_a_missing_end_of_a_section_does_not_mix_paths_and_ids(self):
        text = "<memory-citation>\n<session_ids>\ns1\n<citation_entries>\na.md:1-2\n</memory-citation>"
        assert parse_citations(text) == Citations(
            files=(CitedLines(path="a.md", line_start=1, line_end=2),), sessions=("s1",)
        )

    def test_an_empty_block_cites_nothing(self):
        assert parse_citations("<memory-citation>\n</memory-citation>").is_empty
        assert parse_citations("no block").is_empty
