import os
import subprocess
import sys

from vademecum.state import is_gone, new_token, this_worker


def test_this_process_is_not_gone():
    """codex-B08"""
    assert not is_gone(this_worker())


def test_a_process_that_ended_is_gone_even_before_its_parent_has_noticed():
    code = "import sys; from vademecum.state import this_worker; print(this_worker(), flush=True)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment) as child:
        worker = child.stdout.readline().strip()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert is_gone(worker), "a zombie holds nothing"
    assert is_gone(worker)


def test_a_later_process_with_the_same_number_is_another_worker():
    """codex-B08"""
    pid, _, place = this_worker().partition("@")
    host, _, start = place.rpartition(":")
    assert is_gone(f"{pid}@{host}:{int(start) - 1}")


def test_a_worker_of_another_machine_is_never_taken_for_dead():
    """codex-B08"""
    assert not is_gone("1@some-other-machine:5")


def test_a_name_that_is_no_worker_is_never_taken_for_dead():
    """codex-B08"""
    assert not is_gone("")
    assert not is_gone("nonsense")


def test_tokens_never_repeat():
    assert len({new_token() for _ in range(1000)}) == 1000
