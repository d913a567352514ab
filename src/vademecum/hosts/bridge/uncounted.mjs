/**
 * Citations on their way to the child, one after the other. What is not counted because the child is away waits here
 * until it is back, with no more of an answer than its citation blocks. The child counts the same message once, so what
 * may have been counted already is sent again.
 */

import { Away, Refused } from "./child.mjs";

const MAX_WAITING = 200;
/** More is no citation block that somebody wrote. */
const MAX_CHARACTERS = 20_000;
/** One that takes the child down each time must not do so for ever. */
const MAX_TRIES = 3;

export class Uncounted {
  /** `send`: tells one citation to the child; rejects with ChildError. */
  constructor(send) {
    this.send = send;
    /** Citation -> how often the child was lost over it; in the order in which they were made. */
    this.waiting = new Map();
    this.isSending = false;
    /** The one that is on its way. */
    this.current = null;
  }

  /** @param {{session: string, message: string, cwd: string, text: string}} citation */
  add(citation) {
    if (citation.text.length > MAX_CHARACTERS) return;
    this.waiting.set(citation, 0);
    if (this.waiting.size > MAX_WAITING) this.waiting.delete(this.waiting.keys().next().value);
    this.sendAll();
  }

  /** Send what waits, as far as the child takes it. */
  async sendAll() {
    if (this.isSending) return;
    this.isSending = true;
    for (const citation of this.waiting.keys()) {
      this.current = citation;
      if (!(await this.isDone(citation))) break;
      this.waiting.delete(citation);
    }
    this.current = null;
    this.isSending = false;
  }

  /** Whether nothing is left to be done for a citation. */
  async isDone(citation) {
    try {
      await this.send(citation);
      return true;
    } catch (error) {
      if (error instanceof Refused) return true;
      if (error instanceof Away) return false;
      if (!this.waiting.has(citation)) return true;
      const tries = this.waiting.get(citation) + 1;
      this.waiting.set(citation, tries);
      return tries >= MAX_TRIES;
    }
  }

  /** The child is about to be ended: tell it everything at once, for nobody will wait for an answer. */
  sendTheRest() {
    for (const citation of this.waiting.keys()) {
      if (citation !== this.current) this.send(citation).catch(() => {});
    }
    this.waiting.clear();
  }
}
