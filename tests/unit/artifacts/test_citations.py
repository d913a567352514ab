from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import strip_citations

TAGGED = "<memory-citation>\nMEMORY.md:3-9|note=[x]\n</memory-citation>"
FENCED = "```memory-citation\nMEMORY.md:3-9\n```"


def test_both_forms_are_taken_out():
    assert strip_citations(f"Done.\n\n{TAGGED}") == "Done."
    assert strip_citations(f"Done.\n\n{FENCED}\n") == "Done.\n"


def test_a_block_without_end_reaches_to_the_end():
    """A stream that was cut off must not leave half a block in what is stored."""
    assert strip_citations("Done.\n<memory-citation>\nMEMORY.md:3") == "Done."
    assert strip_citations("Done.\n```memory-citation\nMEMORY.md:3") == "Done."


def test_text_around_and_between_blocks_stays():
    assert strip_citations(f"one\n{TAGGED}\ntwo\n{FENCED}\nthree") == "one\ntwo\nthree"


def test_the_tag_is_known_in_any_case():
    assert strip_citations("Done.\n<Memory-Citation>x</MEMORY-CITATION>") == "Done."


def test_other_fences_stay():
    text = "Run\n```sh\nmake\n```\nthen stop."
    assert strip_citations(text) == text


@settings(max_examples=60)
@given(st.text(alphabet="a<>/-`\n memorycitn", max_size=200))
def test_taking_out_twice_changes_nothing_more_and_nothing_is_added(text):
    once = strip_citations(text)
    assert len(once) <= len(text)
    if "memory-citation" not in text:
        assert once == text
