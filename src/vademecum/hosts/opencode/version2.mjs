/**
 * Registrations in opencode 2, by its published contract of plugins (`@opencode/plugin`, 2.0).
 *
 * A domain that a host does not have is passed over: the others work all the same. Stored history keeps its citation
 * blocks there; what goes to the model is without them.
 */

import { setTimeout as delay } from "node:timers/promises";

import { stripCitations } from "../bridge/citations.mjs";
import { connect } from "../bridge/memory.mjs";
import { once, quiet } from "../bridge/quiet.mjs";
import { SessionWatch } from "../bridge/watch.mjs";

const TURN_ENDS = new Set([
  "session.execution.succeeded",
  "session.execution.failed",
  "session.execution.interrupted",
]);

/** A host that ends every stream at once is asked no more often. */
const NEXT_STREAM_MS = 1_000;

export async function registerInVersion2(context, settings) {
  const memory = connect(settings);
  const directory = context.location?.directory ?? process.cwd();
  const plugin = new Version2(memory, directory);
  const stopping = new AbortController();
  await register(context.session, "hook", "prompt", quiet(({ sessionID }) => plugin.prompted(sessionID)));
  await register(context.session, "hook", "context", quiet((event) => plugin.complete(event)));
  const tools = await memory.load(directory);
  // An editor works at once: it does not wait for what a callback promises.
  await register(context.tool, "transform", (editor) => void tools.forEach((tool) => editor.add(plugin.toolOf(tool))));
  plugin.listen(context.event, stopping.signal);
  const stop = once(() => {
    stopping.abort();
    memory.release();
  });
  return quiet(stop);
}

/** Register a callback where the host has the domain. */
async function register(domain, method, ...values) {
  await quiet(() => domain[method](...values))();
}

class Version2 {
  constructor(memory, directory) {
    this.memory = memory;
    this.directory = directory;
    this.watch = new SessionWatch(memory);
  }

  prompted(session) {
    this.watch.prompted(session, this.directory);
  }

  /** Complete a request to a model: only one of the conversation itself, not one for a title or a compaction. */
  async complete({ sessionID, kind = "primary", system, messages }) {
    for (const { role, content } of messages ?? []) {
      if (role !== "assistant" || !Array.isArray(content)) continue;
      for (const part of content) if (part.type === "text") part.text = stripCitations(part.text);
    }
    if (!sessionID || kind !== "primary") return;
    const block = await this.memory.block(sessionID, this.directory, this.watch.beginningOf(sessionID));
    if (block) system.push({ type: "text", text: block });
  }

  toolOf({ name, description, inputSchema }) {
    return {
      name,
      description,
      input: inputSchema,
      options: { codemode: false },
      execute: async (args, { sessionID, messageID, signal }) => {
        const from = { session: sessionID, message: messageID, cwd: this.directory };
        return { content: (await this.memory.call(name, args, from, { signal })).text };
      },
    };
  }

  /** Hear what becomes of sessions, until the plugin is unloaded; where the stream breaks off, in the next one. */
  async listen(events, signal) {
    // A host without events learns at its next look at the stored sessions.
    while (typeof events?.subscribe === "function" && !signal.aborted) {
      await quiet(() => this.listenToOne(events.subscribe(), signal))();
      await delay(NEXT_STREAM_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async listenToOne(stream, signal) {
    for await (const event of stream) {
      if (signal.aborted) return;
      // What one event lacks is no reason to hear no others.
      await quiet(() => this.hear(event.type, event.data ?? {}))();
    }
  }

  hear(type, { sessionID, assistantMessageID, text }) {
    if (type === "session.created") this.watch.created(sessionID, this.directory);
    else if (TURN_ENDS.has(type)) this.watch.idle(sessionID, this.directory);
    else if (type === "session.compaction.ended") this.memory.prepare(sessionID, this.directory, "compact");
    else if (type === "session.deleted") this.watch.deleted(sessionID, this.directory);
    else if (type === "session.text.ended") this.cite(sessionID, assistantMessageID, text ?? "");
  }

  cite(session, message, text) {
    this.memory.cite({ session, message, cwd: this.directory }, text);
  }
}
