/**
 * Hooks of opencode 1 (facts of 1.18).
 *
 * Order in one turn: `chat.message`, `messages.transform` and `system.transform` before each request to a model,
 * `text.complete` before a text is stored, then a status event and its older twin when the session is idle.
 */

import { findCitationBlocks, stripCitations } from "../bridge/citations.mjs";
import { LruMap } from "../bridge/lru.mjs";
import { connect } from "../bridge/memory.mjs";
import { SessionWatch } from "../bridge/watch.mjs";
import { once, quietly } from "../bridge/quiet.mjs";

/** How the host's own requests for a title begin: they come with the id of the real session. */
const TITLE_REQUEST = "You are a title generator";
const MAX_SESSIONS = 500;

export async function hooksOfVersion1({ directory, serverUrl }, settings) {
  const memory = connect(settings);
  return new Version1(memory, directory, serverUrl).hooks(await memory.load(directory));
}

class Version1 {
  constructor(memory, directory, serverUrl) {
    this.memory = memory;
    this.directory = directory;
    this.watch = new SessionWatch(memory, { server: serverUrl ? String(serverUrl) : "" });
    /** Sessions whose next request is the one that compacts them. */
    this.compacting = new Set();
    /** Line of news by the message that it was shown with, so that a later request sends the same bytes. */
    this.notices = new LruMap(MAX_SESSIONS);
  }

  hooks(tools) {
    const schemas = new Map(tools.map((tool) => [tool.name, tool.inputSchema]));
    return quietly({
      "chat.message": ({ sessionID }) => {
        this.compacting.delete(sessionID); // it came to nothing
        this.watch.prompted(sessionID, this.directory);
      },
      "experimental.chat.system.transform": ({ sessionID }, { system }) => this.addBlock(sessionID, system),
      "experimental.chat.messages.transform": (_, { messages }) => this.tidy(messages),
      "experimental.text.complete": ({ sessionID, messageID }, output) => {
        this.cite(sessionID, messageID, output.text);
        output.text = stripCitations(output.text);
      },
      "experimental.session.compacting": ({ sessionID }, { context }) => {
        this.compacting.add(sessionID);
        const block = this.memory.blockAtHand(sessionID);
        if (block) context.push(block);
      },
      // The host would list every argument as required.
      "tool.definition": ({ toolID }, output) => {
        if (schemas.has(toolID)) output.jsonSchema = schemas.get(toolID);
      },
      event: ({ event }) => this.hear(event.type, event.properties ?? {}),
      tool: Object.fromEntries(tools.map((tool) => [tool.name, this.toolOf(tool)])),
      dispose: once(() => this.memory.release()),
    });
  }

  async addBlock(session, system) {
    if (!session || system[0]?.startsWith(TITLE_REQUEST) || this.compacting.delete(session)) return;
    const block = await this.memory.block(session, this.directory, this.watch.beginningOf(session));
    if (block) system.push(block);
  }

  /** What the model reads of the conversation: no citation block, and once a line of news. */
  tidy(messages) {
    for (const { info, parts } of messages) {
      if (info.role !== "assistant") continue;
      for (const part of parts) if (part.type === "text") part.text = stripCitations(part.text);
    }
    const last = messages.findLast(({ info }) => info.role === "user");
    if (!last) return;
    const news = this.memory.takeNotice(last.info.sessionID);
    if (news) this.notices.set(last.info.id, news);
    for (const { info, parts } of messages) {
      const text = this.notices.get(info.id);
      if (text && !parts.some(({ text: shown }) => shown === text)) parts.push(noticePart(info, text));
    }
  }

  hear(type, properties) {
    const session = properties.sessionID ?? properties.info?.id;
    if (type === "session.created") this.watch.created(session, this.directory);
    else if (type === "session.idle") this.watch.idle(session, this.directory);
    else if (type === "session.status" && properties.status?.type === "idle") this.watch.idle(session, this.directory);
    else if (type === "session.compacted") this.renew(session);
    else if (type === "session.deleted") this.watch.deleted(session, this.directory);
    else if (type === "message.part.updated") this.readPart(properties.part);
  }

  renew(session) {
    this.compacting.delete(session);
    this.memory.prepare(session, this.directory, "compact");
  }

  /** A finished text that still holds its block: this host stores it as it comes. */
  readPart(part) {
    if (part?.type !== "text" || !part.time?.end || findCitationBlocks(part.text).length === 0) return;
    this.cite(part.sessionID, part.messageID, part.text);
  }

  cite(session, message, text) {
    this.memory.cite({ session, message, cwd: this.directory }, text);
  }

  toolOf({ name, description, inputSchema }) {
    return {
      description,
      args: inputSchema?.properties ?? {},
      execute: async (args, context) => {
        const { sessionID: session, messageID: message, directory: cwd = this.directory, abort: signal } = context;
        return (await this.memory.call(name, args, { session, message, cwd }, { signal })).text;
      },
    };
  }
}

function noticePart({ id, sessionID }, text) {
  return { id: `prt_vademecum_${id}`, sessionID, messageID: id, type: "text", text, synthetic: true };
}
