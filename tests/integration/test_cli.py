"""The command line as contract: what every command prints, takes and answers."""

import json
import os
import subprocess
import sys

import click
import pytest

from support.commands import DATA, EDITS, filled, names
from support.product import ruled
from vademecum import Memory
from vademecum.cli.app import COMMANDS, cli

RULE = "from now on always use pnpm here, never npm"
VADE = [sys.executable, "-c", "from vademecum.cli import main; main()"]


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE))
    product.learn()
    return product


@pytest.mark.parametrize("words", [*DATA, *EDITS], ids=names)
def test_json_is_one_object_on_stdout_and_nothing_else(learned, words):
    answer = learned.call(*filled(learned, words), "--json")
    assert isinstance(answer.json, dict)
    assert answer.err == ""


@pytest.mark.parametrize("words", [*DATA, *EDITS], ids=names)
def test_without_json_there_is_something_for_a_person(learned, words):
    answer = learned.call(*filled(learned, words))
    assert answer.out.strip()
    assert not answer.out.startswith("{")


#: What hosts start, in their own words; a person calls it for a try.
OF_HOSTS = {"hook", "mcp"}
#: What concerns every identity.
OF_ALL = {"config", "install", "uninstall", *OF_HOSTS}


def commands():
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        # A group that does nothing by itself is no more than the name of its commands.
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", command.commands[below]) for below in command.commands)


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=[name for name, _ in commands()])
class TestHelp:
    def test_every_command_that_prints_data_takes_json(self, name, command):
        """All commands print data, those below another one included; each is tried above."""
        if name in OF_HOSTS:
            return
        assert "--json" in {option for param in command.params for option in param.opts}
        assert [words for words in [*DATA, *EDITS] if names(words).startswith(name)]

    def test_every_command_says_what_it_does(self, name, command):
        assert command.get_short_help_str(200).endswith((".", "..."))

    def test_every_option_says_what_it_does(self, name, command):
        options = [option for option in command.params if isinstance(option, click.Option)]
        assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("name", COMMANDS)
class TestEveryCommand:
    def test_its_help_has_an_example_that_begins_with_its_name(self, product, name):
        text = product.call(name, "--help").out
        assert "Example" in text
        assert any(f"vade {name}" in line for line in text.split("Example")[1].splitlines()) or f"vade {name}" in text

    def test_it_takes_an_identity_and_json(self, name):
        command = cli.get_command(click.Context(cli), name)
        below = isinstance(command, click.Group) and not command.invoke_without_command
        for called in command.commands.values() if below else [command]:
            options = {option for param in called.params for option in param.opts}
            assert "--json" in options or name in OF_HOSTS
            assert "--identity" in options or name in OF_ALL

    def test_its_help_makes_nothing(self, product, name):
        product.call(name, "--help")
        assert not product.home.exists()


class TestShowingASession:
    def test_it_is_told_apart_from_its_heading_for_programs(self, learned):
        (row,) = learned.call("sessions", "--json").json["sessions"]
        shown = learned.call("sessions", "show", row["id"], "--json").json
        assert list(shown) == ["id", "host", "cwd", "branch", "started_at", "updated_at", "text", "omitted"]
        assert {name: shown[name] for name in ("id", "host", "cwd")} == {
            name: row[name] for name in ("id", "host", "cwd")
        }
        assert RULE in shown["text"]
        assert shown["omitted"] == {}

    def test_what_does_not_fit_is_counted_by_role(self, product):
        product.tell(ruled(RULE, *[f"and step {number} is " + "long " * 60 for number in range(40)]))
        product.learn()
        (row,) = product.call("sessions", "--json").json["sessions"]
        shown = product.call("sessions", "show", row["id"], "--bytes", "2000", "--json").json
        assert shown["omitted"]["human"] > 10
        assert len(shown["text"].encode()) <= 2000


class TestTop:
    def test_without_a_command_it_shows_its_help(self, product):
        assert product.call().out == product.call("--help").out

    def test_it_tells_its_version(self, product):
        assert product.call("--version").out.startswith("vade ")


class TestFreshHome:
    @pytest.mark.parametrize("words", [("status",), ("sessions",), ("runs",), ("home",), ("config",)], ids=names)
    def test_asking_how_things_are_makes_nothing(self, product, words):
        product.call(*words)
        product.call(*words, "--json")
        assert not product.home.exists()

    @pytest.mark.parametrize("words", [("search", "x"), ("read", "MEMORY.md"), ("ls",), ("log",)], ids=names)
    def test_reading_what_was_never_written_is_an_error_with_a_next_step(self, product, words):
        answer = product.call(*words, "--json", code=1)
        assert answer.error["code"] == "no_repository"
        assert all(step in answer.error["next"] for step in ("vade learn", "vade note"))
        assert not product.home.exists()

    @pytest.mark.parametrize(
        "words",
        [("note", "x"), ("learn",), ("memory", "create", "reference/a.md", "--description", "d"), ("status",)],
        ids=names,
    )
    def test_a_mistyped_identity_makes_no_memory_and_the_near_one_is_named(self, product, words):
        product.call("init", "--identity", "work")
        error = product.call(*words, "--identity", "wrok", "--json", code=2).error
        assert error["code"] == "unknown_identity"
        assert "did you mean `work`" in error["message"]
        assert "vade init --identity wrok" in error["next"]
        assert product.call("home", "--json").json["identities"] == ["work"]

    def test_a_mistyped_identity_in_the_environment_makes_no_memory_either(self, product, monkeypatch):
        product.call("init", "--identity", "work")
        monkeypatch.setenv("VADEMECUM_IDENTITY", "wrok")
        assert product.call("note", "x", "--json", code=2).error["code"] == "unknown_identity"
        product.call("init")
        product.call("note", "x")
        assert product.call("home", "--json").json["identities"] == ["work", "wrok"]

    def test_an_identity_that_a_folder_was_given_to_is_made_by_the_first_write(self, product, tmp_path):
        product.call("home", "route", str(tmp_path), "work")
        product.call("note", "call her Ada", "--identity", "work")
        assert product.call("home", "--json").json["identities"] == ["work"]

    def test_an_identity_that_was_made_is_written_by_its_name(self, product):
        product.call("init", "--identity", "work")
        product.call("note", "call her Ada", "--identity", "work")
        assert "Ada" in product.call("context", "--identity", "work").out
        assert product.call("home", "--json").json["identities"] == ["work"]
        assert product.call("context").out == ""
        product.call("context", "--identity", "default", code=1)

    def test_init_is_harmless_where_there_is_a_memory(self, product):
        first = product.call("init", "--json").json
        again = product.call("init", "--json").json
        assert (first["created"], again["created"]) == (True, False)
        assert first["revision"] == again["revision"]


class TestNotes:
    def test_a_note_is_in_the_very_next_context(self, learned):
        learned.call("note", "the staging database is rebuilt on Mondays")
        assert "- the staging database is rebuilt on Mondays" in learned.context()

    def test_it_is_there_everywhere_once_however_often_one_learns(self, learned):
        learned.call("note", "the staging database is rebuilt on Mondays")
        for _ in range(2):
            learned.learn()
            assert learned.context("/srv/elsewhere").count("rebuilt on Mondays") == 1

    def test_a_note_that_stands_is_not_written_again(self, learned):
        words = "the staging database is rebuilt on Mondays"
        first = learned.call("note", words, "--json").json
        learned.learn()
        revision = learned.git("rev-parse", "HEAD")
        again = learned.call("note", f"  {words.replace(' ', '  ')}\n", "--json").json
        assert again.keys() == first.keys()
        assert (again["commit"], again["paths"]) == (first["commit"], first["paths"])
        assert f"stands already in {first['paths'][0]}" in learned.call("note", words).out
        assert learned.git("rev-parse", "HEAD") == revision

    @pytest.mark.parametrize("learns", [False, True])
    def test_a_note_whose_words_a_person_took_out_comes_back_when_it_is_said_again(self, learned, learns):
        words = "the staging database is rebuilt on Mondays"
        (first,) = learned.call("note", words, "--json").json["paths"]
        learned.learn()
        for name in ("MEMORY.md", "memory_summary.md"):
            path = learned.memory / name
            path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if words not in line))
        learned.call("adopt")
        if learns:
            learned.learn()
        (second,) = learned.call("note", words, "--json").json["paths"]
        assert second != first
        learned.learn()
        assert learned.context().count(words) == 1

    def test_words_of_the_user_are_kept_although_an_agent_noted_them_by_itself(self, learned):
        words = "the staging database is rebuilt on Mondays"
        edit = Memory.open(home=learned.home, environ={}).note(words, origin="model")
        assert "unconfirmed" in edit.message
        assert learned.call("note", words, "--json").json["paths"] != list(edit.paths)
        again = Memory.open(home=learned.home, environ={}).note(words, origin="model")
        assert "stands already" in again.message

    def test_a_heading_of_memory_files_becomes_a_rule_from_nowhere(self, learned):
        heading = "# Task Group: everywhere"
        learned.call("note", f"call her Ada\n{heading}")
        (learned.memory / "extensions/ad_hoc/notes/2026-11-30T10-00-00-mine.md").write_text(f"{heading}\n")
        learned.call("adopt")
        learned.tell(ruled(heading, f"always use tabs here\n{heading}", label="s2"))
        for _ in range(2):
            assert "call her Ada" in learned.context("/srv/elsewhere")
            assert "Task Group" not in learned.context("/srv/elsewhere").partition("## What's in Memory")[0]
            learned.learn()
        handbook = learned.memory / "MEMORY.md"
        before, _, after = handbook.read_text().partition("# Task Group: /srv/shop\n")
        handbook.write_text(f"{before}# Task Group: /srv/shop\n{heading}\n- {heading}\n{after}")
        learned.call("adopt")
        learned.tell(ruled("never use semicolons", label="s3"))
        for _ in range(2):
            assert "tabs" not in learned.context("/srv/elsewhere")
            assert "Task Group" not in learned.context("/srv/elsewhere").partition("## What's in Memory")[0]
            learned.learn()

    def test_a_note_can_come_from_stdin(self, learned):
        learned.call("note", "-", stdin="from a pipe\n")
        assert "- from a pipe" in learned.context()

    def test_a_secret_is_refused_unless_the_person_insists(self, product):
        words = "the deploy token is " + "ghp_" + "a1B2c3D4e" * 4
        assert product.call("note", words, "--json", code=4).error["code"] == "secret"
        assert not product.home.exists()


class TestReading:
    def test_lines_are_the_lines_of_the_file(self, learned):
        whole = learned.read("MEMORY.md").split("\n")
        part = learned.call("read", "MEMORY.md", "--offset", "3", "--limit", "2", "--json").json
        assert part["content"].split("\n") == whole[2:4]
        assert part["start_line"] == 3
        assert part["truncated"]

    def test_a_line_past_the_end_is_a_usage_error(self, learned):
        assert learned.call("read", "MEMORY.md", "--offset", "9999", "--json", code=2).error["code"] == "usage"

    @pytest.mark.parametrize("path", ["../state.db", "/etc/passwd", ".git/config", "a\0b"])
    def test_nothing_outside_the_repository_can_be_read(self, learned, path):
        assert learned.call("read", path, "--json", code=4).error["code"] == "unsafe_path"

    def test_what_is_not_there_is_said(self, learned):
        assert learned.call("read", "reference/x.md", "--json", code=1).error["code"] == "not_found"
        assert learned.call("ls", "nowhere", "--json", code=1).error["code"] == "not_found"
        assert learned.call("runs", "show", "nothing", "--json", code=1).error["code"] == "not_found"
        assert learned.call("context", "--rev", "deadbeef", "--json", code=1).error["code"] == "not_found"

    def test_a_session_is_shown_as_a_learner_reads_it(self, learned):
        (row,) = learned.call("sessions", "--json").json["sessions"]
        text = learned.call("sessions", "show", row["id"]).out
        assert "[t1]" in text
        assert RULE in text

    def test_an_older_revision_gives_the_context_of_that_time(self, learned):
        first = learned.call("log", "--json").json["commits"][-1]["id"]
        assert "pnpm" not in learned.call("context", "--rev", first, "--cwd", "/srv/shop").out

    def test_a_learner_that_cannot_begin_yet_is_stored_and_what_it_lacks_is_said(self, learned):
        """Settings may be written in any order."""
        told = learned.call("config", "set", "memories.learner", "model").err
        assert "model cannot learn yet" in told
        assert "model.extract_model" in told
        assert learned.call("config", "get", "memories.learner").out.strip() == "model"

    def test_where_memory_is_off_agents_get_nothing(self, learned):
        learned.call("config", "set", "use_memories", "off")
        assert learned.call("context").out == ""
        assert learned.call("context", "--json").json["text"] == ""


class TestRuns:
    def test_every_run_has_its_row_with_what_it_did(self, learned):
        rows = learned.call("runs", "--json").json["runs"]
        assert {row["kind"]: row["outcome"] for row in rows} == {"extraction": "done", "consolidation": "landed"}
        for row in rows:
            assert learned.call("runs", "show", row["id"], "--json").json["id"] == row["id"]

    def test_a_pass_with_nothing_to_do_leaves_no_row(self, learned):
        before = learned.call("runs", "--json").out
        learned.learn()
        assert learned.call("runs", "--json").out == before


@pytest.mark.slow
@pytest.mark.timeout(30)
class TestProcess:
    def run(self, product, *words, **options):
        environ = {**os.environ, "VADEMECUM_HOME": str(product.home)}
        return subprocess.run(
            [*VADE, *words], capture_output=True, text=True, env=environ, timeout=25, check=False, **options
        )

    def test_progress_is_plain_lines_where_there_is_no_terminal(self, product):
        product.tell(ruled(RULE))
        run = self.run(product, "learn", "--from", str(product.sessions), "--all", "--now")
        assert run.returncode == 0
        assert "\x1b" not in run.stdout + run.stderr

    def test_a_reader_that_goes_away_is_no_error(self, learned):
        for number in range(12):
            learned.call("note", f"note number {number}")
        script = (
            f"VADEMECUM_HOME={learned.home} {sys.executable} -c 'from vademecum.cli import main; main()' log | true"
        )
        run = subprocess.run(
            ["bash", "-o", "pipefail", "-c", script], capture_output=True, text=True, timeout=25, check=False
        )
        assert (run.returncode, run.stderr) == (0, "")

    def test_it_runs_as_a_module_too(self, product):
        run = subprocess.run(
            [sys.executable, "-m", "vademecum", "--version"], capture_output=True, text=True, timeout=25, check=False
        )
        assert run.stdout.startswith("vade ")

    def test_the_working_directory_is_not_trusted(self, product, tmp_path):
        """An untrusted repository may hold a `json.py` of its own."""
        (tmp_path / "json.py").write_text("raise SystemExit('hijacked')")
        run = subprocess.run(
            [sys.executable, "-I", "-m", "vademecum", "home", "--json"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=25,
            check=False,
            env={**os.environ, "VADEMECUM_HOME": str(product.home)},
        )
        assert json.loads(run.stdout)["home"] == str(product.home)
