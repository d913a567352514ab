/** What happens to the sessions of a host, told to the memory: each first prompt and each end of a turn once. */

import { LruMap } from "./lru.mjs";

const MAX_BEGUN = 1_000;
const MAX_IDLE = 500;
/** Hosts tell of one end of a turn by two events. */
const TWIN_MS = 5_000;

export class SessionWatch {
  /** `server`: the address that the host says it can be asked at; whether it is, our own server finds out. */
  constructor(memory, { server = "", now = () => performance.now() } = {}) {
    this.memory = memory;
    this.server = server;
    this.now = now;
    /** Sessions that were made while we looked on. */
    this.made = new LruMap(MAX_BEGUN);
    this.begun = new LruMap(MAX_BEGUN);
    this.idleAt = new LruMap(MAX_IDLE);
  }

  /** A session was made: its block is asked for before anybody needs it. */
  created(session, cwd) {
    if (!session) return;
    this.made.set(session, true);
    this.memory.prepare(session, cwd, "start");
  }

  /** The event that a session is first asked about with. */
  beginningOf(session) {
    return this.made.has(session) ? "start" : "resume";
  }

  prompted(session, cwd) {
    if (!session) return;
    this.memory.prepare(session, cwd, this.beginningOf(session));
    this.idleAt.delete(session);
    if (this.begun.get(session)) return;
    this.begun.set(session, true);
    this.memory.tell(session, cwd, "prompt", this.server);
  }

  idle(session, cwd) {
    if (!session) return;
    const now = this.now();
    if (now - (this.idleAt.get(session) ?? -Infinity) < TWIN_MS) return;
    this.idleAt.set(session, now);
    this.memory.tell(session, cwd, "stop", this.server);
  }

  deleted(session, cwd) {
    if (!session) return;
    this.memory.forgetSession(session);
    this.memory.tell(session, cwd, "deleted", this.server);
  }
}
