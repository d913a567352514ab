/**
 * The extension of pi (facts of 0.73, the same contract in 1.6).
 *
 * pi awaits the factory before it starts a session, so the tools are there from the first turn. The block goes to the
 * system prompt, which pi builds anew for each prompt: the same bytes each time, and nothing of it is stored. What is
 * stored is the line of news; its `customType` tells our reader to pass it over.
 */

import { findCitationBlocks, stripCitations } from "../bridge/citations.mjs";
import { START_MS, connect, isLearner, withinMs } from "../bridge/memory.mjs";
import { quiet } from "../bridge/quiet.mjs";
import { SessionWatch } from "../bridge/watch.mjs";

const NEWS_TYPE = "vademecum-news";

export async function attach(pi, settings) {
  if (isLearner()) return;
  const extension = new Extension(connect(settings));
  const events = {
    session_start: extension.started,
    before_agent_start: extension.complete,
    message_end: extension.tidy,
    agent_end: extension.settled,
    session_compact: extension.compacted,
    session_shutdown: extension.ended,
  };
  for (const [name, work] of Object.entries(events)) pi.on(name, quiet(work.bind(extension)));
  for (const tool of await extension.memory.load(process.cwd())) pi.registerTool(extension.toolOf(tool));
}

class Extension {
  constructor(memory) {
    this.memory = memory;
    this.watch = new SessionWatch(memory);
  }

  /** pi waits for this before it takes a prompt: a run of one prompt has its block too. */
  async started(_event, context) {
    const session = idOf(context);
    const isNew = !context.sessionManager.getEntries().some(({ type }) => type === "message");
    if (isNew) this.watch.created(session, context.cwd);
    await withinMs(START_MS, this.memory.prepare(session, context.cwd, "resume"));
  }

  async complete({ systemPrompt }, context) {
    const session = idOf(context);
    this.watch.prompted(session, context.cwd);
    const block = await this.memory.block(session, context.cwd, this.watch.beginningOf(session));
    const news = this.memory.takeNotice(session);
    return {
      ...(block && { systemPrompt: `${systemPrompt}\n\n${block}` }),
      ...(news && { message: { customType: NEWS_TYPE, content: news, display: true } }),
    };
  }

  /** Count what an answer cites, and store it without its citation block. */
  tidy({ message }, context) {
    if (message.role !== "assistant") return undefined;
    const texts = message.content.filter((part) => part.type === "text");
    if (!texts.some(({ text }) => findCitationBlocks(text).length)) return undefined;
    const from = {
      session: idOf(context),
      message: message.responseId ?? String(message.timestamp),
      cwd: context.cwd,
    };
    this.memory.cite(from, texts.map(({ text }) => text).join("\n\n"));
    const tidied = (part) => (part.type === "text" ? { ...part, text: stripCitations(part.text) } : part);
    return { message: { ...message, content: message.content.map(tidied) } };
  }

  settled(_event, context) {
    this.watch.idle(idOf(context), context.cwd);
  }

  compacted(_event, context) {
    this.memory.prepare(idOf(context), context.cwd, "compact");
  }

  ended(_event, context) {
    this.memory.tell(idOf(context), context.cwd, "session-end");
    this.memory.release();
  }

  toolOf({ name, title, description, inputSchema }) {
    return {
      name,
      label: title ?? name,
      description,
      parameters: inputSchema,
      execute: async (callId, args, signal, _onUpdate, context) => {
        const from = { session: idOf(context), message: callId, cwd: context.cwd };
        const ask = context.hasUI ? (question) => context.ui.confirm("Memory", question) : undefined;
        const { text } = await this.memory.call(name, args, from, { signal, ask });
        return { content: [{ type: "text", text }], details: {} };
      },
    };
  }
}

function idOf(context) {
  return context.sessionManager.getSessionId();
}
