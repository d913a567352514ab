"""What a host gets from the hook process over the life of a session, beside what the engine says."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from support.compose import Assistant, Human, Script, Tool
from support.hooks import context_in, hook_command, pass_is_recent, pins_of, run_hook
from support.mcp_wire import Wire, call
from support.product import Product, ruled
from support.work_trees import link_work_tree, repository
from vademecum.engine import Memory
from vademecum.home import Home, project_root

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

MARK = "always use pnpm in the shop"
SHOPS, TILLS = "from now on always use tabs here", "from now on never use tabs here"
CALLS = (
    ("memory_search", {"query": "tabs"}),
    ("session_search", {"query": "tabs"}),
    ("memory_add_note", {"note": "herons"}),
    ("memory", {"command": "create", "reason": "r", "file_path": "log/a", "description": "A", "file_text": "x"}),
)


@pytest.fixture
def told(product: Product) -> Product:
    """A home in which something was noted, and whose learner has just been at work."""
    product.call("note", MARK)
    pass_is_recent(product.home)
    return product


def everything_below(folder):
    """Every name, with the time and the content of files."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes()) if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def began(session, cwd, source="startup", **more):
    return {"session_id": session, "cwd": str(cwd), "source": source, "transcript_path": None, **more}


def started(product, session, cwd="/srv/shop", source="startup", **options):
    return context_in(run_hook(product.home, "session-start", began(session, cwd, source), **options))


def prompted(product, session, cwd="/srv/shop", **options):
    return context_in(run_hook(product.home, "prompt", began(session, cwd, prompt="hello"), **options))


def engine_says(product, session, cwd="/srv/shop", event="start", host="codex"):
    return Memory.open(home=product.home, cwd=cwd).inject(host=host, session=session, cwd=cwd, event=event)


class TestTheBlock:
    def test_the_engine_gives_the_same_bytes(self, told):
        """There is one ordering: whoever asks gets what `vade context` prints."""
        block = started(told, "s1")
        assert MARK in block
        assert block == engine_says(told, "other").text == told.context().removesuffix("\n")

    @pytest.mark.parametrize("budget", ["500", "32000"])
    def test_the_size_that_the_settings_name_holds_for_both(self, told, budget):
        for number in range(30):
            told.call("memory", "create", f"reference/page-{number}", "--description", "tea " * 20, "--text", "green")
        told.call("config", "set", "context.budget_tokens", budget)
        block = started(told, "s1", host="codex")
        assert block == engine_says(told, "other").text
        assert ("loaded in part" in block) == (budget == "500")

    def test_a_host_that_takes_less_gets_what_it_takes_whole(self, told):
        """Claude Code 2.1 puts a text of more than 10,000 characters away, and shows the model its beginning only."""
        told.call("config", "set", "context.budget_tokens", "32000")
        words = "\n".join(f"- rule number {number} of the shop: keep the tea green" for number in range(600))
        told.call("memory", "insert", "system/human", "--line", "99", "--text", words)
        block = started(told, "s1", host="claude-code")
        assert len(block) <= 10_000
        assert "loaded in part" in block
        assert len(started(told, "s1", host="codex")) > 10_000

    def test_the_block_says_whether_it_is_whole(self, told):
        """user-U47: a session cannot tell by itself whether it has all of it."""
        assert ", loaded whole\n" in started(told, "s1")

    def test_the_block_leads_to_the_tools_where_they_are_not_listed(self, told):
        """Some hosts list the tools of a server only after they were asked for."""
        block = started(told, "s1")
        assert "memory_search" in block
        assert "load them first" in block

    @pytest.mark.parametrize(
        ("host", "name"),
        [("claude-code", "UserPromptSubmit"), ("codex", "UserPromptSubmit"), ("gemini", "BeforeAgent")],
    )
    def test_each_host_reads_the_answer_under_its_own_name_of_the_event(self, told, host, name):
        answer = json.loads(run_hook(told.home, "prompt", began("s1", "/srv/shop"), host=host).stdout)
        assert answer["hookSpecificOutput"]["hookEventName"] == name

    def test_a_note_stands_in_the_next_session_at_once(self, told):
        """user-U45: what a person asks to remember does not wait for a pass of learning."""
        told.call("note", "call her Ada")
        assert "call her Ada" in started(told, "s2")

    def test_more_notes_than_fit_keep_the_newest_and_say_how_many_are_missing(self, told):
        """user-U46: an overflow drops the oldest, and is said."""
        for number in range(40):
            told.call("note", f"rule {number:02} " + "word " * 60)
        block = started(told, "s1")
        assert "- rule 39 " in block
        assert "- rule 00 " not in block
        assert "loaded in part: " in block

    @pytest.mark.parametrize("packs", [False, True])
    def test_what_plain_git_took_back_is_not_given_and_the_first_prompt_after_a_pass_gives_the_rest(self, told, packs):
        """What a person took out must not stand in the next session, whichever way they did it."""
        told.call("note", "a secret of mine")
        if packs:
            told.git("pack-refs", "--all")
        assert "a secret of mine" in started(told, "s1")
        told.git("reset", "-q", "--hard", "HEAD~1")
        assert started(told, "s2") == ""
        told.context()
        assert MARK in prompted(told, "s2")

    def test_a_person_who_switched_memories_off_gets_nothing(self, told):
        told.call("config", "set", "memories.use_memories", "false")
        assert run_hook(told.home, "session-start", began("s1", "/srv/shop")).stdout == b""
        assert engine_says(told, "s1").text == ""
        assert pins_of(told.home) == []

    def test_who_switches_it_off_by_an_editor_gets_nothing_either(self, told):
        told.home.joinpath("config.toml").write_text("[memories]\nuse_memories = false\n")
        assert run_hook(told.home, "session-start", began("s1", "/srv/shop")).stdout == b""

    def test_a_variable_of_the_settings_holds_for_the_process_that_has_it(self, told):
        off = {"VADEMECUM_MEMORIES_USE_MEMORIES": "off"}
        assert run_hook(told.home, "session-start", began("s1", "/srv/shop"), env=off).stdout == b""
        assert MARK in started(told, "s2")

    def test_where_nothing_was_written_yet_nothing_is_said_and_no_memory_is_made(self, product):
        pass_is_recent(product.home)
        product.call("config", "set", "context.budget_tokens", "4000")
        assert run_hook(product.home, "session-start", began("s1", "/srv/shop")).stdout == b""
        assert not (product.home / "identities").exists()

    def test_the_console_command_and_vade_hook_answer_as_the_process_does(self, told):
        expected = run_hook(told.home, "session-start", began("s1", "/srv/shop")).stdout
        given = json.dumps(began("s1", "/srv/shop")).encode()
        environ = {**os.environ, "VADEMECUM_HOME": str(told.home)}
        console = [sys.executable, "-c", "from vademecum.hook import run; run()", "claude-code", "session-start"]
        for command in (console, [sys.executable, "-m", "vademecum", "hook", "claude-code", "session-start"]):
            done = subprocess.run(command, input=given, capture_output=True, env=environ, check=True, timeout=30)
            assert done.stdout == expected

    def test_a_home_that_the_command_names_is_taken_whatever_the_environment_says(self, told, tmp_path):
        command = hook_command("codex", "session-start", "--home", str(told.home))
        environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "nowhere")}
        given = json.dumps(began("s1", "/srv/shop")).encode()
        done = subprocess.run(command, input=given, capture_output=True, env=environ, check=True, timeout=30)
        assert MARK in context_in(done)

    @pytest.mark.parametrize(
        ("environ", "place"),
        [
            ({"HOME": "h"}, "h/.local/share/vademecum"),
            ({"HOME": "h", "XDG_DATA_HOME": "x"}, "x/vademecum"),
            ({"HOME": "h", "XDG_DATA_HOME": "x", "VADEMECUM_HOME": "v"}, "v"),
        ],
    )
    def test_the_home_is_the_one_that_every_command_finds(self, told, tmp_path, monkeypatch, environ, place):
        there = {name: str(tmp_path / folder) for name, folder in environ.items()}
        for name in ("HOME", "XDG_DATA_HOME", "VADEMECUM_HOME"):
            monkeypatch.delenv(name, raising=False)
        for name, folder in there.items():
            monkeypatch.setenv(name, folder)
        assert Home.find(os.environ).root == tmp_path / place
        shutil.copytree(told.home, tmp_path / place)
        given = json.dumps(began("s1", "/srv/shop")).encode()
        command = hook_command("codex", "session-start")
        done = subprocess.run(command, input=given, capture_output=True, env=there, check=True, timeout=30)
        assert MARK in context_in(done)


class TestASession:
    def test_twenty_turns_have_one_text_while_notes_come_and_the_next_session_another(self, told):
        """user-U33, user-U34, user-U35: nothing in a running session's text moves; there is no clock in it."""
        first = started(told, "s1")
        texts = set()
        for turn in range(20):
            if turn % 5 == 0:
                told.call("note", f"note of turn {turn}")
            said = prompted(told, "s1")
            assert said == "" or (len(said) < 200 and "\n" not in said)
            texts.add(
                hashlib.sha256(engine_says(told, "s1", event="turn", host="claude-code").text.encode()).hexdigest()
            )
        assert texts == {hashlib.sha256(first.encode()).hexdigest()}
        assert "note of turn 15" in started(told, "s2")

    def test_a_person_can_see_what_a_session_was_given(self, told):
        first = started(told, "s1")
        told.call("note", "call her Ada")
        words = ("context", "--cwd", "/srv/shop", "--host", "claude-code", "--session")
        assert told.call(*words, "s1").out == f"{first}\n"
        assert "Ada" in told.call(*words, "s2").out
        shape = told.call(*words, "s1", "--json").json
        assert (shape["text"], shape["bytes"]) == (first, len(first.encode()))

    def test_a_change_is_told_once(self, told):
        started(told, "s1")
        assert prompted(told, "s1") == ""
        told.call("note", "call her Ada")
        assert "memory_search" in prompted(told, "s1")
        assert prompted(told, "s1") == ""

    def test_a_host_that_loses_what_is_said_at_a_start_is_told_with_the_first_prompt(self, told):
        """user-U44, user-U34: the block is in the history then, and what changes is told once, at a prompt too."""
        assert started(told, "s1", host="gemini") == ""
        assert MARK in prompted(told, "s1", host="gemini")
        assert prompted(told, "s1", host="gemini") == ""
        told.call("note", "call her Ada")
        assert started(told, "s1", host="gemini", source="resume") == ""
        assert "memory_search" in prompted(told, "s1", host="gemini")
        assert prompted(told, "s1", host="gemini") == ""
        assert started(told, "s2", host="gemini", source="clear") == ""
        assert "Ada" in prompted(told, "s2", host="gemini")

    def test_a_resumed_session_is_not_given_again_what_it_has(self, told):
        started(told, "s1")
        assert started(told, "s1", source="resume") == ""
        told.call("note", "call her Ada")
        assert "memory changed" in started(told, "s1", source="resume")

    def test_a_resumed_session_that_never_had_a_block_gets_it(self, told):
        assert MARK in started(told, "old", source="resume")

    @pytest.mark.parametrize("source", ["compact", "clear"])
    def test_what_was_taken_out_of_its_history_is_given_again_newest(self, told, source):
        started(told, "s1")
        told.call("note", "call her Ada")
        assert "call her Ada" in started(told, "s1", source=source)
        assert prompted(told, "s1") == ""

    def test_a_host_that_begins_nothing_anew_after_a_compaction_is_given_it_at_the_next_prompt(self, told):
        started(told, "s1")
        told.call("note", "call her Ada")
        for event in ("pre-compact", "post-compact"):
            assert run_hook(told.home, event, began("s1", "/srv/shop", trigger="auto")).stdout == b""
        assert "call her Ada" in prompted(told, "s1")
        assert prompted(told, "s1") == ""

    def test_a_host_that_does_is_given_it_once(self, told):
        """In the order in which Claude Code tells of it: the beginning comes before the end of the compaction."""
        started(told, "s1")
        run_hook(told.home, "pre-compact", began("s1", "/srv/shop", trigger="auto"))
        assert MARK in started(told, "s1", source="compact")
        run_hook(told.home, "post-compact", began("s1", "/srv/shop", trigger="auto"))
        assert prompted(told, "s1") == ""

    def test_a_compaction_brings_no_other_sessions_bytes(self, told):
        """user-U26, user-U36: what host and sessions say never gets into the block of another one."""
        run_hook(told.home, "prompt", {**began("s1", "/srv/shop"), "prompt": "MARKER-OF-ONE"})
        run_hook(told.home, "post-compact", {**began("s1", "/srv/shop"), "compact_summary": "MARKER-OF-ONE"})
        started(told, "s2")
        assert "MARKER" not in started(told, "s2", source="compact")

    def test_a_session_whose_beginning_was_missed_gets_the_block_at_its_first_prompt(self, told):
        assert MARK in prompted(told, "s1")
        assert prompted(told, "s1") == ""

    def test_other_events_are_answered_with_nothing(self, told):
        """user-U37: no event asks a host for anything, least of all for a compaction."""
        for event in ("stop", "session-end", "pre-compact", "post-compact"):
            assert run_hook(told.home, event, began("s1", "/srv/shop")).stdout == b""


class TestCodexAtWorkOnItsOwnMemories:
    """user-U31: It runs our hooks as in a session of the person."""

    @pytest.mark.parametrize("at_home", [True, False])
    @pytest.mark.parametrize("folder", ["memories", "memories_v2"])
    def test_is_given_nothing_and_leaves_nothing(self, told, closed_home, tmp_path, at_home, folder):
        codex = closed_home / ".codex" if at_home else tmp_path / "elsewhere"
        env = {} if at_home else {"CODEX_HOME": str(codex)}
        assert started(told, "s1", codex / folder, host="codex", env=env) == ""
        assert prompted(told, "s1", codex / folder, host="codex", env=env) == ""
        assert pins_of(told.home) == []
        assert not (told.home / "runtime/spool").exists()

    def test_is_told_from_a_session_of_the_person(self, told, closed_home, tmp_path):
        """They may work in that folder, or have a session that is not kept."""
        memories = closed_home / ".codex/memories"
        kept = began("s1", memories) | {"transcript_path": str(tmp_path / "rollout.jsonl")}
        assert MARK in context_in(run_hook(told.home, "session-start", kept, host="codex"))
        for place in (closed_home / ".codex", tmp_path / "memories", tmp_path / ".codex/memories"):
            assert MARK in started(told, str(place), place, host="codex")
        assert MARK in started(told, "s3", memories, host="claude-code")


class TestPlaces:
    @pytest.fixture
    def shop(self, tmp_path):
        return repository(tmp_path / "src/shop")

    @pytest.fixture
    def till(self, tmp_path):
        return repository(tmp_path / "src/till")

    @pytest.fixture
    def walled(self, product):
        product.call("config", "set", "identity.scope", "repository")
        pass_is_recent(product.home)
        return product

    def note_in(self, product, folder, text, monkeypatch):
        monkeypatch.chdir(folder)
        product.call("note", text)

    def test_with_one_memory_per_repository_a_hook_keeps_them_apart(self, walled, shop, till, tmp_path, monkeypatch):
        """user-U17, user-U25: the repository of the session decides, also in a linked work tree never seen before."""
        self.note_in(walled, shop, "use pnpm", monkeypatch)
        self.note_in(walled, till, "use cargo", monkeypatch)
        fix = link_work_tree(tmp_path / "fix", shop)
        blocks = [started(walled, f"s-{at}", folder) for at, folder in enumerate((shop, fix, shop / "deep/er", till))]
        assert ["use pnpm" in block for block in blocks] == [True, True, True, False]
        assert ["use cargo" in block for block in blocks] == [False, False, False, True]
        assert started(walled, "s-9", tmp_path) == ""

    def test_a_deleted_work_tree_keeps_its_memory_and_holds_none_of_it(self, walled, shop, tmp_path, monkeypatch):
        """user-U18, user-U20, user-U24: nothing of memory lies in the folders that people work in."""
        fix = link_work_tree(tmp_path / "fix", shop)
        self.note_in(walled, fix, "use pnpm", monkeypatch)
        started(walled, "s1", fix)
        assert {path.name for path in fix.iterdir()} == {".git"}
        monkeypatch.chdir(tmp_path)
        shutil.rmtree(fix)
        assert "use pnpm" in started(walled, "s2", fix)
        assert "use pnpm" in started(walled, "s3", shop)

    def test_one_memory_per_work_tree_is_a_choice(self, product, shop, tmp_path, monkeypatch):
        """user-U19: people want either; the setting decides, for hooks as for commands."""
        product.call("config", "set", "identity.scope", "worktree")
        pass_is_recent(product.home)
        fix = link_work_tree(tmp_path / "fix", shop)
        self.note_in(product, fix, "use pnpm", monkeypatch)
        assert started(product, "s1", shop) == ""
        assert "use pnpm" in started(product, "s2", fix)

    def test_a_rule_of_one_project_does_not_stand_in_another_ones_block(self, told, shop, till):
        """user-U25: also where one memory is for all; the block is the one that the command prints for the folder."""
        told.tell(ruled(SHOPS, label="shop", cwd=str(shop)), ruled(TILLS, label="till", cwd=str(till)))
        told.learn()
        blocks = [started(told, f"s-{at}", folder) for at, folder in enumerate((shop, till, shop / "deep/er"))]
        assert [SHOPS in block for block in blocks] == [True, False, True]
        assert [TILLS in block for block in blocks] == [False, True, False]
        for folder, block in zip((shop, till), blocks, strict=False):
            assert block == engine_says(told, "x" + folder.name, str(folder)).text
            assert project_root(str(folder)) == str(folder)

    @pytest.mark.parametrize("spelling", ["{}/", "{}/.", "{}/../shop", "{}//deep"])
    def test_a_folder_is_the_same_in_every_spelling(self, walled, shop, spelling, monkeypatch):
        """user-U22: what was written in it is found, by hooks as by commands."""
        self.note_in(walled, shop, "use pnpm", monkeypatch)
        monkeypatch.chdir("/")
        spelled = spelling.format(shop)
        assert "use pnpm" in started(walled, "s1", spelled)
        assert "use pnpm" in walled.context(spelled)

    @pytest.mark.parametrize("cwd", ["/", "~"])
    def test_the_root_of_the_disk_and_a_home_have_a_memory_as_any_folder(self, walled, shop, cwd, closed_home):
        """user-U23: it is learned into one that can be named, and given there, and nowhere else."""
        cwd = cwd.replace("~", str(closed_home))
        walled.tell(ruled(SHOPS, cwd=cwd))
        assert walled.learn().json["extracted"] == 1
        assert SHOPS in started(walled, "s1", cwd)
        assert SHOPS in walled.context(cwd)
        assert SHOPS not in started(walled, "s2", shop)

    def test_no_walk_writes_anything_into_the_folders_that_people_work_in(self, told, shop, till, monkeypatch):
        """user-U24, user-U20: neither hooks, nor tools, nor learning from a session that touched both of them."""
        (shop / "main.py").write_text("x = 1\n")
        look = Tool(tool="read", input={"path": str(till / "main.rs")}, output="fn main() {}")
        turns = (Human(text=SHOPS), look, Assistant(text="Will do."))
        told.tell(Script(label="both", cwd=str(shop), turns=turns))
        before = [everything_below(folder) for folder in (shop, till)]
        monkeypatch.chdir(shop)
        told.learn()
        for event in ("session-start", "prompt", "pre-compact", "post-compact", "stop", "session-end"):
            run_hook(told.home, event, began("s1", shop), cwd=shop)
        with Wire(told.home, cwd=shop) as wire:
            wire.greet()
            for number, (tool, arguments) in enumerate(CALLS):
                wire.ask(call(number, tool, arguments))
        assert SHOPS in told.context(str(shop))
        assert [everything_below(folder) for folder in (shop, till)] == before

    @pytest.mark.parametrize("cwd", ["/", "/nowhere", "", None, 3, "relative/path", "/\0", "/" + "x" * 5000])
    def test_any_folder_will_do(self, told, cwd):
        """user-U22, user-U23: a root, a folder that is gone, none at all."""
        done = run_hook(told.home, "session-start", {"session_id": "s1", "cwd": cwd, "source": "startup"})
        assert MARK in context_in(done)

    def test_a_present_folder_that_was_deleted_will_do(self, told, tmp_path):
        gone = tmp_path / "gone"
        gone.mkdir()
        script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
        command = ["/bin/sh", "-c", script, "sh", str(gone), *hook_command("codex", "session-start")]
        environ = {**os.environ, "VADEMECUM_HOME": str(told.home)}
        given = json.dumps({"session_id": "s1"}).encode()
        done = subprocess.run(command, input=given, capture_output=True, env=environ, check=True, timeout=30)
        assert MARK in context_in(done)

    def test_sessions_that_take_turns_get_each_their_own(self, walled, shop, till, monkeypatch):
        """user-U15: nothing of a session is kept but under its own id."""
        self.note_in(walled, shop, "use pnpm", monkeypatch)
        self.note_in(walled, till, "use cargo", monkeypatch)
        first, second = started(walled, "s1", shop), started(walled, "s2", till)
        for session, folder, text in (("s1", shop, first), ("s2", till, second)) * 2:
            said = Memory.open(home=walled.home, cwd=str(folder)).inject(
                host="claude-code", session=session, cwd=str(folder), event="turn"
            )
            assert said.text == text
            assert prompted(walled, session, folder) == ""


def test_recorded_events_of_real_hosts_are_understood(told):
    """The shapes that Claude Code 2.1 and Codex 0.171 send, with all that we do not ask for."""
    extra = {"hook_event_name": "SessionStart", "permission_mode": "bypassPermissions", "effort": {"level": "medium"}}
    claude = began("49eb9713", "/home/user/project", **extra) | {
        "transcript_path": "/home/user/.claude/projects/p/4.jsonl"
    }
    codex = began("01a22c0d", "/home/user/project", turn_id="1", model="gpt-5.5", **extra)
    for host, payload in (("claude-code", claude), ("codex", codex)):
        assert MARK in context_in(run_hook(told.home, "session-start", payload, host=host))
    (line,) = (told.home / "runtime/spool/claude-code.jsonl").read_text().splitlines()
    assert json.loads(line) | {"at": 0} == {
        "at": 0,
        "host": "claude-code",
        "event": "session-start",
        "session": "49eb9713",
        "cwd": "/home/user/project",
        "transcript": "/home/user/.claude/projects/p/4.jsonl",
    }


def test_the_spool_holds_no_word_that_was_said(told):
    payload = began("s1", "/srv/shop", prompt="SAID", last_assistant_message="SAID", compact_summary="SAID")
    for event in ("session-start", "prompt", "stop", "post-compact", "session-end"):
        run_hook(told.home, event, payload)
    files = [path for path in told.home.rglob("*") if path.is_file()]
    assert [path for path in files if b"SAID" in path.read_bytes()] == []
