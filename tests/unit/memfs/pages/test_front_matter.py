import json
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs.pages.front_matter import Document, header_of, parse, render, requires_front_matter, violation

SYSTEM = "system/human.md"


def headed(*lines, body="text\n"):
    return "\n".join(["---", *lines, "---", body])


def test_a_file_is_header_body_and_the_line_where_the_body_begins():
    document = parse(headed("description: A page", "read_only: true", "version: 3", body="# Title\n"))
    assert document.meta == {"description": "A page", "read_only": True, "version": 3}
    assert document.body == "# Title\n"
    assert document.body_line == 6


def test_text_without_a_header_is_all_body():
    assert parse("# Title\n") == Document(meta={}, body="# Title\n")
    assert parse("") == Document(meta={}, body="")


def test_a_body_may_be_empty_and_a_last_line_end_may_be_missing():
    assert parse("---\ndescription: x\n---").body == ""
    assert parse("---\ndescription: x\n---\n").body_line == 4
    assert parse("---\n---\nbody").body == "body"


@pytest.mark.parametrize("text", ["---\ndescription: x\n", "---\n", "---", "--- \ndescription: x\n---\n"])
def test_a_header_that_is_not_closed_is_an_error(text):
    with pytest.raises(FrontMatterInvalid, match="not closed"):
        parse(text)
    assert "not closed" in violation(text, SYSTEM)


@pytest.mark.parametrize(
    "value",
    [
        "a: b", "a #b", "true", "no", "Null", "123", "-5", "[x", "{x", "- x", "? x", "ends:", "", " padded ", "'q'",
        '"q"', "tab\there", "two\nlines", "nbsp\u00a0", "bom\ufeff", "line\u2028sep", "nel\x85", "del\x7f", "~", "=",
        "%x", "@x", "`x`", "日本", "emoji 🙂", "2026-01-01", "1.10", "0x10", "1e5", "007",
    ],
)  # fmt: skip
def test_every_string_comes_back_as_itself(value):
    """core-R10: what YAML would read as something else is quoted."""
    document = Document(meta={"description": value, "other": [value]}, body="b\n")
    assert parse(render(document)).meta == document.meta


@pytest.mark.parametrize("key", ["started_at", "version"])
def test_dates_and_decimals_stay_the_text_that_they_are(key):
    """core-R12"""
    text = headed("description: x", f"{key}: 2026-01-01T10:00:00Z", "ratio: 1.10")
    assert parse(text).meta[key] == "2026-01-01T10:00:00Z"
    assert render(parse(text)) == text


def test_headers_in_wider_yaml_are_read_and_reported():
    """core-R11: the text of a block, not its indicator, is the description."""
    text = headed("description: >", "  two", "  lines", "at: 2026-01-01", "tags: [a, b]", "on: yes", "n: 5", "t: true")
    document = parse(text)
    assert document.meta == {
        "description": "two lines\n", "at": "2026-01-01", "tags": ["a", "b"], "on": "yes", "n": 5, "t": True,
    }  # fmt: skip
    assert "block" in violation(text, SYSTEM)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["description: a: b"], "on line 2"),
        (["- a", "- b"], "not a list of"),
        (["a: &x [1]", "b: *x"], "aliases"),
        (["a: [" * 3000], "header is not valid"),
    ],
)
def test_a_header_that_is_no_mapping_is_an_error(lines, reason):
    with pytest.raises(FrontMatterInvalid, match=reason):
        parse(headed(*lines))


VIOLATIONS = {
    "no header": ("text\n", "no header"),
    "comment": (headed("# hi", "description: x"), "line 2: is a comment"),
    "indented": (headed("description: x", "  more"), "line 3: is indented"),
    "blank": (headed("description: x", ""), "line 3: is blank"),
    "no pair": (headed("description"), "line 2: is not"),
    "twice": (headed("description: x", "description: y"), "line 3: repeats the key description"),
    "no value": (headed("description:"), "has no value"),
    "block": (headed("description: |", "  x"), "block of lines"),
    "colon": (headed("description: a: b"), "must be quoted"),
    "reserved": (headed("description: yes"), "must be quoted"),
    "open quote": (headed('description: "x'), "correctly quoted"),
    "single quote": (headed("description: 'it's'"), "correctly quoted"),
    "list": (headed("description: x", "aliases: [a, b]"), "JSON form"),
    "missing": (headed("kind: person"), "no line `description"),
    "number": (headed("description: 5"), "not text"),
    "empty": (headed('description: " "'), "not text"),
    "lines": (headed(r'description: "a\nb"'), "more than one line"),
    "long": (headed("description: " + "x" * 1025), "more than 1024"),
    "aliases": (headed("description: x", 'aliases: ["a", ""]'), "aliases"),
    "crlf": ("---\r\ndescription: x\r\n---\r\n", "carriage returns"),
    "bom": ("\ufeff" + headed("description: x"), "byte-order mark"),
    "nul": (headed("description: x", body="\0"), "NUL"),
    "escaped surrogate": (headed('description: "\\uD800"'), "description holds half of a surrogate pair"),
    "surrogate in a list": (headed('description: x\naliases: ["\\udc00"]'), "aliases holds half of a surrogate pair"),
    "surrogate": (headed("description: x", body="\ud800"), "surrogate"),
}


@pytest.mark.parametrize(("text", "reason"), VIOLATIONS.values(), ids=VIOLATIONS.keys())
def test_the_first_violation_is_named(text, reason):
    """core-R14, core-4.7"""
    assert reason in violation(text, SYSTEM)


def test_a_leaked_tool_call_is_named_before_its_symptoms():
    """core-R16"""
    text = headed("description: " + "x" * 2000 + "</description>")
    assert "tool call" in violation(text, SYSTEM)


@pytest.mark.parametrize(
    "lines",
    [
        ["description: plain words, with commas - and dashes"],
        ['description: "a: b"', "read_only: false"],
        ["description: 'it''s'", 'aliases: ["Ann", "Anna"]'],
        ["name: release", "description: x", 'metadata: {"author": "me"}', "version: 1.10", "deprecated: true"],
    ],
)
def test_good_headers_have_no_violation(lines):
    """core-R13: unknown keys are kept, by design in every area."""
    assert violation(headed(*lines), SYSTEM) is None
    assert render(parse(headed(*lines))).startswith("---\n")


@pytest.mark.parametrize(
    ("path", "required"),
    [
        ("system/a.md", True), ("system/x/a.md", True), ("reference/a.md", True), ("people/a/card.md", True),
        ("skills/a/SKILL.md", True), ("skills/a/b/SKILL.md", True), ("skills/a/notes.md", False), ("MEMORY.md", False),
        ("log/2026.md", False), ("extensions/ad_hoc/notes/a.md", False), ("other/system/a.md", False),
    ],
)  # fmt: skip
def test_a_header_is_required_where_the_index_needs_a_description(path, required):
    """core-R44"""
    assert requires_front_matter(path) is required
    assert (violation("text\n", path) is not None) is required


def test_reading_our_own_grammar_never_loads_yaml(monkeypatch):
    monkeypatch.setitem(sys.modules, "vademecum.memfs.pages.wide_yaml", None)
    assert parse(headed('description: "a: b"', "x: 'y'", "n: [1, 2]")).meta["n"] == [1, 2]


def test_what_cannot_be_written_in_one_line_is_refused():
    for meta in ({"a b": "x"}, {"a": object()}, {"a": float("nan")}, {"a": None}):
        with pytest.raises(FrontMatterInvalid):
            render(Document(meta=meta, body=""))


def test_the_header_is_returned_with_its_fences():
    assert header_of(headed("a: b", body="x")) == "---\na: b\n---\n"
    assert header_of("x") is None


LINES = st.lists(
    st.one_of(
        st.sampled_from(["---", "a: b", "description: x", "a: [1.5, {}]", "- x", "", "k: 'it''s'", "k: >", "  x", "#"]),
        st.text(max_size=12),
    ),
    max_size=6,
)


@given(LINES)
@settings(max_examples=300)
def test_writing_what_was_read_is_a_fixed_point(lines):
    text = "\n".join(["---", *lines])
    try:
        once = render(parse(text))
    except FrontMatterInvalid:
        return
    assert render(parse(once)) == once
    assert parse(once).meta == parse(text).meta
    assert parse(once).body == parse(text).body


@given(
    st.dictionaries(st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True), st.text(max_size=20), max_size=4), st.text()
)
@settings(max_examples=200)
def test_every_document_of_texts_comes_back(meta, body):
    back = parse(render(Document(meta=meta, body=body)))
    assert (back.meta, back.body) == (meta, body)


@given(st.text(max_size=60))
@settings(max_examples=150)
def test_a_text_without_violation_can_be_read(text):
    for candidate in (text, "---\n" + text, f"---\ndescription: {text}\n---\n"):
        if violation(candidate, SYSTEM) is None:
            assert parse(candidate).meta["description"].strip()


@pytest.mark.parametrize(
    "value", ['"\\uD800 x"', '["\\udc00"]', '{"a\\ud800": 1}', '"\\uD800 x" # so', '\n  - "\\uD800"']
)
def test_what_is_read_can_always_be_encoded(value):
    """Half a surrogate pair as an escape stands in a file that is correct UTF-8."""
    try:
        meta = parse(headed(f"description: {value}")).meta
    except FrontMatterInvalid:
        return
    assert repr(meta).isprintable()
    json.dumps(meta, ensure_ascii=False).encode()


def test_a_whole_pair_stays_what_it_is():
    text = headed('description: "\\ud83d\\ude00"')
    assert parse(text).meta["description"] == "\U0001f600"
    assert violation(text, SYSTEM) is None


def test_half_a_pair_is_not_written():
    with pytest.raises(FrontMatterInvalid):
        render(Document(meta={"description": "bad \udcff"}, body=""))


@pytest.mark.parametrize("value", ["!!timestamp x", "!!bool x", '!!int ""', "!!float [a]", "!x y"])
def test_yaml_tags_are_a_header_that_cannot_be_read(value):
    with pytest.raises(FrontMatterInvalid, match="YAML tags"):
        parse(headed(f"description: {value}"))


def test_the_time_that_a_header_takes_grows_with_its_length_only():
    """A model may send any text, and all who write wait for it."""
    text = headed("description: d" + " " * 200_000 + "x")
    began = time.process_time()
    assert "more than 1024 characters" in violation(text, "reference/a.md")
    assert time.process_time() - began < 1


@pytest.mark.parametrize("depth", [60, 480, 990, 2_000, 60_000])
@pytest.mark.parametrize("line", ["k: {lists}", "k: {maps}", "k:\n  - {lists}"])
def test_a_value_of_any_depth_is_told_as_a_wrong_header(depth, line):
    lists, maps = "[" * depth + "1" + "]" * depth, '{"a":' * depth + "1" + "}" * depth
    text = f"---\ndescription: x\n{line.format(lists=lists, maps=maps)}\n---\n"
    assert violation(text, "reference/a.md")
    with pytest.raises(FrontMatterInvalid):
        parse(text)
