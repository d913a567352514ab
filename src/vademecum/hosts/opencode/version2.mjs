/**
 * Registrations in opencode 2, by its published contract of plugins (`@opencode/plugin`, 2.0).
 *
 * A domain that a host does not have is passed over: the others work all the same. Stored history keeps its citation
 * blocks there; what goes to the model is without them.
 */

import { stripCitations } from "../bridge/citations.mjs";
import { connect } from "../bridge/memory.mjs";
import { quiet } from "../bridge/quiet.mjs";
import { SessionWatch } from "../bridge/watch.mjs";

export async function registerInVersion2(context, settings) {
  const memory = connect(settings);
  const plugin = new Version2(memory, context.location?.directory ?? process.cwd());
  const stopping = new AbortController();
  await register(context.session, "hook", "prompt", ({ sessionID }) => plugin.prompted(sessionID));
  await register(context.session, "hook", "context", (event) => plugin.complete(event));
  const tools = await memory.tools();
  await register(context.tool, "transform", (editor) => tools.forEach((tool) => editor.add(plugin.toolOf(tool))));
  plugin.listen(context.event, stopping.signal);
  return quiet(() => {
    stopping.abort();
    memory.release();
  });
}

/** Register a callback, which comes last, where the domain is there. */
async function register(domain, method, ...values) {
  const work = values.pop();
  // The editor of a domain is synchronous: what it throws must be caught here.
  const silent = (event) => {
    try {
      return Promise.resolve(work(event)).catch(() => {});
    } catch {
      return undefined;
    }
  };
  const callback = method === "transform" ? (editor) => void silent(editor) : silent;
  await quiet(() => domain[method](...values, callback))();
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

  /** Hear what becomes of sessions, until the plugin is unloaded. */
  async listen(events, signal) {
    try {
      for await (const { type, data } of events.subscribe()) {
        if (signal.aborted) return;
        this.hear(type, data ?? {});
      }
    } catch {
      // A host without events learns at its next look at the stored sessions.
    }
  }

  hear(type, { sessionID, assistantMessageID, text }) {
    if (type === "session.created") this.watch.created(sessionID, this.directory);
    else if (type.startsWith("session.execution.") && type !== "session.execution.started") this.watch.idle(sessionID, this.directory);
    else if (type === "session.compaction.ended") this.memory.prepare(sessionID, this.directory, "compact");
    else if (type === "session.deleted") this.watch.deleted(sessionID, this.directory);
    else if (type === "session.text.ended") this.memory.cite(sessionID, assistantMessageID, text ?? "");
  }
}
