/**
 * Lines out of a stream, whole and of bounded length, a few at a time: however much a child sends, and however fast,
 * the host's own work comes between.
 */

/** An answer of ours has 24 KB, the list of tools 30 KB; reading so much takes a host a few milliseconds. */
export const MAX_LINE_CHARACTERS = 1024 * 1024;
/** So long lines are looked at in one go. */
const SLICE_MS = 8;

export class LineReader {
  /**
   * @param {import("node:stream").Readable} stream
   * @param {object} callbacks
   * @param {(line: string) => void} callbacks.take called with each line
   * @param {() => void} callbacks.refuse called once, where a line is too long; nothing is read any more
   */
  constructor(stream, { take, refuse }) {
    this.stream = stream;
    this.take = take;
    this.refuse = refuse;
    /** Texts that were not looked at yet, and how far the first one was. */
    this.waiting = [];
    this.position = 0;
    /** The beginning of a line whose end has not come yet. */
    this.begun = [];
    this.begunCharacters = 0;
    this.isWorking = false;
    this.isClosed = false;
    stream.setEncoding("utf8");
    stream.on("data", (text) => this.receive(text));
  }

  /** Read nothing any more. */
  close() {
    this.isClosed = true;
    this.waiting = [];
    this.begun = [];
    this.stream.destroy();
  }

  receive(text) {
    if (this.isClosed) return;
    this.waiting.push(text);
    if (this.isWorking) return;
    this.isWorking = true;
    this.work();
  }

  work() {
    const end = performance.now() + SLICE_MS;
    while (!this.isClosed && this.waiting.length) {
      if (performance.now() >= end) {
        this.stream.pause();
        setImmediate(() => this.work()).unref?.();
        return;
      }
      this.takeNext();
    }
    this.isWorking = false;
    if (!this.isClosed && this.stream.isPaused()) this.stream.resume();
  }

  /** Look at the text up to the next end of a line. */
  takeNext() {
    const [text] = this.waiting;
    const end = text.indexOf("\n", this.position);
    const piece = text.slice(this.position, end < 0 ? undefined : end);
    this.begun.push(piece);
    this.begunCharacters += piece.length;
    if (end < 0) this.waiting.shift();
    this.position = end + 1;
    if (this.begunCharacters > MAX_LINE_CHARACTERS) {
      this.close();
      this.refuse();
    } else if (end >= 0) {
      const line = this.begun.join("");
      this.begun = [];
      this.begunCharacters = 0;
      this.take(line);
    }
  }
}
