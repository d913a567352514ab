"""The hooks of opencode 1, called as it calls them. The real program: tests/clients/test_real_opencode_plugin.py."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SEARCH = {
    "name": "memory_search",
    "description": "Search the memory.",
    "inputSchema": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    },
}
ANSWERS = {
    "tools/list": {"tools": [SEARCH]},
    "vademecum/context": {"text": "BLOCK", "notice": ""},
    "tools/call": {"content": [{"type": "text", "text": "found it"}]},
}
CITATION = "<memory-citation>\nMEMORY.md:1-2|note=[x]\n</memory-citation>"
CITED = f"Done.\n\n{CITATION}"
LOAD = """
const cited = () => log("vademecum/cite").filter(({ params }) => params.text);
const hooks = await opencode.server({ directory: "/p" }, { host: "opencode", command });
const event = (type, properties) => hooks.event({ event: { type, properties } });
const systemOf = async (sessionID, ...system) => {
  await hooks["experimental.chat.system.transform"]({ sessionID, model: {} }, { system });
  return system;
};
const told = () => log("vademecum/event").map(({ params }) => `${params.session} ${params.event}`);
const first = async (session) => {
  await event("session.created", { info: { id: session } });
  await hooks["chat.message"]({ sessionID: session }, {});
  await until(() => log("vademecum/context").some(({ params }) => params.session === session));
  await pause(20);
};
"""


def run(scripts, body, answers=ANSWERS, **environ):
    return scripts.run(f"{LOAD}{body}", answers, **environ)


def test_the_block_is_one_more_system_text_with_the_same_bytes(scripts):
    """user-U33, user-U35: Nothing in it depends on the turn."""
    body = """
    await first("s");
    const seen = new Set();
    for (let turn = 0; turn < 20; turn++) {
      await hooks["chat.message"]({ sessionID: "s" }, {});
      seen.add(JSON.stringify(await systemOf("s", "You are opencode")));
    }
    hooks.dispose();
    return [...seen];
    """
    assert run(scripts, body) == ['["You are opencode","BLOCK"]']


def test_requests_for_a_title_are_left_alone(scripts):
    """codex-N10: They come with the id of the real session."""
    body = """
    await first("s");
    return await systemOf("s", "You are a title generator. You output ONLY a thread title.");
    """
    assert run(scripts, body) == ["You are a title generator. You output ONLY a thread title."]


@pytest.mark.parametrize("nobody", ["undefined", "null", '""'])
def test_what_belongs_to_no_session_is_left_alone(scripts, nobody):
    """codex-R86, codex-A24: opencode has an agent written so; nothing is given, asked for or told."""
    body = f"""
    await first("s");
    await systemOf("s", "You are opencode");
    const nobody = {nobody};
    const system = await systemOf(nobody, "You are an elite architect");
    await hooks["chat.message"]({{ sessionID: nobody }}, {{}});
    const output = {{ context: [] }};
    await hooks["experimental.session.compacting"]({{ sessionID: nobody }}, output);
    for (const type of ["session.created", "session.idle", "session.compacted", "session.deleted"]) {{
      await event(type, {{ sessionID: nobody, info: {{ id: nobody }} }});
    }}
    await event("session.status", {{ sessionID: nobody, status: {{ type: "idle" }} }});
    await event("session.idle", {{ sessionID: "s" }});
    await until(() => told().includes("s stop"));
    const asked = new Set(log("vademecum/context").map(({{ params }}) => params.session));
    return [system, output.context, [...asked], told()];
    """
    assert run(scripts, body) == [["You are an elite architect"], [], ["s"], ["s prompt", "s stop"]]


def test_nothing_is_done_while_a_learner_of_ours_runs_the_host(scripts):
    """codex-R06"""
    body = 'return Object.keys(await opencode.server({ directory: "/p" }, { host: "opencode", command }));'
    assert scripts.run(body, ANSWERS, VADEMECUM_LEARNER="1") == []
    assert scripts.messages() == []


def test_an_answer_is_counted_and_stored_without_its_citations(scripts):
    """codex-R85"""
    body = """
    const output = { text: process.env.TEXT };
    await hooks["experimental.text.complete"]({ sessionID: "s", messageID: "m", partID: "p" }, output);
    const plain = { text: "No block." };
    await hooks["experimental.text.complete"]({ sessionID: "s", messageID: "n", partID: "q" }, plain);
    const [cite, ...more] = await until(() => cited().length && cited());
    return [output.text, plain.text, cite.params, more.length];
    """
    stored, plain, cited, more = run(scripts, body, TEXT=CITED)
    assert (stored, plain, more) == ("Done.", "No block.", 0)
    assert cited.pop("_meta")["vademecum"] == {"host": "opencode", "session": "s", "message": "m", "cwd": "/p"}
    assert cited == {"session": "s", "message": "m", "text": CITATION}


def test_a_host_that_stores_answers_as_they_come_has_them_counted_from_its_events(scripts):
    """codex-21.4: What is still written, and what the person pasted, is not counted."""
    body = """
    const part = { type: "text", sessionID: "s", messageID: "m", text: process.env.TEXT };
    await event("message.part.updated", { part });
    await event("message.part.updated", { part: { ...part, time: { start: 1 } } });
    await event("message.part.updated", { part: { ...part, time: { start: 1, end: 2 } } });
    await until(() => cited().length);
    await pause(50);
    return cited().length;
    """
    assert run(scripts, body, TEXT=CITED) == 1


def test_the_model_does_not_read_old_citations(scripts):
    """codex-21.4: In what the person wrote, they stay."""
    body = """
    const text = process.env.TEXT;
    const messages = ["user", "assistant"].map((role) => ({
      info: { id: role, role, sessionID: "s" }, parts: [{ type: "text", text }, { type: "tool" }],
    }));
    await hooks["experimental.chat.messages.transform"]({}, { messages });
    return messages.map(({ parts }) => parts[0].text);
    """
    assert run(scripts, body, TEXT=CITED) == [CITED, "Done."]


def test_news_are_shown_once_beside_the_prompt_and_stay_there(scripts):
    """user-U34: The system text stays, and so does the history that was sent before."""
    contexts = [{"text": "BLOCK"}, {"text": "NEW", "notice": "memory changed"}, {"text": "NEW", "notice": ""}]
    body = """
    await first("s");
    const history = [];
    const turn = async (id) => {
      await hooks["chat.message"]({ sessionID: "s" }, {});
      await pause(60);
      history.push(id);
      const messages = history.map((one) => ({ info: { id: one, role: "user", sessionID: "s" }, parts: [] }));
      await hooks["experimental.chat.messages.transform"]({}, { messages });
      return messages.map(({ parts }) => parts.map(({ text, synthetic }) => `${text} ${synthetic}`).join());
    };
    return [await turn("m1"), await turn("m2"), await turn("m3")];
    """
    found = run(scripts, body, {**ANSWERS, "vademecum/context": contexts})
    assert [turn.count("memory changed true") for turn in found] == [1, 1, 1]
    assert found[1][:1] == found[0]
    assert found[2][:2] == found[1]


def test_a_compaction_gets_the_block_of_its_own_session_only(scripts):
    """user-U26, user-U37: It is never begun by us."""
    body = """
    const inTurn = async (session) => (await first(session), await systemOf(session, "a"));
    await inTurn("s1");
    await inTurn("s2");
    const output = { context: [], prompt: undefined };
    await hooks["experimental.session.compacting"]({ sessionID: "s2" }, output);
    const request = await systemOf("s2", "You summarise");
    await event("session.compacted", { sessionID: "s2" });
    await pause(60);
    return [output.context, request, await systemOf("s1", "a"), (await systemOf("s2", "a"))[1]];
    """
    output, request, other, after = run(scripts, body)
    assert (output, request, other, after) == (["BLOCK"], ["You summarise"], ["a", "BLOCK"], "BLOCK")
    asked = [message["params"] for message in scripts.messages() if message.get("method") == "vademecum/context"]
    assert [(one["session"], one["event"]) for one in asked if one["event"] == "compact"] == [("s2", "compact")]


def test_a_compaction_that_came_to_nothing_costs_no_turn_its_block(scripts):
    body = """
    await first("s");
    await hooks["experimental.session.compacting"]({ sessionID: "s" }, { context: [] });
    await hooks["chat.message"]({ sessionID: "s" }, {});
    return await systemOf("s", "a");
    """
    assert run(scripts, body) == ["a", "BLOCK"]


def test_the_end_of_a_turn_is_told_once(scripts):
    """codex-R04: opencode tells of it twice; an ended turn after another prompt is another one."""
    body = """
    await first("s");
    for (let turn = 0; turn < 2; turn++) {
      await event("session.status", { sessionID: "s", status: { type: "busy" } });
      await event("session.status", { sessionID: "s", status: { type: "idle" } });
      await event("session.idle", { sessionID: "s" });
      await hooks["chat.message"]({ sessionID: "s" }, {});
    }
    await event("session.deleted", { info: { id: "s" } });
    await until(() => told().includes("s deleted"));
    return told();
    """
    assert run(scripts, body) == ["s prompt", "s stop", "s stop", "s deleted"]


def test_a_session_from_before_is_not_a_new_one(scripts):
    body = """
    await hooks["chat.message"]({ sessionID: "old" }, {});
    await first("new");
    return log("vademecum/context").slice(0, 2).map(({ params }) => [params.session, params.event]);
    """
    assert run(scripts, body) == [["old", "resume"], ["new", "start"]]


def test_tools_carry_session_message_and_folder(scripts):
    body = """
    const tool = hooks.tool.memory_search;
    const context = { sessionID: "s", messageID: "m", directory: "/elsewhere", abort: new AbortController().signal };
    const text = await tool.execute({ query: "q" }, context);
    const output = { description: "", parameters: {}, jsonSchema: {} };
    await hooks["tool.definition"]({ toolID: "memory_search" }, output);
    const other = { jsonSchema: "kept" };
    await hooks["tool.definition"]({ toolID: "bash" }, other);
    return [text, tool.description, Object.keys(tool.args), output.jsonSchema, other, log("tools/call")[0].params];
    """
    text, description, arguments, schema, other, params = run(scripts, body)
    assert (text, description, arguments) == ("found it", "Search the memory.", ["query", "limit"])
    assert (schema, other) == (SEARCH["inputSchema"], {"jsonSchema": "kept"})
    assert params.pop("_meta")["vademecum"] == {
        "host": "opencode",
        "session": "s",
        "message": "m",
        "cwd": "/elsewhere",
    }
    assert params == {"name": "memory_search", "arguments": {"query": "q"}}


@pytest.mark.parametrize("answers", [ANSWERS, {"tools/list": {"die": True}}], ids=["child", "no child"])
def test_no_hook_ever_throws(scripts, answers):
    """user-U69, user-U70: Whatever a later opencode hands over, and whatever the child does; and nothing is printed."""
    body = """
    const junk = [[], [undefined, undefined], [{}, {}], [null, null], [{ event: null }], [{ event: { type: 7 } }],
                  [{ sessionID: 5 }, { system: null, messages: [{}], context: null, text: 7 }]];
    for (const [name, hook] of Object.entries(hooks)) {
      if (name === "tool" || name === "dispose") continue;
      for (const values of junk) await hook(...values);
    }
    for (const tool of Object.values(hooks.tool)) await tool.execute(undefined, { sessionID: "s" });
    await hooks.dispose();
    await hooks.dispose();
    return "alive";
    """
    assert run(scripts, body, answers) == "alive"


def test_the_address_that_the_host_names_goes_along_with_what_became_of_a_session(scripts):
    """Whether anybody listens there is found out where it is written down."""
    body = """
    const input = { directory: "/p", serverUrl: new URL("http://localhost:4096") };
    const named = await opencode.server(input, { host: "opencode", command });
    await named["chat.message"]({ sessionID: "s" }, {});
    await named.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    await until(() => told().length === 2);
    return [...new Set(log("vademecum/event").map(({ params }) => params.server))];
    """
    assert run(scripts, body) == ["http://localhost:4096/"]
