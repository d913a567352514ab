"""Rules that hold for every text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from support.secret_corpus import look_alikes, positives
from vademecum.secrets import mask, mask_lines, scan
from vademecum.secrets.finding import Finding, merge
from vademecum.secrets.literals import finder, walker

_FRAGMENTS = [
    *[one.text for one in positives()],
    *[part for one in positives() for part in one.parts],
    *look_alikes()[:150],
    *(
        "password",
        "token",
        "secret",
        "=",
        ": ",
        ":\n",
        '"',
        "'",
        '\\"',
        "{",
        "}",
        "[",
        "]",
        ",",
        ";",
        "&",
        " is ",
        "@",
        "://",
    ),
    *(
        "[secret:password]",
        "[secret:",
        "]",
        "\u200b",
        "\u00a0",
        "\x1b[0m",
        "-----BEGIN PRIVATE KEY-----",
        "eyJ",
        "sk-",
        " ",
        "\n",
    ),
]
_TEXTS = st.lists(st.sampled_from(_FRAGMENTS) | st.text(max_size=6), max_size=9).map("".join)


@given(_TEXTS)
@settings(max_examples=150, deadline=None)
def test_masking_is_a_fixed_point(text: str):
    """codex-A18"""
    once = mask(text)
    assert mask(once) == once
    assert scan(once) == []


@given(_TEXTS)
@settings(max_examples=100, deadline=None)
def test_findings_are_sorted_apart_and_inside_the_text(text: str):
    end = 0
    for finding in scan(text):
        assert end <= finding.start < finding.end <= len(text)
        end = finding.end


@given(_TEXTS)
@settings(max_examples=100, deadline=None)
def test_text_outside_the_findings_is_kept_in_order(text: str):
    kept = _outside(text, scan(text))
    after, place = mask(text), 0
    if len(scan(_once(text))) == 0:
        for piece in kept:
            place = after.index(piece, place) + len(piece)


@given(_TEXTS)
@settings(max_examples=50, deadline=None)
def test_both_walks_find_the_same_literals(text: str):
    literals = ["pass", "PASS", "ss", "token", "sk-", "\u200b", "[secret:", "密码"]
    clean = text.encode("utf-8", "replace").decode()
    assert sorted(finder(literals)(clean)) == sorted(walker(literals)(clean))


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=12))
def test_merged_findings_cover_what_went_in_and_nothing_else(spans: list[tuple[int, int]]):
    found = merge(Finding(kind="x", start=start, end=start + length) for start, length in spans)
    covered = {place for one in found for place in range(one.start, one.end)}
    assert covered == {place for start, length in spans for place in range(start, start + length)}


def _outside(text: str, findings: list[Finding]) -> list[str]:
    bounds = [0, *(bound for one in findings for bound in (one.start, one.end)), len(text)]
    return [text[first:last] for first, last in zip(bounds[::2], bounds[1::2], strict=True)]


def _once(text: str) -> str:
    pieces, findings = _outside(text, scan(text)), scan(text)
    marks = [f"{one.quote}[secret:{one.kind}]{one.quote}" for one in findings]
    return "".join(piece + mark for piece, mark in zip(pieces, [*marks, ""], strict=True))


@given(st.lists(st.sampled_from(_FRAGMENTS), max_size=8).map("\n".join))
@settings(max_examples=100)
def test_lines_are_masked_each_in_its_place(text):
    """Whoever shows lines by their numbers loses none, and shows nothing that masking the whole would hide."""
    lines = mask_lines(text)
    assert len(lines) == (len(text.removesuffix("\n").split("\n")) if text else 0)
    assert not any(scan(line) for line in lines)
    unchanged = [line for line, before in zip(lines, text.split("\n"), strict=False) if line == before and line.strip()]
    assert scan(text) or len(unchanged) == len([line for line in lines if line.strip()])
