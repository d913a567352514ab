/**
 * One child process that speaks JSON-RPC 2.0 over its standard streams, one message a line.
 *
 * It is started when somebody first asks it something, and again after it died, ever more rarely where it keeps dying.
 * Every request ends: with an answer, an error, or its time limit. A child that lets a time limit pass is taken for
 * hanging and is ended. Nothing is printed, and neither the process nor a pipe keeps the host alive.
 */

import { spawn } from "node:child_process";

import { LineReader, MAX_LINE_CHARACTERS } from "./lines.mjs";

export const REQUEST_MS = 10_000;
/** A child that lived so long has started well: the next start after its death is not delayed. */
const STEADY_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 300_000;
const LAST_BREATH_MS = 1_000;
/** A child that says so much between two answers that is none is taken for ill. */
const MAX_NOISE_CHARACTERS = MAX_LINE_CHARACTERS;
/** A short line costs a host as much as one of so many characters. */
const LINE_CHARACTERS = 100;

/** There is no answer: the child was lost over it, or was too late, unless it is one of these. */
export class ChildError extends Error {}
/** The child is not there: it was not asked. */
export class Away extends ChildError {}
/** The child answered with an error. */
export class Refused extends ChildError {}

export class Child {
  /**
   * @param {object} settings
   * @param {string[]} settings.command program and arguments
   * @param {Record<string, string>} [settings.environ] variables beside those of this process
   * @param {() => number} [settings.now] a clock in milliseconds that never goes back
   */
  constructor({ command, environ = {}, now = () => performance.now() }) {
    this.settings = { command, environ, now };
    this.nextId = 1;
    this.pauseMs = 0;
    this.notBefore = -Infinity;
    this.isDisposed = false;
    /** @type {Run | null} */
    this.run = null;
  }

  /** Start the child, unless it runs, or died so shortly ago that it would only die again. */
  start() {
    if (this.run || this.isDisposed || this.settings.now() < this.notBefore) return;
    const run = new Run(this);
    this.run = run;
    run.begin();
  }

  /**
   * What the child answers. Rejects with ChildError.
   *
   * @param {object} [options]
   * @param {number} [options.limitMs] how long an answer may take
   * @param {boolean} [options.holdsHost] whether the host shall stay alive for it
   * @param {number} [options.patienceMs] a pause before the next start is waited out where it is no longer than this
   * @param {AbortSignal} [options.signal] ends it early
   */
  async request(method, params, { limitMs = REQUEST_MS, holdsHost = false, patienceMs = 0, signal } = {}) {
    const pauseMs = this.run ? 0 : this.notBefore - this.settings.now();
    if (pauseMs > 0 && pauseMs <= patienceMs) await rest(Math.ceil(pauseMs) + 1, holdsHost); // a timer may be early by a fraction
    this.start();
    if (!this.run) throw new Away(this.isDisposed ? "memory has ended" : "memory is not running");
    return await this.run.exchange(method, params, { limitMs, holdsHost, signal });
  }

  /** End the child for good: it sees that nobody speaks to it any more, and is killed where that does not help. */
  dispose() {
    this.isDisposed = true;
    this.run?.close();
  }

  /** Called by a run when its process is at its end. */
  ended(run) {
    if (this.run !== run) return;
    this.run = null;
    const now = this.settings.now();
    const wasSteady = now - run.startedAt >= STEADY_MS;
    this.pauseMs = wasSteady ? 0 : Math.min(Math.max(FIRST_PAUSE_MS, this.pauseMs * 2), LAST_PAUSE_MS);
    this.notBefore = now + this.pauseMs;
  }
}

/** One life of the process. */
class Run {
  constructor(child) {
    this.child = child;
    this.startedAt = child.settings.now();
    this.pending = new Map();
    this.noiseCharacters = 0;
    this.isOver = false;
  }

  begin() {
    const { command, environ } = this.child.settings;
    try {
      this.process = spawn(command[0], command.slice(1), {
        stdio: ["pipe", "pipe", "ignore"],
        env: { ...process.env, ...environ },
        windowsHide: true,
      });
    } catch {
      this.end();
      return;
    }
    const { stdin, stdout } = this.process;
    for (const emitter of [this.process, stdin, stdout]) {
      emitter?.on("error", () => this.kill());
      emitter?.unref?.();
    }
    this.process.on("exit", () => this.end());
    // Where the host has no file descriptor left, there is a process object without streams, whose error comes later.
    if (!stdin || !stdout) return this.end();
    this.lines = new LineReader(stdout, { take: (line) => this.take(line), refuse: () => this.kill() });
  }

  /** Send one request and wait for its answer. */
  exchange(method, params, { limitMs, holdsHost, signal }) {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(new ChildError("memory has ended"));
      const id = this.child.nextId++;
      const giveUp = (reason) => {
        this.settle(id)?.reject(new ChildError(reason));
        this.send({ method: "notifications/cancelled", params: { requestId: id, reason } });
      };
      const timer = setTimeout(() => {
        giveUp(`memory did not answer within ${limitMs} ms`);
        this.kill();
      }, limitMs);
      if (!holdsHost) timer.unref?.();
      const abort = () => giveUp("the host ended the call");
      signal?.addEventListener("abort", abort, { once: true });
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      this.pending.set(id, { resolve, reject, release });
      this.send({ id, method, params });
      if (signal?.aborted) abort();
    });
  }

  /** Take a request off the list; undefined where it is not there any more. */
  settle(id) {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    waiting?.release();
    return waiting;
  }

  send(message) {
    if (this.isOver || !this.process.stdin.writable) return;
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  take(line) {
    const message = messageIn(line);
    const waiting = this.settle(message?.id);
    if (!waiting) return this.passOver(line);
    this.noiseCharacters = 0;
    if (message.error) waiting.reject(new Refused(String(message.error.message)));
    else waiting.resolve(message.result ?? {});
  }

  /** A late answer, or what a program of the child printed. */
  passOver(line) {
    this.noiseCharacters += LINE_CHARACTERS + line.length;
    if (this.noiseCharacters > MAX_NOISE_CHARACTERS) this.kill();
  }

  close() {
    this.process?.stdin.end();
    setTimeout(() => this.kill(), LAST_BREATH_MS).unref?.();
  }

  kill() {
    this.process?.kill("SIGKILL");
    this.end();
  }

  end() {
    if (this.isOver) return;
    this.isOver = true;
    this.lines?.close();
    for (const id of [...this.pending.keys()]) this.settle(id).reject(new ChildError("memory has ended"));
    this.child.ended(this);
  }
}

function rest(ms, holdsHost) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    if (!holdsHost) timer.unref?.();
  });
}

/** The message that a line is; null where it is none. */
function messageIn(line) {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
