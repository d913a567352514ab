/**
 * The memory as a plugin sees it: the block of each session, the tools, what is told about sessions.
 *
 * One child process serves every session of a host process; what belongs to a session is kept by its id. Nothing here
 * is thrown: where the child is not there, there is no block, and a tool says so in words.
 */

import { Child } from "./child.mjs";
import { findCitationBlocks } from "./citations.mjs";
import { LruMap } from "./lru.mjs";

/** How long a turn may wait for its block. */
export const TURN_MS = 50;
/** How long loading may wait for the list of tools. */
export const LOAD_MS = 3_000;
const TOOL_MS = 120_000;
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
 * @param {{host: string, command: string[], environ?: Record<string, string>, asksPerson?: boolean}} settings
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
  constructor({ host, command, environ, asksPerson = false }, forget) {
    this.host = host;
    this.users = 0;
    this.forget = forget;
    this.sessions = new LruMap(MAX_SESSIONS);
    /** Who can be asked: by the call of a tool that is on its way. */
    this.asking = new Set();
    this.child = new Child({
      command,
      environ,
      capabilities: asksPerson ? { elicitation: {} } : {},
      answer: (method, params) => this.answer(method, params),
    });
  }

  release() {
    this.users -= 1;
    if (this.users > 0) return;
    this.forget();
    this.child.dispose();
  }

  /** Ask early for the block of a session, so that it is there when it is needed. */
  prepare(session, cwd, event) {
    const state = this.stateOf(session);
    if (state.asked) return state.asked;
    const isFirst = state.text === undefined || event === "compact";
    state.asked = this.ask(state, { host: this.host, session, cwd, event: isFirst ? event : "turn" });
    return state.asked;
  }

  async ask(state, params) {
    try {
      const { text, notice } = await this.child.request("vademecum/context", params);
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

  /** Tell what became of a session: "prompt", "idle", "end" or "deleted". */
  tell(session, cwd, event) {
    this.child.request("vademecum/event", { host: this.host, session, cwd, event }).catch(() => {});
  }

  /** Count what an answer cites, meanwhile. */
  cite({ session, message, cwd }, text) {
    if (findCitationBlocks(text).length === 0) return;
    const _meta = { vademecum: { host: this.host, session, message, cwd } };
    this.child.request("vademecum/cite", { session, message, text, _meta }).catch(() => {});
  }

  /** The tools as the child lists them; none where it does not answer in time. */
  async tools() {
    const listing = this.child.request("tools/list", {}).catch(() => null);
    const tools = (await withinMs(LOAD_MS, listing))?.tools;
    return Array.isArray(tools) ? tools.filter((tool) => typeof tool?.name === "string") : [];
  }

  /**
   * What a tool says, always in words.
   *
   * @param {{session?: string, message?: string, cwd?: string}} from where it is called
   * @param {{signal?: AbortSignal, ask?: (question: string) => Promise<boolean>}} [options] `ask` asks the person
   */
  async call(name, args, from, { signal, ask } = {}) {
    const _meta = { vademecum: { host: this.host, ...from } };
    if (ask) this.asking.add(ask);
    try {
      const params = { name, arguments: args ?? {}, _meta };
      const result = await this.child.request("tools/call", params, { limitMs: TOOL_MS, holdsHost: true, signal });
      return { text: wordsOf(result), isError: Boolean(result.isError) };
    } catch (error) {
      const text = `${error?.message ?? error}. Go on without it; \`vade doctor\` says what is wrong.`;
      return { text, isError: true };
    } finally {
      this.asking.delete(ask);
    }
  }

  /** A question of the child to the person: asked where it is certain whose call it belongs to. */
  async answer(method, params) {
    if (method !== "elicitation/create" || this.asking.size !== 1) return { action: "decline" };
    const [ask] = this.asking;
    const isYes = await ask(String(params.message ?? ""));
    return isYes ? { action: "accept", content: { confirm: true } } : { action: "decline" };
  }
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
