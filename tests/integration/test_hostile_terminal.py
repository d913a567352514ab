"""Nothing that a session, a file or an argument holds moves the terminal or hides text, whatever prints it."""

import sqlite3
from contextlib import closing

import pytest

from support.commands import DATA, EDITS, filled, names
from support.product import ruled

ESCAPES = "\x1b[2J\x9b31m\u202e\u200b\x7f\U000e0041"
RULE = f"from now on always use pnpm{ESCAPES} here, never npm"
#: Words with which commands fail, each holding what must not reach the terminal.
FAILING = [
    ("read", f"reference/{ESCAPES}.md"),
    ("read", f"MEMORY.md:9{ESCAPES}"),
    ("ls", ESCAPES),
    ("log", f"{ESCAPES}.md"),
    ("memory", "create", f"reference/{ESCAPES}", "--description", "x"),
    ("memory", "delete", ESCAPES),
    ("memory", ESCAPES),
    ("patch", ESCAPES),
    ("show", ESCAPES),
    ("diff", ESCAPES),
    ("diff", "--", f"{ESCAPES}.md"),
    ("blame", f"{ESCAPES}.md"),
    ("why", f"{ESCAPES}.md"),
    ("why", f"{ESCAPES} nowhere"),
    ("cite", ESCAPES),
    ("undo", ESCAPES),
    ("undo", "HEAD", ESCAPES),
    ("context", "--rev", ESCAPES),
    ("context", "--host", ESCAPES),
    ("sessions", "show", ESCAPES),
    ("runs", "show", ESCAPES),
    ("search", f"{ESCAPES}:x", "--limit", ESCAPES),
    ("learn", "--from", f"/srv/{ESCAPES}"),
    ("learn", "--since", ESCAPES),
    ("learn", "--learner", ESCAPES),
    ("config", "get", ESCAPES),
    ("config", "set", "use_memories", ESCAPES),
    ("status", "--identity", ESCAPES),
    (ESCAPES,),
    ("status", f"--{ESCAPES}"),
]


def is_harmless(text: str) -> bool:
    return set(text).isdisjoint(ESCAPES.replace("[2J", "").replace("31m", ""))


@pytest.fixture
def hostile(product):
    """A memory in which all that can be is hostile: what was said, a note, a page, ids, directories, a run's error.

    Readers refuse hostile ids and directories today; what an older version stored, or another program, is shown too.
    """
    product.tell(ruled(RULE))
    product.learn()
    product.call("note", f"call her Ada{ESCAPES}")
    (product.memory / "reference").mkdir()
    page = f"---\ndescription: a page\n---\npnpm{ESCAPES} [[system/persona|{ESCAPES}]]\n"
    (product.memory / "reference" / "page.md").write_text(page, encoding="utf-8")
    product.call("adopt")
    product.edit("reference/page.md", "pnpm", "pnpm everywhere")
    with closing(sqlite3.connect(product.identity / "state.db")) as state, state:
        for table, columns in {
            "records": ("session_id", "cwd"),
            "sources": ("session_id",),
            "runs": ("id", "error"),
        }.items():
            for column in columns:
                state.execute(f"UPDATE {table} SET {column} = coalesce({column}, '') || ?", [ESCAPES])
    return product


SHOWING = [
    *DATA,
    ("read", "reference/page.md"),
    ("search", "pnpm", "--explain"),
    ("sessions", "-v"),
    ("learn", "--dry-run"),
    ("diff",),
    ("diff", "HEAD~1", "HEAD"),
    ("show", "HEAD~1"),
    ("blame", "reference/page.md"),
    ("why", "reference/page.md"),
    ("why", "memory_summary.md"),
]


@pytest.mark.parametrize("words", SHOWING, ids=names)
def test_no_command_prints_it(hostile, words):
    place = ("--from", str(hostile.sessions), "--all", "--now") if words[0] == "learn" else ()
    for form in ((), ("--json",)):
        told = hostile.call(*filled(hostile, words), *place, *form)
        assert is_harmless(told.out + told.err)


@pytest.mark.parametrize("words", EDITS, ids=names)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_edit_prints_it(hostile, words, form):
    told = hostile.call(*filled(hostile, words), *form)
    assert is_harmless(told.out + told.err)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_no_error_prints_it(hostile):
    for words in FAILING:
        for told in (hostile.fail(*words), hostile.fail(*words, "--json")):
            assert is_harmless(told.out + told.err), words
        assert told.error["code"] in {"usage", "config", "not_found", "unsafe_path", "unknown_identity"}, words


def test_json_holds_the_text_as_it_is(hostile):
    content = hostile.call("read", "reference/page.md", "--json").json["content"]
    assert f"pnpm{ESCAPES}" in content
    (row,) = hostile.call("sessions", "--json").json["sessions"]
    assert row["cwd"] == f"/srv/shop{ESCAPES}"
