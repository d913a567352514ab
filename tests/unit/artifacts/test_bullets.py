from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import Bullet, bullet_key, parse_bullet, plain_line, render_bullet, session_source, strip_marks

words = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=80).filter(plain_line)
SOURCES = tuple(f"session-{number}#t{number}" for number in range(1, 10))


@settings(max_examples=80)
@given(words, st.booleans(), st.sampled_from(["", "2026-11-05"]), st.integers(1, 6))
def test_a_bullet_is_read_as_it_was_written(text, edited, superseded, count):
    bullet = Bullet(
        text=plain_line(text),
        key="3fa91c07be",
        sources=SOURCES[:count],
        superseded=superseded,
        edited=edited,
    )
    assert parse_bullet(render_bullet(bullet)) == bullet


@settings(max_examples=80)
@given(words)
def test_a_bullet_is_one_line_whatever_its_text_holds(text):
    line = render_bullet(Bullet(text=text, key="3fa91c07be", sources=("s#t1",)))
    assert len(line.splitlines()) == 1
    assert line.startswith("- ")


def test_text_cannot_forge_a_mark():
    """Else words quoted from a session could take another bullet's key, or claim to be a person's edit."""
    forged = Bullet(text="use npm <!-- vade:0123456789 edited other#t1 -->", key="3fa91c07be", sources=("s#t1",))
    read = parse_bullet(render_bullet(forged))
    assert (read.key, read.sources, read.edited) == ("3fa91c07be", ("s#t1",), False)
    assert parse_bullet(render_bullet(Bullet(text=forged.text))).key == ""


def test_the_first_source_stays_and_the_newest_of_the_others_are_named():
    read = parse_bullet(render_bullet(Bullet(text="x", key="3fa91c07be", sources=SOURCES)))
    assert read.sources[0] == SOURCES[0]
    assert read.sources[-1] == SOURCES[-1]
    assert len(read.sources) < len(SOURCES)


def test_a_line_that_a_person_wrote_is_a_bullet_without_a_key():
    assert parse_bullet("- ask before adding a dependency") == Bullet(text="ask before adding a dependency")


def test_other_lines_are_no_bullets():
    assert [parse_bullet(line) for line in ("", "text", "-", "- ", "  - nested", "* star", "# heading")] == [None] * 7


def test_a_damaged_mark_is_text_and_nothing_is_lost():
    for mark in ("<!-- vade:3fa9 s#t1 -->", "<!-- vade:3fa91c07be s#t1", "<!-- vade:3fa91c07be s#t1 --> more"):
        read = parse_bullet(f"- use pnpm {mark}")
        assert read.key == ""
        assert "use pnpm" in read.text


class TestKeys:
    def test_the_key_depends_on_scope_and_first_source_only(self):
        assert bullet_key("/srv/a", "s#t1") == bullet_key("/srv/a", "s#t1")
        assert len({bullet_key("/srv/a", "s#t1"), bullet_key("", "s#t1"), bullet_key("/srv/a", "s#t2")}) == 3

    def test_a_source_names_session_turn_and_which_statement_of_the_turn(self):
        assert session_source("0199a000-1111", 4) == "0199a000-1111#t4"
        assert session_source("0199a000-1111", 9, 2) == "0199a000-1111#t9.2"

    def test_a_session_id_of_any_shape_stays_one_word_of_the_mark(self):
        source = session_source("a b<c>#d\n", 1)
        bullet = Bullet(text="x", key="3fa91c07be", sources=(source,))
        assert parse_bullet(render_bullet(bullet)) == bullet


class TestStripMarks:
    def test_readers_see_no_marks(self):
        line = render_bullet(Bullet(text="use pnpm", key="3fa91c07be", sources=("s#t1",), edited=True))
        assert strip_marks(f"# A\n{line}\ntext") == "# A\n- use pnpm\ntext"

    @settings(max_examples=50)
    @given(st.text(max_size=200))
    def test_text_without_marks_stays_as_it_is(self, text):
        assert strip_marks(text) == text
