"""The memory as a plugin sees it: one block per session, tools in words, and never an error."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

BLOCK = {"vademecum/context": {"text": "BLOCK", "revision": "r1", "notice": ""}}
CONNECT = """
const settings = { host: "some-host", command };
const one = memory.connect(settings);
await one.load("/p");
"""


def test_the_block_of_a_session_is_what_the_server_keeps_for_it(scripts):
    """user-U34: The same bytes until a compaction, and a change of memory is news, once."""
    contexts = [
        {"text": "OLD", "notice": ""},
        {"text": "OLD", "notice": "memory changed"},
        {"text": "OLD", "notice": ""},
        {"text": "NEWEST", "notice": ""},
    ]
    body = f"""{CONNECT}
    const seen = [await one.block("s", "/p", "start")];
    for (const event of ["start", "turn", "compact"]) {{
      await one.prepare("s", "/p", event);
      seen.push(await one.block("s", "/p", "start"), one.takeNotice("s"));
    }}
    one.release();
    return [seen, log("vademecum/context").map(({{ params }}) => params.event)];
    """
    blocks, events = scripts.run(body, {"vademecum/context": contexts})
    assert blocks == ["OLD", "OLD", "memory changed", "OLD", "", "NEWEST", ""]
    assert events == ["start", "turn", "turn", "compact"]


@pytest.mark.parametrize("later", ["WITHOUT IT", ""])
def test_what_the_server_does_not_give_any_more_is_not_given_on(scripts, later):
    """Something was forgotten, or memory was switched off, while the session goes on."""
    body = f"""{CONNECT}
    const before = await one.block("s", "/p", "start");
    await one.prepare("s", "/p", "turn");
    const after = await one.block("s", "/p", "start");
    one.release();
    return [before, after];
    """
    assert scripts.run(body, {"vademecum/context": [{"text": "WITH IT"}, {"text": later}]}) == ["WITH IT", later]


def test_sessions_do_not_mix(scripts):
    """user-U15: Two sessions of one process, asked about at the same time, in two folders."""
    body = f"""{CONNECT}
    const found = await Promise.all([one.block("s1", "/p1", "start"), one.block("s2", "/p2", "resume")]);
    await Promise.all([
      one.call("note", {{}}, {{ session: "s1", message: "m1", cwd: "/p1" }}),
      one.call("note", {{}}, {{ session: "s2", message: "m2", cwd: "/p2" }}),
    ]);
    one.release();
    const asked = log("vademecum/context").map(({{ params: {{ _meta, ...params }} }}) => params);
    return [asked, log("tools/call").map(({{ params }}) => params._meta.vademecum)];
    """
    asked, called = scripts.run(body, BLOCK)
    assert asked == [
        {"host": "some-host", "session": "s1", "cwd": "/p1", "event": "start"},
        {"host": "some-host", "session": "s2", "cwd": "/p2", "event": "resume"},
    ]
    assert called == [
        {"host": "some-host", "session": "s1", "message": "m1", "cwd": "/p1"},
        {"host": "some-host", "session": "s2", "message": "m2", "cwd": "/p2"},
    ]


@pytest.mark.parametrize("answer", [{"hang": True}, {"die": True}])
def test_a_turn_waits_no_longer_than_its_time(scripts, answer):
    body = f"""{CONNECT}
    const begun = performance.now();
    const block = await one.block("s", "/p", "start");
    const took = performance.now() - begun;
    one.release();
    return [block, took < memory.TURN_MS + 100];
    """
    assert scripts.run(body, {"vademecum/context": answer}) == ["", True]


def test_a_block_that_comes_late_is_there_in_the_next_turn(scripts):
    body = f"""{CONNECT}
    one.prepare("s", "/p", "start");
    await until(() => one.blockAtHand("s"));
    const begun = performance.now();
    const block = await one.block("s", "/p", "start");
    one.release();
    return [block, performance.now() - begun < 20];
    """
    assert scripts.run(body, BLOCK) == ["BLOCK", True]


def test_a_session_goes_on_with_its_block_while_the_child_is_dead_and_a_tool_waits_for_the_next_one(scripts):
    body = f"""{CONNECT}
    await one.block("s", "/p", "start");
    process.kill(log("started")[0].started, "SIGKILL");
    await until(() => !one.child.run);
    await one.prepare("s", "/p", "turn");
    const block = await one.block("s", "/p", "start");
    const isDead = !one.child.run;
    const {{ text, isError }} = await one.call("note", {{}}, {{ session: "s" }});
    one.release();
    return [block, isDead, text, isError];
    """
    noted = {"tools/call": {"content": [{"type": "text", "text": "Noted."}]}}
    assert scripts.run(body, {**BLOCK, **noted}) == ["BLOCK", True, "Noted.", False]


def test_a_tool_does_not_wait_for_a_child_that_hears_nothing_any_more(scripts):
    body = f"""{CONNECT}
    process.kill(log("started")[0].started, "SIGSTOP");
    hurry(10);
    const begun = performance.now();
    const {{ isError }} = await one.call("note", {{}}, {{ session: "s" }});
    one.release();
    return [isError, 10 * (performance.now() - begun)];
    """
    is_error, ms = scripts.run(body)
    assert is_error
    assert 20_000 < ms < 60_000  # its whole time were 120 s


def test_a_tool_is_told_at_once_that_a_child_which_keeps_dying_is_not_there(scripts):
    body = f"""{CONNECT}
    const texts = [];
    for (let tries = 0; tries < 7; tries++) texts.push((await one.call("note", {{}}, {{ session: "s" }})).text);
    one.release();
    return texts.at(-1);
    """
    text = scripts.run(body, {"tools/call": {"die": True}})
    assert text == "memory is not running. Go on without it; `vade doctor` says what is wrong."


def test_a_tool_that_takes_longer_than_other_requests_may_has_its_answer(scripts):
    body = f"""{CONNECT}
    hurry(10);
    const {{ text }} = await one.call("note", {{}}, {{ session: "s" }});
    one.release();
    return [text, log("ping").length > 0];
    """
    answer = {"tools/call": {"after": 1.2, "content": [{"type": "text", "text": "Noted."}]}}
    assert scripts.run(body, answer) == ["Noted.", True]


def test_every_instance_of_a_plugin_shares_one_child(scripts):
    """codex-N14: a host makes one instance per folder; unloading one of them stops nothing for the others."""
    body = f"""{CONNECT}
    const other = memory.connect({{ ...settings }});
    one.release();
    const block = await other.block("s", "/p", "start");
    const shared = one === other;
    other.release();
    await until(() => log("ended").length);
    const third = memory.connect(settings);
    await third.block("s", "/p", "start");
    await until(() => third.blockAtHand("s"));
    third.release();
    return [shared, block, log("started").length];
    """
    assert scripts.run(body, BLOCK) == [True, "BLOCK", 2]


def test_sessions_are_forgotten_when_there_are_many(scripts):
    """codex-A24: The one that was not used for longest goes first."""
    body = """
    const map = new lru.LruMap(3);
    for (const key of ["a", "b", "c"]) map.set(key, key);
    map.get("a");
    map.set("d", "d");
    return [...map.keys()];
    """
    assert scripts.run(body) == ["c", "a", "d"]


def test_a_tool_answers_in_words(scripts):
    parts = [{"type": "text", "text": "one"}, {"type": "image"}, {"type": "text", "text": "two"}]
    body = f"""{CONNECT}
    const found = await one.call("search", {{ query: "q" }}, {{}});
    one.release();
    return [found, log("tools/call")[0].params.arguments];
    """
    answer = {"tools/call": {"content": parts, "isError": True}}
    assert scripts.run(body, answer) == [{"text": "one\n\ntwo", "isError": True}, {"query": "q"}]


def test_the_child_is_made_ready_before_the_first_session(scripts):
    """Its first question takes longer than a turn has."""
    body = f"""{CONNECT}
    one.release();
    return log("vademecum/cite").map(({{ params }}) => [params.text, params._meta.vademecum]);
    """
    assert scripts.run(body) == [["", {"host": "some-host", "cwd": "/p"}]]


@pytest.mark.parametrize("listed", [{"tools": None}, {"hang": True}, {"tools": [{"name": "a"}, {"nameless": 1}, None]}])
def test_a_list_of_tools_is_always_a_list(scripts, listed):
    body = """
    const one = memory.connect({ host: "h", command });
    const found = await one.load("/p");
    one.release();
    return found.map(({ name }) => name);
    """
    assert scripts.run(body, {"tools/list": listed}) == (["a"] if isinstance(listed.get("tools"), list) else [])


ASK = {
    "tools/call": [
        {
            "resultType": "input_required",
            "inputRequests": {"confirm": {"method": "elicitation/create", "params": {"message": "Empty it?"}}},
            "requestState": "seal",
        },
        {"content": [{"type": "text", "text": "done as the person said"}]},
    ]
}


class TestQuestionsToThePerson:
    """A question belongs to one call: it is the answer to it, and the call is made again with the person's word."""

    @pytest.mark.parametrize(
        ("says", "answer"),
        [("true", {"action": "accept", "content": {"confirm": True}}), ("false", {"action": "decline"})],
    )
    def test_the_person_is_asked_and_their_word_is_sent(self, scripts, says, answer):
        body = f"""{CONNECT}
        const asked = [];
        const ask = async (question) => {{ asked.push(question); return {says}; }};
        const {{ text }} = await one.call("reset", {{}}, {{ session: "s" }}, {{ ask }});
        one.release();
        return [asked, text, log("tools/call").map(({{ params }}) => params)];
        """
        asked, text, (first, second) = scripts.run(body, ASK)
        assert (asked, text) == (["Empty it?"], "done as the person said")
        assert first["_meta"]["io.modelcontextprotocol/clientCapabilities"] == {"elicitation": {"form": {}}}
        assert second == {**first, "inputResponses": {"confirm": answer}, "requestState": "seal"}

    def test_where_nobody_can_be_asked_the_call_says_so(self, scripts):
        """The server then refuses by itself, and says which command the person can run."""
        body = f"""{CONNECT}
        await one.call("reset", {{}}, {{ session: "s" }});
        one.release();
        return log("tools/call").map(({{ params }}) => params._meta["io.modelcontextprotocol/clientCapabilities"]);
        """
        assert scripts.run(body, ASK) == [{}]
