"""A state database that is damaged or lost costs nothing that was learned, and nothing that a person decided."""

import json
import shutil
import sqlite3

import pytest

from support.product import Product, ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "always answer with the word xylophonist here"
UNWANTED = "never use tabs in any makefile of ours"
FORGOTTEN = "always call the customer Bartholomew"
SECRETIVE = "always deploy from the branch quokka"


def ids(product):
    return {row["id"]: row for row in product.call("sessions", "--json").json["sessions"]}


@pytest.fixture
def decided(product):
    """A memory in which a person deleted a statement, forgot a session and switched another one off."""
    product.tell(ruled(RULE, UNWANTED, label="kept"))
    product.learn()
    kept = set(ids(product))
    product.tell(ruled(FORGOTTEN, label="forgotten"))
    product.learn()
    (forgotten,) = set(ids(product)) - kept
    product.tell(ruled(SECRETIVE, label="off"))
    product.learn()
    (off,) = set(ids(product)) - kept - {forgotten}
    for path in ("MEMORY.md", "memory_summary.md"):
        lines = product.read(path).split("\n")
        (product.memory / path).write_text("\n".join(line for line in lines if UNWANTED not in line))
    product.call("adopt")
    product.learn()
    product.call("forget", forgotten, "--yes")
    product.call("mode", off, "disabled")
    product.learn()
    return product


def said(product):
    context = product.context()
    return [words for words in (RULE, UNWANTED, FORGOTTEN, SECRETIVE) if words in context]


def break_state(product, how):
    path = product.identity / "state.db"
    if how == "deleted":
        product.lose("state.db")
    elif how == "emptied":
        path.write_bytes(b"")
    elif how == "garbage":
        path.write_bytes(b"not a database" * 500)
    elif how == "half":
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
    elif how == "leftovers":
        product.lose("state.db")
        path.with_name("state.db-wal").write_bytes(b"\x37\x7f\x06\x82" + b"\xff" * 5000)
        path.with_name("state.db-shm").write_bytes(b"\0" * 32768)


@pytest.mark.parametrize("how", ["deleted", "emptied", "garbage", "half", "leftovers"])
def test_nothing_is_forgotten_and_nothing_that_a_person_removed_comes_back(decided, how):
    """codex-W55: there is a way back from a broken database, and it keeps every decision."""
    assert said(decided) == [RULE]
    before = decided.read("MEMORY.md")
    break_state(decided, how)
    decided.learn()
    assert said(decided) == [RULE]
    assert decided.read("MEMORY.md") == before
    assert decided.learn().json["consolidation"]["status"] == "no_new_input"
    states = sorted((row["state"], row["reason"]) for row in ids(decided).values())
    assert ("active", "") in states
    decided.call("doctor")


@pytest.mark.parametrize("how", ["garbage", "half"])
def test_what_happened_is_said_and_the_old_file_is_kept(decided, how):
    break_state(decided, how)
    damaged = (decided.identity / "state.db").read_bytes()
    told = decided.call("learn", "--from", str(decided.sessions), "--all", "--now").out
    assert "state.db was damaged" in told
    (aside,) = decided.identity.glob("broken/*/state.db")
    assert aside.read_bytes() == damaged
    assert aside.stat().st_mode & 0o777 == 0o600
    assert str(aside.parent) in decided.call("status").out
    assert str(aside.parent) in decided.call("doctor").out


def test_doctor_names_the_damage_and_changes_nothing(decided):
    break_state(decided, "garbage")
    answer = decided.call("doctor", code=1).out
    assert "vade learn" in answer
    assert (decided.identity / "state.db").read_bytes().startswith(b"not a database")
    assert not list(decided.identity.glob("broken/*/state.db"))


@pytest.mark.parametrize("words", [("status",), ("context",), ("search", "xylophonist"), ("sessions",), ("runs",)])
def test_a_command_that_reads_answers_over_garbage(decided, words):
    break_state(decided, "garbage")
    decided.call(*words)


def test_what_can_still_be_read_is_kept(decided):
    path = decided.identity / "state.db"
    with sqlite3.connect(path) as state:
        state.execute("INSERT INTO usage VALUES ('path', 'MEMORY.md', 's', 'm', 0, 0, 1)")
        state.execute("DROP TABLE last_pass")
    state.close()
    decided.fail("status")
    told = " ".join(decided.call("status", "--json").json["rebuilt"])
    assert "1 usage" in told
    with sqlite3.connect(path) as state:
        assert state.execute("SELECT cited FROM usage").fetchall() == [("MEMORY.md",)]
    state.close()
    assert said(decided) == [RULE]


def test_a_row_that_is_no_record_any_more_stops_nothing(decided):
    """Bits that flip inside of a row leave a file that SQLite reads, and a row that we do not."""
    path = decided.identity / "state.db"
    with sqlite3.connect(path) as state:
        state.execute("PRAGMA ignore_check_constraints = ON")
        state.execute("UPDATE jobs SET failures = 'xxx'")
        state.execute("UPDATE runs SET detail = '{'")
    state.close()
    assert "database" in decided.call("doctor", code=1).out
    decided.fail("runs")
    assert "state.db was damaged" in " ".join(decided.call("status", "--json").json["rebuilt"])
    decided.learn()
    assert said(decided) == [RULE]
    assert decided.call("doctor").out.splitlines()[-1].startswith("nothing is broken; ")


def test_a_clone_on_a_new_machine_is_complete(decided, tmp_path):
    """Only `memory/` travels: what a person removed stays away there too, and keys stay what they are."""
    other = Product(tmp_path / "other")
    other.folder.mkdir()
    other.sessions = decided.sessions
    other.identity.mkdir(parents=True, mode=0o700)
    shutil.copytree(decided.memory, other.memory)
    shutil.rmtree(other.memory / ".git" / "refs" / "vademecum", ignore_errors=True)
    handbook = decided.read("MEMORY.md")
    for _ in range(2):
        other.learn()
        assert said(other) == [RULE]
    assert other.read("MEMORY.md") == handbook
    assert len(ids(other)) == 1


def test_the_damaged_file_does_not_outlive_a_scrub(decided):
    break_state(decided, "half")
    decided.learn()
    assert list(decided.identity.glob("broken/*/state.db"))
    (kept,) = (name for name, row in ids(decided).items() if row["state"] == "active")
    decided.call("forget", kept, "--scrub", "--yes")
    assert not list(decided.identity.glob("broken/*/state.db"))
    assert b"xylophonist" not in decided.stored()


def test_the_report_is_plain_json(decided):
    break_state(decided, "garbage")
    decided.call("status")
    (report,) = decided.identity.glob("broken/*/report.json")
    assert json.loads(report.read_text())["reason"] == "file is not a database"
