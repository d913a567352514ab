"""A committed text is shown masked, but where a person let it pass."""

from support.memfs import FAKE_SECRET
from vademecum.memfs import shown

TEXT = f"---\nallow_secret: true\n---\none\n{FAKE_SECRET}\nthree\n"


def test_a_secret_is_masked_and_the_lines_stay_where_they_were():
    masked = shown("reference/x.md", TEXT)
    assert FAKE_SECRET not in masked
    assert masked.count("\n") == TEXT.count("\n")
    assert masked.endswith("three\n")


def test_only_a_note_says_that_its_text_may_be_shown():
    note = "extensions/ad_hoc/notes/x.md"
    assert shown(note, TEXT) == TEXT
    assert FAKE_SECRET not in shown(note, TEXT.replace("true", "false"))
