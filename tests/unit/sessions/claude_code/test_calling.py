"""Which session a call belongs to, by what the real program writes while it waits for the answer (2.1)."""

import os
import threading
import time
from pathlib import Path

import pytest

from vademecum.sessions import calling_session

CALL = "toolu_01AbC"
LINE = '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"%s"}]}}\n'


@pytest.fixture
def project(closed_home: Path) -> Path:
    folder = closed_home / ".claude" / "projects" / "-srv-shop"
    folder.mkdir(parents=True)
    return folder


def find(home: Path, call=CALL, host="claude-code"):
    return calling_session(host, call, environ={}, home=home)


def write(file: Path, call=CALL, *, age_seconds=0):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{"type":"user"}\n' + LINE % call)
    then = time.time() - age_seconds
    os.utime(file, (then, then))


def test_it_is_the_session_whose_file_holds_the_call(project, closed_home):
    write(project / "one.jsonl", "toolu_other")
    write(project / "two.jsonl")
    write(project / "three.jsonl", "toolu_third")
    assert find(closed_home) == "two"


def test_a_sub_agent_calls_for_its_session(project, closed_home):
    write(project / "two.jsonl", "toolu_other")
    write(project / "two" / "subagents" / "agent-a1.jsonl")
    assert find(closed_home) == "two"


def test_a_call_that_is_written_a_moment_later_is_waited_for(project, closed_home):
    write(project / "one.jsonl", "toolu_other")
    timer = threading.Timer(0.1, write, [project / "two.jsonl"])
    timer.start()
    assert find(closed_home) == "two"
    timer.join()


def test_a_call_that_stands_nowhere_belongs_to_no_session(project, closed_home):
    write(project / "one.jsonl", "toolu_other")
    assert find(closed_home) is None


def test_a_file_that_nobody_writes_to_is_not_searched(project, closed_home):
    write(project / "one.jsonl", age_seconds=3_600)
    assert find(closed_home) is None


def test_a_link_is_not_followed(project, closed_home, tmp_path):
    write(tmp_path / "elsewhere.jsonl")
    (project / "one.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    assert find(closed_home) is None


def test_a_call_at_the_end_of_a_long_file_is_found(project, closed_home):
    file = project / "one.jsonl"
    file.write_bytes(b'{"type":"user"}\n' * 200_000 + LINE.encode() % CALL.encode())
    assert find(closed_home) == "one"


def test_of_other_hosts_nothing_is_known(project, closed_home):
    write(project / "one.jsonl")
    assert find(closed_home, host="pi") is None
