"""The one child process of a plugin: it answers, dies, hangs, talks nonsense; the host never notices."""

import json
import os
import select
import signal

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


def test_every_request_gets_its_own_answer(scripts):
    answers = {"a": {"says": "a"}, "b": {"says": "b é \U0001f600" * 20_000}}
    body = """
    const one = new child.Child({ command, environ: { VADEMECUM_HOME: "/some/home" } });
    const found = await Promise.all([one.request("a", {}), one.request("b", {}), one.request("a", {})]);
    one.dispose();
    return found.map(({ says }) => says);
    """
    assert scripts.run(body, answers) == ["a", "b é \U0001f600" * 20_000, "a"]
    started, *asked, _ = scripts.messages()
    assert started["home"] == "/some/home"
    assert sorted(one["method"] for one in asked) == ["a", "a", "b"]


def test_lines_that_are_no_messages_are_passed_over(scripts):
    noise = 'Traceback\n{"half": \n[1, 2]\nnull\n7\n{"jsonrpc":"2.0","id":999,"result":{}}'
    body = """
    const one = new child.Child({ command });
    const { says } = await one.request("a", {});
    one.dispose();
    return says;
    """
    assert scripts.run(body, {"a": {"says": "a", "print": noise}}) == "a"


def test_a_child_that_dies_is_started_again_after_a_pause(scripts):
    body = """
    const one = new child.Child({ command });
    const lost = await failure(one.request("a", {}));
    const tooSoon = await failure(one.request("b", {}));
    await pause(300);
    const { says } = await one.request("b", {});
    one.dispose();
    return [lost, tooSoon, says, log("started").length];
    """
    answers = {"a": {"die": True}, "b": {"says": "b"}}
    assert scripts.run(body, answers) == ["memory has ended", "memory is not running", "b", 2]


def test_a_child_that_keeps_dying_is_started_ever_more_rarely(scripts):
    body = """
    let now = 0;
    const one = new child.Child({ command, now: () => now });
    for (let second = 0; second < 600; second++) {
      now = second * 1000;
      await failure(one.request("a", {}));
    }
    return log("started").length;
    """
    assert 5 <= scripts.run(body, {"a": {"die": True}}) <= 14


def test_a_child_that_hangs_is_ended_and_another_one_answers(scripts):
    body = """
    const one = new child.Child({ command });
    const hung = await failure(one.request("a", {}, { limitMs: 400 }));
    const [{ started }] = log("started");
    await until(() => { try { process.kill(started, 0); return false; } catch { return true; } });
    await pause(300);
    const { says } = await one.request("b", {});
    one.dispose();
    return [hung, says];
    """
    assert scripts.run(body, {"a": {"hang": True}, "b": {"says": "b"}}) == ["memory did not answer within 400 ms", "b"]


@pytest.mark.parametrize("command", ['["/nowhere/python"]', '["/dev/null"]', '["bad\\u0000name"]'])
def test_a_child_that_cannot_be_started_is_an_error_of_the_request(scripts, command):
    body = f"""
    const one = new child.Child({{ command: {command} }});
    return [await failure(one.request("a", {{}})), await failure(one.request("a", {{}}))].every(Boolean);
    """
    assert scripts.run(body) is True


def test_a_program_that_may_not_be_run_is_an_error_of_the_request(scripts, tmp_path):
    """EACCES"""
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o644)
    body = f"""
    const one = new child.Child({{ command: [{json.dumps(str(program))}] }});
    return await failure(one.request("a", {{}}));
    """
    assert scripts.run(body) == "memory has ended"


def test_a_host_without_a_descriptor_left_goes_on_and_has_memory_when_it_has_some_again(scripts):
    """EMFILE"""
    body = """
    const { openSync, closeSync } = await import("node:fs");
    const one = new child.Child({ command });
    const taken = [];
    try { for (;;) taken.push(openSync("/dev/null", "r")); } catch (error) { taken.code = error.code; }
    closeSync(taken.pop()); // a runtime needs one of its own to find the program
    const lost = await failure(one.request("a", {}));
    taken.forEach((descriptor) => closeSync(descriptor));
    await pause(300);
    const { says } = await one.request("a", {});
    one.dispose();
    return [taken.code, Boolean(lost), says];
    """
    assert scripts.run(body, {"a": {"says": "a"}}) == ["EMFILE", True, "a"]


def test_a_child_that_stops_in_the_middle_of_a_line_is_ended_and_another_one_answers(scripts):
    body = """
    const one = new child.Child({ command });
    const lost = await failure(one.request("a", {}, { limitMs: 400 }));
    await pause(300);
    const { says } = await one.request("b", {});
    one.dispose();
    return [lost, says];
    """
    answers = {"a": {"half": True}, "b": {"says": "b"}}
    assert scripts.run(body, answers) == ["memory did not answer within 400 ms", "b"]


def test_what_is_under_way_when_the_child_is_disposed_ends_at_once_or_with_its_answer(scripts):
    body = """
    const one = new child.Child({ command });
    await one.request("b", {});
    const calls = [one.request("a", {}), one.request("a", {}), one.request("late", {})];
    const ends = Promise.all(calls.map(failure));
    await until(() => log("a").length === 2);
    const begun = performance.now();
    one.dispose();
    const said = await ends;
    await until(() => !one.run);
    return [said, performance.now() - begun < 5_000];
    """
    said, in_time = scripts.run(body, {"a": {"hang": True}, "b": {}, "late": {"after": 0.2}})
    assert in_time
    assert said == ["memory has ended", "memory has ended", None]


def test_a_disposed_child_ends(scripts):
    """It sees that its input is closed, and has done before what it was told last."""
    body = """
    const one = new child.Child({ command });
    await one.request("a", {});
    one.request("last", {}).catch(() => {});
    one.dispose();
    await until(() => log("ended").length);
    return [log("last").length, await failure(one.request("a", {}))];
    """
    assert scripts.run(body) == [1, "memory has ended"]


def test_a_disposed_child_that_does_not_end_is_killed(scripts):
    body = """
    const one = new child.Child({ command: ["/bin/sh", "-c", "echo $$ >&1; trap '' TERM; while :; do sleep 1; done"] });
    one.start();
    const { pid } = one.run.process;
    one.dispose();
    await until(() => { try { process.kill(pid, 0); return false; } catch { return true; } });
    """
    assert scripts.run(body) is None


def test_the_host_ends_when_its_work_is_done(scripts):
    """Neither the child nor a pipe nor a request that waits keeps it; the child ends with it."""
    body = """
    const one = new child.Child({ command });
    await one.request("a", {}, { holdsHost: true });
    one.request("b", {}).catch(() => {});
    await until(() => log("b").length);
    return log("started")[0].started;
    """
    child = scripts.run(body, {"b": {"hang": True}})
    _wait_until_gone(child)


def test_the_child_ends_when_the_host_is_killed(scripts):
    body = """
    const one = new child.Child({ command });
    await one.request("a", {});
    console.log(log("started")[0].started);
    await pause(60_000);
    """
    host = scripts.start(body)
    child = int(host.stdout.readline())
    os.kill(host.pid, signal.SIGKILL)
    host.communicate()
    _wait_until_gone(child)


def test_fifty_starts_leave_no_process_behind(scripts):
    body = """
    for (let round = 0; round < 50; round++) {
      const one = new child.Child({ command });
      await one.request("a", {});
      if (round % 2) one.run.process.kill("SIGKILL");
      one.dispose();
    }
    return log("started").map(({ started }) => started);
    """
    started = scripts.run(body)
    assert len(set(started)) == 50
    for process_id in started:
        _wait_until_gone(process_id)


def test_a_call_that_the_host_ends_is_cancelled_at_the_child(scripts):
    body = """
    const one = new child.Child({ command });
    const stop = new AbortController();
    const call = failure(one.request("a", {}, { signal: stop.signal }));
    await until(() => log("a").length);
    stop.abort();
    const said = await call;
    await until(() => log("notifications/cancelled").length);
    one.dispose();
    return [said, log("notifications/cancelled")[0].params.requestId === log("a")[0].id];
    """
    assert scripts.run(body, {"a": {"hang": True}}) == ["the host ended the call", True]


def _wait_until_gone(process_id):
    """The process is the host's child, not ours: nothing but its number tells of its end."""
    try:
        descriptor = os.pidfd_open(process_id)
    except ProcessLookupError:
        return
    try:
        assert select.select([descriptor], [], [], 10)[0], f"process {process_id} still runs"
    finally:
        os.close(descriptor)
