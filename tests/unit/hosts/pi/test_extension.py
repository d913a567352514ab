"""The extension of pi, called as pi calls it. The real program: tests/clients/test_real_pi_extension.py."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
ANSWERS = {
    "tools/list": {"tools": [{"name": "memory_search", "description": "Search.", "inputSchema": SCHEMA}]},
    "vademecum/context": {"text": "BLOCK", "notice": ""},
    "tools/call": {"content": [{"type": "text", "text": "found it"}]},
}
CITATION = "<memory-citation>\nMEMORY.md:1-2|note=[x]\n</memory-citation>"
CITED = f"Done.\n\n{CITATION}"
LOAD = """
const cited = () => log("vademecum/cite").filter(({ params }) => params.text);
const handlers = {}, tools = [];
const api = { on: (name, handler) => { handlers[name] = handler; }, registerTool: (tool) => tools.push(tool) };
const contextOf = (id, entries = []) => ({
  cwd: "/p", hasUI: true, ui: { confirm: async () => process.env.SAYS === "yes" },
  sessionManager: { getSessionId: () => id, getEntries: () => entries },
});
const context = contextOf("s");
await pi.attach(api, { host: "pi", command });
"""


def test_the_block_goes_to_the_system_prompt_with_the_same_bytes(scripts):
    """user-U33"""
    body = f"""{LOAD}
    await handlers.session_start({{ reason: "startup" }}, context);
    await until(() => log("vademecum/context").length);
    await pause(50);
    const seen = new Set();
    for (let turn = 0; turn < 20; turn++) {{
      seen.add(JSON.stringify(await handlers.before_agent_start({{ systemPrompt: "You are pi" }}, context)));
    }}
    await handlers.session_shutdown({{}}, context);
    return [...seen];
    """
    assert scripts.run(body, ANSWERS) == ['{"systemPrompt":"You are pi\\n\\nBLOCK"}']


def test_without_a_block_the_prompt_stays(scripts):
    body = f"""{LOAD}
    const found = await handlers.before_agent_start({{ systemPrompt: "You are pi" }}, context);
    await handlers.session_shutdown({{}}, context);
    return found;
    """
    assert scripts.run(body, {**ANSWERS, "vademecum/context": {"hang": True}}) == {}


def test_news_are_a_message_of_ours(scripts):
    """Our reader passes over what is of a type with our name."""
    body = f"""{LOAD}
    await handlers.session_start({{ reason: "startup" }}, context);
    await until(() => log("vademecum/context").length);
    await pause(50);
    const found = await handlers.before_agent_start({{ systemPrompt: "p" }}, context);
    const again = await handlers.before_agent_start({{ systemPrompt: "p" }}, context);
    await handlers.session_shutdown({{}}, context);
    return [found.message, "message" in again];
    """
    contexts = [{"text": "BLOCK", "notice": "memory changed"}, {"text": "BLOCK", "notice": ""}]
    message = {"customType": "vademecum-news", "content": "memory changed", "display": True}
    assert scripts.run(body, {**ANSWERS, "vademecum/context": contexts}) == [message, False]


def test_an_answer_is_counted_and_stored_without_its_citations(scripts):
    """codex-R85: What the person wrote is left alone."""
    body = f"""{LOAD}
    const content = [{{ type: "thinking", thinking: "hm" }}, {{ type: "text", text: process.env.TEXT }}];
    const ended = (role) => handlers.message_end({{ message: {{ role, content, timestamp: 7, model: "x" }} }}, context);
    const answer = await ended("assistant");
    const prompt = await ended("user");
    await until(() => cited().length);
    await handlers.session_shutdown({{}}, context);
    return [answer, prompt ?? null, cited().map(({{ params }}) => params)];
    """
    answer, prompt, cited = scripts.run(body, ANSWERS, TEXT=CITED)
    assert answer["message"]["content"] == [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Done."}]
    assert (answer["message"]["model"], prompt) == ("x", None)
    (one,) = cited
    assert one.pop("_meta")["vademecum"] == {"host": "pi", "session": "s", "message": "7", "cwd": "/p"}
    assert one == {"session": "s", "message": "7", "text": CITATION}


def test_events_are_told_and_the_block_is_renewed_after_a_compaction(scripts):
    body = f"""{LOAD}
    const old = contextOf("old", [{{ type: "message" }}]);
    await handlers.session_start({{ reason: "resume" }}, old);
    await handlers.before_agent_start({{ systemPrompt: "p" }}, old);
    await handlers.agent_end({{}}, old);
    await handlers.session_compact({{}}, old);
    const asked = () => log("vademecum/context").map(({{ params }}) => params.event);
    await until(() => asked().includes("compact"));
    await handlers.session_shutdown({{}}, old);
    await until(() => log("ended").length);
    return [log("vademecum/event").map(({{ params }}) => params.event), asked()];
    """
    events, asked = scripts.run(body, ANSWERS)
    assert events == ["prompt", "stop", "session-end"]
    assert (asked[0], asked[-1]) == ("resume", "compact")


QUESTION = {
    "resultType": "input_required",
    "inputRequests": {"confirm": {"method": "elicitation/create", "params": {"message": "Empty it?"}}},
    "requestState": "seal",
}


@pytest.mark.parametrize(("says", "action"), [("yes", "accept"), ("no", "decline")])
def test_the_person_is_asked_in_the_dialog_of_pi(scripts, says, action):
    body = f"""{LOAD}
    const {{ content }} = await tools[0].execute("call", {{ query: "q" }}, undefined, undefined, context);
    await handlers.session_shutdown({{}}, context);
    return [content[0].text, log("tools/call").map(({{ params }}) => params)];
    """
    answers = {**ANSWERS, "tools/call": [QUESTION, ANSWERS["tools/call"]]}
    text, (first, second) = scripts.run(body, answers, SAYS=says)
    assert (text, second["inputResponses"]["confirm"]["action"]) == ("found it", action)
    assert first["_meta"]["vademecum"] == {"host": "pi", "session": "s", "message": "call", "cwd": "/p"}


def test_without_a_dialog_nobody_can_be_asked(scripts):
    body = f"""{LOAD}
    await tools[0].execute("call", {{ query: "q" }}, undefined, undefined, {{ ...context, hasUI: false }});
    await handlers.session_shutdown({{}}, context);
    return log("tools/call").map(({{ params }}) => params._meta["io.modelcontextprotocol/clientCapabilities"]);
    """
    assert scripts.run(body, ANSWERS) == [{}]


def test_nothing_is_done_while_a_learner_of_ours_runs_the_host(scripts):
    """codex-R06"""
    assert scripts.run(f"{LOAD} return [Object.keys(handlers), tools];", ANSWERS, VADEMECUM_LEARNER="1") == [[], []]


@pytest.mark.parametrize("answers", [ANSWERS, {"tools/list": {"die": True}}], ids=["child", "no child"])
def test_no_handler_ever_throws(scripts, answers):
    """user-U69, user-U70: A throw would hurt pi."""
    body = f"""{LOAD}
    const junk = [[], [{{}}, {{}}], [null, null], [{{ message: {{}} }}, context], [{{}}, context]];
    for (const handler of Object.values(handlers)) for (const values of junk) await handler(...values);
    return "alive";
    """
    assert scripts.run(body, answers) == "alive"
