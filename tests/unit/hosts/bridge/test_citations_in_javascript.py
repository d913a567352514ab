"""The plugins take citation blocks out by the same grammar as everything else of ours."""

import json
import random

import pytest

from vademecum.artifacts import parse_citations, strip_citations

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

TAGGED = "<memory-citation>\nMEMORY.md:3-9|note=[x]\n</memory-citation>"
FENCED = "```memory-citation\nMEMORY.md:3-9\n```"
TEXTS = [
    f"Done.\n\n{TAGGED}",
    f"Done.\n\n{FENCED}\n",
    "Done.\n<memory-citation>\n<citation_entries>\nMEMORY.md:3-4|note=[a]\n<sess",
    "Done.\n```memory-citation\nMEMORY.md:3-4|note=[a]\nsessions: s1\n\nOne more thing: run the tests.\n",
    f"one\n<memory-citation>\nMEMORY.md:1-2\n\nprose between\n{TAGGED}",
    f"one\n\n\n\n  two  \n\n{TAGGED}\n\n\nthree\n\n",
    "Done. <memory-citation>MEMORY.md:3-4|note=[a]</memory-citation>",
    f"The form is:\n````markdown\n{FENCED}\n````\nthat is all.",
    "Answers end with a `<memory-citation>` block, closed by `</memory-citation>`.",
    f"```sh\nmake\n\n{TAGGED}",
    f"Done.\n<memory-citation>\n{TAGGED}\n</memory-citation>",
    "a\r\nb\r\n\r\n```memory-citation\r\nMEMORY.md:1\r\n```\r\nc\r\n",
    "",
    "no block at all",
]
PIECES = [
    *("<memory-citation>", "</memory-citation>", "<Memory-Citation >", "```memory-citation", "```", "````", "~~~", "`"),
    *("\n", "\n\n", "\r\n", " ", "    ", "\u2028", "é", "prose here", "MEMORY.md:1-2", "|note=[a]", "sessions: s1"),
    *("<citation_entries>", "<sess", "0199a000-1111"),
]


def mixtures():
    chosen = random.Random(7)
    return ["".join(chosen.choices(PIECES, k=chosen.randint(1, 14))) for _ in range(5_000)]


def each(scripts, function, texts):
    body = f"""
    let given = "";
    for await (const chunk of process.stdin) given += chunk;
    return JSON.parse(given).map(citations.{function});
    """
    return scripts.run(body, standard_input=json.dumps(texts))


def stripped(scripts, texts):
    return each(scripts, "stripCitations", texts)


def test_known_texts_come_out_as_from_python(scripts):
    """codex-R85"""
    assert stripped(scripts, TEXTS) == [strip_citations(text) for text in TEXTS]


def test_any_mixture_comes_out_as_from_python(scripts):
    texts = mixtures()
    wrong = [
        (text, found)
        for text, found in zip(texts, stripped(scripts, texts), strict=True)
        if found != strip_citations(text)
    ]
    assert wrong == [], wrong[0]


def test_the_blocks_alone_cite_what_the_whole_text_cites(scripts):
    """No more of an answer than that is handed on to be counted."""
    texts = [*TEXTS, *mixtures()]
    wrong = [
        (text, blocks)
        for text, blocks in zip(texts, each(scripts, "citationBlocks", texts), strict=True)
        if parse_citations(blocks) != parse_citations(text)
    ]
    assert wrong == [], wrong[0]


@pytest.mark.parametrize(
    "unit", ["<memory-citation>", "<memory-citation> a word ", "```memory-citation\n", "`", "~~~x\n"]
)
def test_hostile_text_does_not_hold_up_the_host(scripts, unit):
    text = f"<memory-citation>\n{unit * (300_000 // len(unit))}memory-citation"
    body = f"""
    const text = "<memory-citation>\\n" + {unit!r}.repeat({300_000 // len(unit)}) + "memory-citation";
    const begun = performance.now();
    const found = citations.stripCitations(text);
    return [found.length, performance.now() - begun < 2000];
    """
    assert scripts.run(body) == [len(strip_citations(text)), True]
