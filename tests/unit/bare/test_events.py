import json
import os
import sys
import time

import pytest

from vademecum.bare.events import LEARNER_REST_SECONDS, note_event, report_failure, start_learner


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def learner(tmp_path, monkeypatch):
    """In the place of Python: a program that writes down how it was started. Gives a function that waits for it."""
    told = tmp_path / "told.json"
    program = tmp_path / "python"
    program.write_text(
        f"#!{sys.executable}\nimport json, os, sys\n"
        "opened = [fd for fd in range(64) if os.path.exists(f'/proc/self/fd/{fd}')]\n"
        "streams = [os.readlink(f'/proc/self/fd/{fd}') for fd in range(3)]\n"
        "told = {'argv': sys.argv[1:], 'sid': os.getsid(0), 'pid': os.getpid(), 'streams': streams}\n"
        "told |= {'home': os.environ.get('VADEMECUM_HOME'), 'open': opened}\n"
        f"open({str(told)!r} + '.new', 'w').write(json.dumps(told)); os.rename({str(told)!r} + '.new', {str(told)!r})\n"
    )
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))

    def ended(process_id):
        os.waitpid(process_id, 0)
        return json.loads(told.read_text())

    return ended


class TestTheLearner:
    def test_it_outlives_the_hook_and_holds_none_of_its_streams(self, home, learner):
        """user-U67: with a host's pipe in its hands, a host would wait for its end."""
        reader, writer = os.pipe()
        os.set_inheritable(writer, True)  # noqa: FBT003  it has no keyword
        told = learner(start_learner(str(home), os.environ))
        os.close(reader)
        os.close(writer)
        assert told["argv"] == ["-I", "-m", "vademecum", "learn", "--background"]
        assert told["sid"] == told["pid"]
        assert told["streams"] == [os.devnull] * 3
        assert told["home"] == str(home)
        assert writer not in told["open"]

    def test_none_is_started_soon_after_another_one(self, home, learner):
        """user-U63: what was started a moment ago is not started again."""
        learner(start_learner(str(home), os.environ))
        assert start_learner(str(home), os.environ) == 0
        long_ago = time.time() - LEARNER_REST_SECONDS - 1
        os.utime(home / "runtime/learner.started", (long_ago, long_ago))
        learner(start_learner(str(home), os.environ))

    def test_files_that_hooks_miss_are_put_right_soon_without_learning_anything(self, home, learner):
        """user-U32: what cannot be put right would have sessions learned three times a minute."""
        assert "--mend" not in learner(start_learner(str(home), os.environ, mends=True))["argv"]
        assert learner(start_learner(str(home), os.environ, mends=True))["argv"][-1] == "--mend"
        assert start_learner(str(home), os.environ, mends=True) == 0
        a_while_ago = time.time() - 60
        for stamp in ("learner", "mender"):
            os.utime(home / f"runtime/{stamp}.started", (a_while_ago, a_while_ago))
        assert start_learner(str(home), os.environ) == 0
        assert learner(start_learner(str(home), os.environ, mends=True))["argv"][-1] == "--mend"

    def test_a_clock_that_went_back_does_not_keep_it_away(self, home, learner):
        learner(start_learner(str(home), os.environ))
        future = time.time() + 10 * LEARNER_REST_SECONDS
        os.utime(home / "runtime/learner.started", (future, future))
        learner(start_learner(str(home), os.environ))

    def test_where_nothing_can_be_written_none_is_started(self, home, learner):
        """Else one would be started at every event."""
        home.mkdir()
        (home / "runtime").write_text("in the way")
        with pytest.raises(OSError, match="runtime"):
            start_learner(str(home), os.environ)


class TestTheSpool:
    def lines(self, home):
        return (home / "runtime/spool/codex.jsonl").read_text().splitlines()

    def test_an_event_is_one_line_of_ids_and_paths(self, home):
        note_event(str(home), "codex", "prompt", "s1\n{}", "/srv/shöp", "/t.jsonl")
        (line,) = self.lines(home)
        told = json.loads(line)
        assert abs(told.pop("at") - time.time()) < 60
        assert told == {
            "host": "codex",
            "event": "prompt",
            "session": "s1\n{}",
            "cwd": "/srv/shöp",
            "transcript": "/t.jsonl",
        }

    def test_what_is_too_long_for_an_id_or_a_path_is_not_kept(self, home):
        note_event(str(home), "codex", "prompt", "x" * 100_000, "/srv", "")
        assert not home.exists()

    def test_it_does_not_grow_without_bound(self, home):
        """Where learning is off, nobody takes it."""
        note_event(str(home), "codex", "prompt", "s1", "/srv", "")
        file = home / "runtime/spool/codex.jsonl"
        file.write_bytes(b"x" * 512 * 1024)
        note_event(str(home), "codex", "prompt", "s2", "/srv", "")
        assert [json.loads(line)["session"] for line in self.lines(home)] == ["s2"]


class TestFailures:
    def test_a_home_is_not_made_for_them(self, home):
        report_failure(str(home), "codex", "prompt", "ValueError")
        assert not home.exists()

    def test_what_cannot_be_written_down_harms_nobody(self, home):
        home.mkdir()
        (home / "runtime").write_text("in the way")
        report_failure(str(home), "codex", "prompt", "ValueError")
        assert (home / "runtime").read_text() == "in the way"
