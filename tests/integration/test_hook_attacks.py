"""What may stand on a hook's stdin, on its disk and in its working directory: the host's turn goes on all the same."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time

import pytest

from support.hooks import context_in, hook_command, pass_is_recent, pins_of, run_hook
from support.product import Product
from vademecum.bare.process import LIMIT_SECONDS
from vademecum.engine.spool import hook_failures
from vademecum.home import Home

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

MARK = "always use pnpm in the shop"
BEGIN = {"session_id": "s1", "cwd": "/srv/shop", "source": "startup", "transcript_path": None}


@pytest.fixture
def told(product: Product) -> Product:
    product.call("note", MARK)
    pass_is_recent(product.home)
    return product


def spawn(product, event="session-start", **options):
    environ = {**os.environ, "VADEMECUM_HOME": str(product.home), **options.pop("env", {})}
    return subprocess.Popen(
        hook_command("claude-code", event), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ, **options
    )


class TestStdin:
    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"garbage",
            b"{",
            b"[]",
            b"null",
            b"\xff\xfe\x00",
            b'{"a":' * 50_000,
            b"{" * 1_000_000,
            b'"' + b"x" * 100_000,
        ],
        ids=range(9),
    )
    def test_what_is_no_object_is_answered_with_nothing(self, told, data):
        assert run_hook(told.home, "session-start", data).stdout == b""
        assert pins_of(told.home) == []

    def test_a_failure_is_written_down_without_what_was_typed_and_without_the_environment(self, told):
        env = {"SOME_TOKEN": "never-to-be-seen"}
        run_hook(told.home, "session-start", b'{"prompt": "never-to-be-seen"', env=env)
        (line,) = hook_failures(Home(root=told.home))
        assert line.split(" ", 1)[1].startswith("claude-code session-start ValueError in files.py:")
        assert "never" not in line

    def test_an_object_that_is_larger_than_any_prompt_is_refused(self, told):
        assert run_hook(told.home, "session-start", b'{"prompt": "' + b"x" * (17 << 20) + b'"}').stdout == b""

    def test_a_long_prompt_is_read(self, told):
        payload = {**BEGIN, "prompt": "}\n" * 500_000}
        assert MARK in context_in(run_hook(told.home, "session-start", payload))

    def test_a_stdin_that_is_closed_is_answered_with_nothing(self, told):
        command = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *hook_command("claude-code", "session-start")]
        environ = {**os.environ, "VADEMECUM_HOME": str(told.home)}
        done = subprocess.run(command, capture_output=True, env=environ, check=True, timeout=20)
        assert (done.stdout, done.stderr) == (b"", b"")

    def test_a_host_that_keeps_its_end_open_is_answered(self, told):
        """user-U67: what is whole is not waited for further."""
        with spawn(told, stdin=subprocess.PIPE) as process:
            process.stdin.write(json.dumps(BEGIN).encode() + b"\n")
            process.stdin.flush()
            assert process.wait(20) == 0
            assert MARK in json.loads(process.stdout.read())["hookSpecificOutput"]["additionalContext"]

    def test_a_stdin_that_never_ends_is_left_in_time(self, told):
        """user-U62, user-U65, user-U67: a host waits no longer than the limit, whatever hangs."""
        start = time.monotonic()
        with spawn(told, stdin=subprocess.PIPE) as process:
            process.stdin.write(b'{"session_id": ')
            process.stdin.flush()
            assert process.wait(20) == 0
            took = time.monotonic() - start
            assert process.stdout.read() == process.stderr.read() == b""
        assert took >= LIMIT_SECONDS
        assert hook_failures(Home(root=told.home))[-1].endswith(f"took longer than {LIMIT_SECONDS} s")

    def test_a_stdout_that_nobody_reads_is_left_in_time(self, told):
        told.call("config", "set", "context.budget_tokens", "32000")
        told.call("memory", "create", "system/page", "--description", "tea", "--text", "green tea\n" * 900)
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        environ = {**os.environ, "VADEMECUM_HOME": str(told.home)}
        command = hook_command("codex", "session-start")
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writer, env=environ) as process:
            process.communicate(json.dumps(BEGIN).encode(), timeout=20)
        os.close(writer)
        assert process.returncode == 0
        assert len(os.read(reader, 1 << 20)) == 4096
        os.close(reader)

    @pytest.mark.parametrize("stream", [">&-", "2>&-", ">/dev/full"])
    def test_a_stream_that_takes_nothing_harms_no_file(self, told, stream):
        before = (told.home / "runtime/hook.json").read_bytes()
        command = ["/bin/sh", "-c", f'exec "$@" {stream}', "sh", *hook_command("claude-code", "session-start")]
        environ = {**os.environ, "VADEMECUM_HOME": str(told.home)}
        given = json.dumps(BEGIN).encode()
        done = subprocess.run(command, input=given, capture_output=True, env=environ, check=False, timeout=20)
        assert done.returncode == 0
        assert (told.home / "runtime/hook.json").read_bytes() == before
        (pin,) = pins_of(told.home)
        assert MARK in json.loads(pin.read_bytes())["text"]

    @pytest.mark.parametrize("session", ["../../up", "a/b", "\0", "x" * 100_000, "\udc80", "..\n", "é"], ids=range(7))
    def test_a_session_id_leads_nowhere(self, told, session):
        before = {path for path in told.folder.rglob("*") if "runtime" not in path.parts}
        assert MARK in context_in(run_hook(told.home, "session-start", {**BEGIN, "session_id": session}))
        assert {path for path in told.folder.rglob("*") if "runtime" not in path.parts} == before
        assert len(pins_of(told.home)) == 1

    @pytest.mark.parametrize("session", [None, 3, [], {}, ""], ids=range(5))
    def test_a_session_without_an_id_is_given_the_block_and_no_pin(self, told, session):
        assert MARK in context_in(run_hook(told.home, "session-start", {**BEGIN, "session_id": session}))
        assert pins_of(told.home) == []
        prompt = {key: value for key, value in BEGIN.items() if key != "source"}
        assert run_hook(told.home, "prompt", {**prompt, "session_id": session}).stdout == b""

    @pytest.mark.parametrize(
        "words",
        [[], ["claude-code"], ["nobody", "prompt"], ["../x", "prompt"], ["codex", "x"], ["codex", "prompt", "--home"]],
    )
    def test_arguments_that_no_installer_wrote_do_nothing(self, told, words):
        command = [*hook_command("", "")[:-2], *words]
        environ = {**os.environ, "VADEMECUM_HOME": str(told.home)}
        given = json.dumps(BEGIN).encode()
        done = subprocess.run(command, input=given, capture_output=True, env=environ, check=True, timeout=20)
        assert (done.stdout, done.stderr) == (b"", b"")

    @pytest.mark.parametrize(
        "odd", ["two\nlines", "\x1b[2J", "\u202e", "x" * 5_000, "K" + "EY=a1B2c3D4e5"], ids=range(5)
    )
    def test_the_log_has_no_word_of_a_command_line_that_is_none_of_ours(self, told, odd):
        environ = {**os.environ, "VADEMECUM_HOME": str(told.home)}
        for words in ((odd, "prompt"), ("codex", odd)):
            command = [*hook_command("", "")[:-2], *words]
            subprocess.run(command, input=b"no object", capture_output=True, env=environ, check=True, timeout=20)
        lines = (told.home / "runtime/hook.log").read_text().splitlines()
        assert [line.split(" ")[1:3] for line in lines[-2:]] == [["?", "prompt"], ["codex", "?"]]
        assert odd not in "\n".join(lines)


class TestTheDisk:
    @pytest.mark.parametrize(
        "damage",
        [b"", b"{", b"[]", b"{}", b'{"template": 3}', b"\xff", b'{"a":' * 100_000, None],
        ids=range(8),
    )
    @pytest.mark.parametrize("name", ["runtime/hook.json", "identities/default/runtime/cache/context.json"])
    def test_a_damaged_or_missing_file_costs_the_block_and_nothing_else(self, told, name, damage):
        file = told.home / name
        file.unlink() if damage is None else file.write_bytes(damage)
        assert run_hook(told.home, "session-start", BEGIN).stdout == b""
        assert (told.home / "runtime/spool/claude-code.jsonl").exists()

    @pytest.mark.parametrize(
        "damage", [b"", b"{", b"[]", b'{"scope": "repository", "projects": {"/srv": "../../up"}}', None]
    )
    def test_without_a_table_of_routes_no_memory_is_taken_for_another_ones(self, told, damage):
        """user-U25: where it is not known whose memory it is, none is given."""
        told.call("config", "set", "identity.scope", "repository")
        file = told.home / "runtime/routes.json"
        file.unlink() if damage is None else file.write_bytes(damage)
        assert run_hook(told.home, "session-start", BEGIN).stdout == b""
        assert (told.home / "runtime/spool/claude-code.jsonl").exists()

    def test_a_cache_of_another_version_is_not_printed(self, told):
        file = told.identity / "runtime/cache/context.json"
        cached = json.loads(file.read_text())
        file.write_text(json.dumps({**cached, "template": cached["template"] + 1}))
        assert run_hook(told.home, "session-start", BEGIN).stdout == b""

    @pytest.mark.parametrize("name", ["hook.json", "routes.json", "spool/claude-code.jsonl", "hook.log"])
    def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(self, told, name):
        told.call("config", "set", "identity.scope", "repository")
        file = told.home / "runtime" / name
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        os.mkfifo(file)
        start = time.monotonic()
        run_hook(told.home, "session-start", BEGIN)
        assert time.monotonic() - start < 10
        assert not [line for line in hook_failures(Home(root=told.home)) if "took longer" in line]

    @pytest.mark.parametrize(
        "name",
        [
            "runtime",
            "runtime/hook.json",
            "identities/default",
            "identities/default/runtime",
            "identities/default/runtime/cache",
            "identities/default/runtime/cache/context.json",
            "identities/default/memory",
            "identities/default/memory/.git",
            "identities/default/memory/.git/refs/heads",
            "identities/default/memory/.git/refs/heads/main",
        ],
    )
    def test_nothing_is_given_where_a_link_stands_in_the_place_of_what_is_ours(self, told, name):
        """codex-A15: whatever it leads to, which the doctor says; put back, the block is there."""
        assert MARK in context_in(run_hook(told.home, "session-start", BEGIN))
        place, moved = told.home / name, told.folder / "moved"
        place.rename(moved)
        place.symlink_to(moved)
        assert run_hook(told.home, "session-start", {**BEGIN, "session_id": "s2"}).stdout == b""
        assert f"{place} is " in told.call("doctor", code=1).out
        place.unlink()
        moved.rename(place)
        pass_is_recent(told.home)
        assert MARK in context_in(run_hook(told.home, "session-start", {**BEGIN, "session_id": "s3"}))

    def test_what_a_link_in_the_place_of_a_pin_leads_to_is_not_given(self, told):
        """codex-A15"""
        run_hook(told.home, "session-start", BEGIN)
        (pin,) = pins_of(told.home)
        theirs = json.dumps({**json.loads(pin.read_bytes()), "text": "theirs"})
        (told.folder / "pin.json").write_text(theirs)
        pin.unlink()
        pin.symlink_to(told.folder / "pin.json")
        resumed = context_in(run_hook(told.home, "session-start", {**BEGIN, "source": "resume"}))
        assert "theirs" not in resumed
        assert MARK in resumed

    @pytest.mark.parametrize("name", ["identities/default/runtime/pins", "runtime/spool", "runtime/hook.log"])
    def test_where_nothing_can_be_written_the_block_is_given(self, told, name):
        """As on a disk that is full or may only be read, for root as well."""
        place = told.home / name
        place.unlink() if place.is_file() else shutil.rmtree(place, ignore_errors=True)
        if name.endswith("hook.log"):
            place.mkdir()
        else:
            place.write_text("in the way")
        assert MARK in context_in(run_hook(told.home, "session-start", BEGIN))

    def test_a_session_on_a_disk_that_keeps_no_pin_is_not_given_the_block_at_every_prompt(self, told):
        (told.identity / "runtime/pins").write_text("in the way")
        assert MARK in context_in(run_hook(told.home, "session-start", BEGIN))
        assert run_hook(told.home, "prompt", BEGIN).stdout == b""

    def test_a_log_of_failures_does_not_grow_without_bound(self, told):
        log = told.home / "runtime/hook.log"
        log.write_bytes(b"x" * 65_530)
        run_hook(told.home, "session-start", b"")
        assert log.stat().st_size < 1000

    def test_a_torn_installation_is_silent(self, told, tmp_path):
        """user-U70: a host goes on beside a package that cannot be imported."""
        package = tmp_path / "site/vademecum"
        package.mkdir(parents=True)
        shutil.copy(hook_command("", "")[3], package / "hook.py")
        command = [sys.executable, "-I", "-S", str(package / "hook.py"), "codex", "session-start"]
        done = subprocess.run(command, input=b"{}", capture_output=True, check=True, timeout=20)
        assert (done.stdout, done.stderr) == (b"", b"")


class TestSurroundings:
    TRAP = "import os\nopen(os.environ['TRAP'], 'a').write(__name__ + '\\n')\n"
    MODULES = (
        *("json", "os", "sys", "_json", "_sha256", "_sha2", "_thread", "time", "re", "site", "sitecustomize"),
        *("usercustomize", "vademecum", "hashlib", "unicodedata", "posixpath", "encodings", "codecs", "pwd"),
    )

    def test_nothing_of_the_working_directory_is_imported(self, told, tmp_path):
        """user-U73: the folder is somebody's repository, and `PYTHONPATH` may name it."""
        project, trap = tmp_path / 'it\'s a "project" $HOME', tmp_path / "sprung"
        project.mkdir()
        for name in self.MODULES:
            (project / f"{name}.py").write_text(self.TRAP)
        env = {
            "PYTHONPATH": ".",
            "PYTHONSTARTUP": "json.py",
            "PYTHONHOME": "",
            "TRAP": str(trap),
            "PYTHONUSERBASE": ".",
        }
        payload = {**BEGIN, "cwd": str(project)}
        assert MARK in context_in(run_hook(told.home, "session-start", payload, env=env, cwd=project))
        assert not trap.exists()

    def test_the_traps_would_spring_without_isolation(self, tmp_path):
        """The test before this one could fail."""
        trap = tmp_path / "sprung"
        (tmp_path / "sitecustomize.py").write_text(self.TRAP)
        environ = {**os.environ, "PYTHONPATH": ".", "TRAP": str(trap)}
        subprocess.run([sys.executable, "-c", "pass"], env=environ, cwd=tmp_path, check=False, timeout=20)
        assert trap.exists()

    def test_an_agent_that_learns_for_us_is_given_nothing_and_leaves_nothing(self, told):
        before = {path: path.stat().st_mtime_ns for path in told.home.rglob("*")}
        for event in ("session-start", "prompt", "session-end"):
            assert run_hook(told.home, event, BEGIN, env={"VADEMECUM_LEARNER": "1"}).stdout == b""
        assert {path: path.stat().st_mtime_ns for path in told.home.rglob("*")} == before

    def test_no_value_of_the_environment_is_printed_or_kept(self, told):
        env = {"CLAUDE_CODE_MESSAGING_TOKEN": "never-to-be-seen", "PWD": "/never-to-be-seen"}
        for payload in (BEGIN, b"garbage", {**BEGIN, "session_id": "s2"}):
            assert b"never-to-be" not in run_hook(told.home, "session-start", payload, env=env).stdout
        kept = [path for path in told.home.rglob("*") if path.is_file() and b"never-to-be" in path.read_bytes()]
        assert kept == []

    def test_a_hostile_name_of_an_identity_opens_no_other_folder(self, told):
        for name in ("../identities/default", "/", ".", "..", "default/../default"):
            done = run_hook(told.home, "session-start", BEGIN, env={"VADEMECUM_IDENTITY": name})
            assert done.stdout == b""
