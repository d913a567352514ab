"""Memory never changes unseen: every change stands in the log, and where the person wants it, waits for their word."""

import subprocess
import sys

import pytest

from support.hooks import context_in, pass_is_recent, run_hook
from support.mcp_wire import Wire, call
from support.product import ruled
from vademecum.artifacts import NOTES_FOLDER
from vademecum.engine import Memory
from vademecum.toolbox.edit_arguments import COMMANDS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

PATCH = "*** Begin Patch\n*** {} File: log/{}.md\n{}\n*** End Patch"
#: One edit of each command, and the tool that only patches.
EDITS = {
    "create": {"file_path": "reference/new", "description": "New", "file_text": "herons\n"},
    "str_replace": {"file_path": "log/day", "old_string": "one", "new_string": "herons"},
    "insert": {"file_path": "log/day", "insert_line": 9, "insert_text": "herons"},
    "update_description": {"file_path": "log/day", "description": "herons"},
    "rename": {"old_path": "log/day", "new_path": "log/night"},
    "delete": {"file_path": "log/day"},
    "apply_patch": {"input": PATCH.format("Add", "herons", "+herons")},
}
SESSION = {"vademecum": {"session": "s-17"}}


@pytest.fixture
def reviewed(product):
    """A memory with a page of the person's, where everything waits for them."""
    product.call("config", "set", "review.model_edits", "propose")
    product.call("config", "set", "review.learn", "propose")
    product.call("memory", "create", "log/day", "--description", "A day", "--text", "one\n", "--reason", "a page")
    return product


def pages(product):
    """What memory holds but notes, path by path."""
    tree = Memory.open(home=product.home, environ={}).tree()
    return {path: tree.read(path) for path in tree.paths() if not path.startswith(NOTES_FOLDER)}


def ask(product, tool, **arguments):
    with Wire(product.home, "--host", "claude-code") as wire:
        wire.greet()
        return wire.ask(call(1, tool, arguments, **SESSION))["result"]


def test_the_edits_here_are_all_that_there_are():
    assert EDITS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", EDITS)
def test_an_edit_over_mcp_changes_nothing_and_the_person_sees_it_until_they_decide(reviewed, command):
    """user-U48: who, why and what stand in the list; the log has it once it is accepted."""
    before, context = pages(reviewed), reviewed.context()
    answer = ask(reviewed, "memory", command=command, reason="the user likes herons", **EDITS[command])
    assert not answer["isError"]
    assert "review" in answer["content"][0]["text"]
    assert (pages(reviewed), reviewed.context()) == (before, context)
    (waiting,) = reviewed.call("proposals", "--json").json["proposals"]
    assert (waiting["kind"], waiting["session"]) == ("edit", "s-17")
    assert waiting["subject"] == "the user likes herons"
    assert "1 change waits for you" in reviewed.call("status").out
    shown = reviewed.call("proposals", "show", waiting["id"]).out
    assert all(path in shown for path in waiting["paths"])
    reviewed.call("proposals", "accept", waiting["id"])
    assert pages(reviewed) != before
    (newest, *_) = reviewed.call("log", "--json").json["commits"]
    assert newest["provenance"]["session"] == "s-17"


def test_the_tool_that_only_patches_waits_as_well(reviewed):
    """user-U48"""
    before = pages(reviewed)
    ask(reviewed, "memory_apply_patch", reason="herons", input=EDITS["apply_patch"]["input"])
    assert pages(reviewed) == before
    assert len(reviewed.call("proposals", "--json").json["proposals"]) == 1


def test_a_note_that_nobody_said_changes_no_page_and_is_listed_until_it_is_confirmed(reviewed):
    """user-U48: it stands apart from what the person said, and the log names the session."""
    before = pages(reviewed)
    ask(reviewed, "memory_add_note", note="The user likes herons")
    assert pages(reviewed) == before
    status = reviewed.call("status").out
    assert "1 note that an agent wrote by itself" in status
    (newest, *_) = reviewed.call("log", "--json").json["commits"]
    assert (newest["provenance"]["origin"], newest["provenance"]["session"]) == ("model", "s-17")
    assert "unconfirmed" in reviewed.context().split("herons")[0].rpartition("\n#")[2].lower()


@pytest.mark.parametrize("tool", ["memory_reset", "memory_mode"])
def test_what_takes_something_away_needs_the_persons_word(reviewed, tool):
    """user-U48: a client that cannot ask is refused."""
    before = reviewed.head()
    arguments = {"mode": "disabled", "session": "another"} if tool == "memory_mode" else {}
    assert ask(reviewed, tool, **arguments)["isError"]
    assert reviewed.head() == before


def test_what_hooks_have_learned_waits_and_reaches_no_session(reviewed, closed_home):
    """user-U48: from the event of a host to the pass that it starts, nothing of memory changes."""
    reviewed.sessions = closed_home / ".claude/projects/p"
    reviewed.tell(ruled("from now on always use pnpm here"))
    (transcript,) = reviewed.sessions.rglob("*.jsonl")
    before = pages(reviewed)
    pass_is_recent(reviewed.home)
    event = {"session_id": "s1", "cwd": "/srv/shop", "transcript_path": str(transcript)}
    run_hook(reviewed.home, "session-end", event)
    background = [sys.executable, "-I", "-m", "vademecum", "learn", "--background"]
    environ = {"HOME": str(closed_home), **reviewed.environ, "VADEMECUM_MEMORIES_MIN_ROLLOUT_IDLE_HOURS": "1"}
    subprocess.run(background, env=environ, check=True, timeout=50)
    (waiting,) = reviewed.call("proposals", "--json").json["proposals"]
    assert waiting["kind"] == "learn"
    assert pages(reviewed) == before
    begin = {"session_id": "s2", "cwd": "/srv/shop", "source": "startup"}
    assert "pnpm" not in context_in(run_hook(reviewed.home, "session-start", begin))
    reviewed.call("proposals", "accept", waiting["id"])
    later = {"session_id": "s3", "cwd": "/srv/shop", "source": "startup"}
    assert "pnpm" in context_in(run_hook(reviewed.home, "session-start", later))


def test_without_review_every_change_of_an_agent_stands_in_the_log(product):
    """user-U48: with the reason, the origin and the session of each."""
    product.call("init")
    ask(product, "memory", command="create", reason="a page", file_path="log/a", description="A", file_text="x\n")
    ask(product, "memory_add_note", note="The user likes herons")
    first, second, *_ = product.call("log", "--json").json["commits"]
    assert second["subject"] == "a page"
    for commit in (first, second):
        assert (commit["provenance"]["origin"], commit["provenance"]["session"]) == ("model", "s-17")
    assert "a page" in product.call("log").out
