"""The registrations in opencode 2, with a stand-in that keeps its published contract of plugins."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
ANSWERS = {
    "tools/list": {"tools": [{"name": "memory_search", "description": "Search.", "inputSchema": SCHEMA}]},
    "vademecum/context": {"text": "BLOCK", "notice": ""},
    "tools/call": {"content": [{"type": "text", "text": "found it"}]},
}
CITED = "Done.\n\n<memory-citation>\nMEMORY.md:1-2|note=[x]\n</memory-citation>"
LOAD = """
const cited = () => log("vademecum/cite").filter(({ params }) => params.text);
const hooks = {}, tools = [], events = [];
let wake = () => {};
const host = {
  location: { directory: "/p" },
  session: { hook: async (name, callback) => { hooks[name] = callback; } },
  tool: { transform: async (callback) => { callback({ add: (tool) => tools.push(tool) }); } },
  event: {
    async *subscribe() {
      for (;;) {
        while (events.length) yield events.shift();
        await new Promise((done) => (wake = done));
      }
    },
  },
};
const emit = (type, data) => { events.push({ type, data }); wake(); };
const settings = { host: "opencode", command };
"""


def test_the_block_goes_to_requests_of_the_conversation_only(scripts):
    """codex-N10, user-U33"""
    body = f"""{LOAD}
    const stop = await opencode.setup(host, settings);
    emit("session.created", {{ sessionID: "s" }});
    await hooks.prompt({{ sessionID: "s", messageID: "m" }});
    await until(() => log("vademecum/context").length);
    await pause(50);
    const request = async (more) => {{
      const event = {{ sessionID: "s", system: [], messages: [], ...more }};
      await hooks.context(event);
      return event.system;
    }};
    const found = [await request({{}}), await request({{ kind: "primary" }}), await request({{ kind: "title" }}),
                   await request({{ kind: "compaction" }}), await request({{ sessionID: undefined }})];
    await stop();
    await until(() => log("ended").length);
    return found;
    """
    block = [{"type": "text", "text": "BLOCK"}]
    assert scripts.run(body, ANSWERS) == [block, block, [], [], []]


def test_what_belongs_to_no_session_is_left_alone(scripts):
    """codex-A24"""
    body = f"""{LOAD}
    const stop = await opencode.setup(host, settings);
    emit("session.created", {{ sessionID: "s" }});
    await until(() => log("vademecum/context").length);
    await pause(50);
    await hooks.prompt({{}});
    const event = {{ system: [], messages: [] }};
    await hooks.context(event);
    const types = ["created", "execution.succeeded", "compaction.ended", "deleted"];
    for (const type of types) emit(`session.${{type}}`, {{}});
    emit("session.execution.succeeded", {{ sessionID: "s" }});
    await until(() => log("vademecum/event").length);
    await stop();
    const sessionsOf = (method) => log(method).map(({{ params }}) => params.session ?? null);
    return [event.system, sessionsOf("vademecum/context"), sessionsOf("vademecum/event")];
    """
    assert scripts.run(body, ANSWERS) == [[], ["s"], ["s"]]


def test_the_model_does_not_read_old_citations_and_each_is_counted_as_it_is_written(scripts):
    body = f"""{LOAD}
    const stop = await opencode.setup(host, settings);
    const content = () => [{{ type: "text", text: process.env.TEXT }}];
    const messages = ["user", "assistant"].map((role) => ({{ role, content: content() }}));
    await hooks.context({{ sessionID: "s", system: [], messages }});
    emit("session.text.ended", {{ sessionID: "s", assistantMessageID: "m", text: process.env.TEXT }});
    const [cite] = await until(() => cited().length && cited());
    await stop();
    return [messages.map(({{ content }}) => content[0].text), cite.params.message];
    """
    assert scripts.run(body, ANSWERS, TEXT=CITED) == [[CITED, "Done."], "m"]


def test_events_are_told(scripts):
    body = f"""{LOAD}
    const stop = await opencode.setup(host, settings);
    await hooks.prompt({{ sessionID: "s" }});
    for (const end of ["started", "succeeded"]) emit(`session.execution.${{end}}`, {{ sessionID: "s" }});
    emit("session.compaction.ended", {{ sessionID: "s" }});
    emit("session.deleted", {{ sessionID: "s" }});
    await until(() => log("vademecum/event").length === 3);
    await stop();
    return log("vademecum/event").map(({{ params }}) => params.event);
    """
    assert scripts.run(body, ANSWERS) == ["prompt", "stop", "deleted"]


def test_an_event_that_cannot_be_read_and_a_stream_that_breaks_off_end_no_others(scripts):
    body = f"""{LOAD}
    const subscribe = host.event.subscribe;
    let streams = 0;
    host.event.subscribe = async function* () {{
      if (streams++) return yield* subscribe();
      yield null;
      yield {{ type: "session.execution.succeeded", get data() {{ throw new Error("x"); }} }};
      yield {{ type: "session.execution.succeeded", data: {{ sessionID: "first" }} }};
      throw new Error("the stream broke off");
    }};
    const stop = await opencode.setup(host, settings);
    emit("session.execution.succeeded", {{ sessionID: "second" }});
    await until(() => log("vademecum/event").length === 2);
    await stop();
    return log("vademecum/event").map(({{ params }}) => params.session);
    """
    assert scripts.run(body, ANSWERS) == ["first", "second"]


def test_tools_carry_session_and_message(scripts):
    body = f"""{LOAD}
    const stop = await opencode.setup(host, settings);
    const {{ name, input, execute }} = tools[0];
    const answer = await execute({{ query: "q" }}, {{ sessionID: "s", messageID: "m" }});
    await stop();
    return [name, input, answer, log("tools/call")[0].params._meta.vademecum];
    """
    meta = {"host": "opencode", "session": "s", "message": "m", "cwd": "/p"}
    assert scripts.run(body, ANSWERS) == ["memory_search", SCHEMA, {"content": "found it"}, meta]


def test_a_host_that_lacks_a_domain_has_the_others(scripts):
    """user-U70"""
    body = f"""{LOAD}
    delete host.session;
    delete host.event;
    const stop = await opencode.setup(host, settings);
    await stop();
    return tools.map(({{ name }}) => name);
    """
    assert scripts.run(body, ANSWERS) == ["memory_search"]


def test_nothing_is_registered_while_a_learner_of_ours_runs_the_host(scripts):
    """codex-R06"""
    body = f"""{LOAD}
    await opencode.setup(host, settings);
    return [Object.keys(hooks), tools];
    """
    assert scripts.run(body, ANSWERS, VADEMECUM_LEARNER="1") == [[], []]
