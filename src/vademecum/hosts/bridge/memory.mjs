/**
 * The memory as a plugin sees it: the block of each session, the tools, what is told about sessions.
 *
 * One child process serves every session of a host process; what belongs to a session is kept by its id. Nothing here
 * is thrown: where the child is not there, there is no block, and a tool says so in words.
 */

import { Child } from "./child.mjs";
import { citationBlocks } from "./citations.mjs";
import { LruMap } from "./lru.mjs";
import { Uncounted } from "./uncounted.mjs";

/** How long a turn may wait for its block. */
export const TURN_MS = 50;
/** How long the start of a host, or of a session, may wait: for the list of tools, for the first block. */
export const START_MS = 3_000;
/** Every request says for itself which protocol it speaks, so that nothing has to be agreed before. */
const PROTOCOL = "2026-07-28";
const TOOL_MS = 120_000;
/** While a tool works, the child is asked so often whether it still hears; one that does not hear is hanging. */
const PULSE_MS = 5_000;
const DEAF_MS = 20_000;
/** A tool may wait so long for a child that has just died. */
const PATIENCE_MS = 2_000;
const MAX_SESSIONS = 500;

/** Memories of this process by their settings, so that every instance of a plugin shares one child. */
const connected = new Map();

/** Whether a learner of ours runs this host: then a plugin does nothing at all. */
export function isLearner() {
  return Boolean(process.env.VADEMECUM_LEARNER);
}

/**
 * The memory with these settings; `release` it once for each `connect`.
 *
 * @param {{host: string, command: string[], environ?: Record<string, string>}} settings
 */
export function connect(settings) {
  const key = JSON.stringify(settings);
  const memory = connected.get(key) ?? new Memory(settings, () => connected.delete(key));
  connected.set(key, memory);
  memory.users += 1;
  memory.child.start();
  return memory;
}

class Memory {
  constructor({ host, command, environ }, forget) {
    this.host = host;
    this.users = 0;
    this.forget = forget;
    this.sessions = new LruMap(MAX_SESSIONS);
    this.child = new Child({ command, environ });
    this.uncounted = new Uncounted((from) => {
      const { session, message, text } = from;
      return this.request("vademecum/cite", { session, message, text }, from);
    });
  }

  release() {
    this.users -= 1;
    if (this.users > 0) return;
    this.forget();
    this.uncounted.sendTheRest();
    this.child.dispose();
  }

  /** Ask early for the block of a session, so that it is there when it is needed; without a session there is none. */
  prepare(session, cwd, event) {
    if (!session) return Promise.resolve();
    const state = this.stateOf(session);
    if (state.asked && event === "compact") return state.asked.then(() => this.prepare(session, cwd, event));
    if (state.asked) return state.asked;
    const isFirst = state.text === undefined || event === "compact";
    state.asked = this.ask(state, { host: this.host, session, cwd, event: isFirst ? event : "turn" });
    return state.asked;
  }

  async ask(state, params) {
    try {
      const { text, notice } = await this.request("vademecum/context", params, params);
      // The server keeps the bytes of a session; where it gives others, what stood there must not stand any more.
      state.text = text ?? "";
      if (notice) state.notice = notice;
    } catch {
      // Without an answer the session goes on with what it has.
    } finally {
      state.asked = null;
    }
  }

  /** The block of a session, the same bytes each time; "" where it does not come within the time of a turn. */
  async block(session, cwd, event) {
    const state = this.stateOf(session);
    if (state.text === undefined) await withinMs(TURN_MS, this.prepare(session, cwd, event));
    return state.text ?? "";
  }

  /** The block as far as it is here already. */
  blockAtHand(session) {
    return this.sessions.get(session)?.text ?? "";
  }

  /** What changed since the block was made, in one line, once; else "". */
  takeNotice(session) {
    const state = this.stateOf(session);
    const { notice } = state;
    state.notice = "";
    return notice;
  }

  forgetSession(session) {
    this.sessions.delete(session);
  }

  stateOf(session) {
    const state = this.sessions.get(session) ?? { text: undefined, notice: "", asked: null };
    this.sessions.set(session, state);
    return state;
  }

  /** Tell what became of a session: "prompt", "stop", "session-end" or "deleted". */
  tell(session, cwd, event, server = "") {
    const params = { host: this.host, session, cwd, event, server };
    const told = this.request("vademecum/event", params, { session, cwd });
    told.catch(() => {});
  }

  /** Count what an answer cites, meanwhile. */
  cite({ session, message, cwd }, text) {
    const blocks = citationBlocks(text);
    if (blocks) this.uncounted.add({ session, message, cwd, text: blocks });
  }

  /**
   * The tools as the child lists them, once it is ready for the first session; none where it is not in time.
   *
   * Its first question takes it half a second, far more than a turn has. So it is asked one here, about nothing.
   */
  async load(cwd) {
    const listing = this.request("tools/list", {}, { cwd }).catch(() => null);
    const isReady = this.request("vademecum/cite", { text: "" }, { cwd }).catch(() => null);
    const ready = await withinMs(START_MS, Promise.all([listing, isReady]));
    const tools = ready?.[0]?.tools;
    return Array.isArray(tools) ? tools.filter((tool) => typeof tool?.name === "string") : [];
  }

  /**
   * What a tool says, always in words.
   *
   * @param {{session?: string, message?: string, cwd?: string}} from where it is called
   * @param {{signal?: AbortSignal, ask?: (question: string) => Promise<boolean>}} [options] `ask` asks the person; what
   *     needs their yes is refused without it
   */
  async call(name, args, from, { signal, ask } = {}) {
    const params = { name, arguments: args ?? {} };
    const options = { limitMs: TOOL_MS, patienceMs: PATIENCE_MS, holdsHost: true, signal, canAsk: Boolean(ask) };
    const pulse = setInterval(() => this.child.request("ping", {}, { limitMs: DEAF_MS }).catch(() => {}), PULSE_MS);
    try {
      let result = await this.request("tools/call", params, from, options);
      if (ask && result.resultType === "input_required") {
        const inputResponses = await answersOf(result.inputRequests, ask);
        const answered = { ...params, inputResponses, requestState: result.requestState };
        result = await this.request("tools/call", answered, from, options);
      }
      return { text: wordsOf(result), isError: Boolean(result.isError) };
    } catch (error) {
      const text = `${error?.message ?? error}. Go on without it; \`vade doctor\` says what is wrong.`;
      return { text, isError: true };
    } finally {
      clearInterval(pulse);
    }
  }

  async request(method, params, { session, message, cwd }, { canAsk = false, ...options } = {}) {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": PROTOCOL,
      "io.modelcontextprotocol/clientCapabilities": canAsk ? { elicitation: { form: {} } } : {},
      vademecum: { host: this.host, session, message, cwd },
    };
    const answer = await this.child.request(method, { ...params, _meta }, options);
    this.uncounted.sendAll(); // the child is there
    return answer;
  }
}

/** The person's answers to the questions of a tool. */
async function answersOf(questions, ask) {
  const answers = {};
  for (const [name, { params }] of Object.entries(questions ?? {})) {
    const isYes = await ask(String(params?.message ?? ""));
    answers[name] = isYes ? { action: "accept", content: { confirm: true } } : { action: "decline" };
  }
  return answers;
}

function wordsOf(result) {
  const content = Array.isArray(result.content) ? result.content : [];
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("\n");
}

/** Wait for a promise, but no longer than that. */
export async function withinMs(limitMs, promise) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
