"""Citations that nobody could count yet: kept while the child is away, told once it is back."""

import json

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

FRAME = """
const { writeFileSync } = await import("node:fs");
const become = (answers) => writeFileSync(command.at(-1), JSON.stringify(answers));
const blockOf = (name) => `<memory-citation>\\n${name}.md:1-2\\n</memory-citation>`;
const cite = (name, words = "") => one.cite({ session: "s", message: name, cwd: "/p" }, words + blockOf(name));
const cited = () => log("vademecum/cite").filter(({ params }) => params.text).map(({ params }) => params.message);
const isAway = () => !one.child.run;
const die = async () => {
  process.kill(log("started").at(-1).started, "SIGKILL");
  await until(isAway);
};
const back = async () => {
  await until(async () => {
    await one.prepare("s", "/p", "turn");
    return !isAway();
  });
};
const one = memory.connect({ host: "some-host", command });
await one.load("/p");
"""


def run(scripts, body, answers=None):
    return scripts.run(f"{FRAME}{body}", answers)


def test_what_is_cited_while_the_child_is_away_is_told_when_it_is_back(scripts):
    """Its session, message and folder go along, and no word of the answer beside its citation block."""
    body = """
    await die();
    cite("a", "I looked up the secret plan.");
    const before = cited();
    await back();
    await until(() => cited().length);
    await one.prepare("s", "/p", "turn");
    one.release();
    await until(() => log("ended").length);
    return [before, log("vademecum/cite").at(-1).params, cited().length];
    """
    before, params, times = run(scripts, body)
    assert (before, times) == ([], 1)
    assert params.pop("_meta")["vademecum"] == {"host": "some-host", "session": "s", "message": "a", "cwd": "/p"}
    assert params == {
        "session": "s",
        "message": "a",
        "text": "<memory-citation>\na.md:1-2\n</memory-citation>",
    }


def test_what_the_child_died_over_is_told_again(scripts):
    """It may have been counted already: the same message is counted once, see `state/usage.py`."""
    body = """
    cite("a");
    await until(isAway);
    become({});
    await back();
    await until(() => cited().length === 2);
    one.release();
    return cited();
    """
    assert run(scripts, body, {"vademecum/cite": [{}, {"die": True}]}) == ["a", "a"]


def test_a_citation_that_takes_the_child_down_each_time_is_given_up_and_the_others_are_not(scripts):
    body = """
    cite("poison");
    cite("b");
    become({ "vademecum/cite": { die: true } });
    for (let deaths = 1; deaths <= 3; deaths++) {
      await until(() => cited().length === deaths && isAway());
      if (deaths === 3) become({});
      await back();
    }
    await until(() => cited().includes("b"));
    one.release();
    return cited();
    """
    assert run(scripts, body, {"vademecum/cite": [{}, {"die": True}]}) == ["poison", "poison", "poison", "b"]


def test_what_the_child_refuses_is_not_told_again(scripts):
    body = """
    cite("a");
    cite("b");
    await until(() => cited().length === 2);
    for (let turn = 0; turn < 5; turn++) await one.prepare("s", "/p", "turn");
    one.release();
    await until(() => log("ended").length);
    return cited();
    """
    assert run(scripts, body, {"vademecum/cite": [{}, {"error": {"code": 1, "message": "no"}}]}) == ["a", "b"]


def test_no_more_than_two_hundred_are_kept(scripts):
    """The newest ones. What is too long for a block that somebody wrote is not kept at all."""
    body = """
    await die();
    for (let at = 0; at < 250; at++) cite(`m${at}`);
    one.cite({ session: "s", message: "long", cwd: "/p" }, blockOf("x.md:1-2\\n".repeat(5_000)));
    await back();
    await until(() => cited().includes("m249"));
    one.release();
    return cited();
    """
    assert run(scripts, body) == [f"m{number}" for number in range(50, 250)]


def test_at_the_end_all_that_waits_is_told(scripts):
    """Nobody waits for the answers, so nothing waits for one of them either."""
    body = """
    for (const name of ["a", "b", "c"]) cite(name);
    one.release();
    await until(() => log("ended").length);
    return cited();
    """
    assert run(scripts, body) == ["a", "b", "c"]


@pytest.mark.parametrize("command", [["/nowhere/python"], ["/bin/sh", "-c", "sleep 60"]], ids=["missing", "silent"])
def test_answers_are_stored_without_their_citations_where_there_is_no_child(scripts, command):
    body = f"""
    const settings = {{ host: "h", command: {json.dumps(command)} }};
    const hooks = await opencode.server({{ directory: "/p" }}, settings);
    const output = {{ text: "Done.\\n\\n<memory-citation>\\nMEMORY.md:1-2\\n</memory-citation>" }};
    const begun = performance.now();
    await hooks["experimental.text.complete"]({{ sessionID: "s", messageID: "m", partID: "p" }}, output);
    const took = performance.now() - begun;
    hooks.dispose();
    return [output.text, took < 50];
    """
    assert scripts.run(body) == ["Done.", True]
