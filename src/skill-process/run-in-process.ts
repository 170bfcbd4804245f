// Runs the code of a skill in a process of its own, with limits (D-252). A loop, memory without end, a run that does nothing, and
// all that its code does to itself end that process, and all that it has started.
import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { withoutOwnSecrets } from "../config/secret-files.ts";
import { wordsOf } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";
import type { Mutex } from "../domain/mutex.ts";
import { createLines } from "../domain/printable.ts";
import { HandlerLost } from "../domain/skill.ts";
import { own } from "../own-file.ts";
import type { SkillContext } from "../ports.ts";
import { answerOf } from "./context-in-process.ts";
import {
  type FromRun,
  messagePipe,
  type RunOrder,
  type RunQuestion,
  SaidByRun,
  type SkillAnswer,
  type StepWorkKind,
  type ToRun,
} from "./orders.ts";

/** Without `served` the code has no context. */
type Around = { readonly printed: Printed; readonly served?: Pick<ServingOfRun, "ctx" | "lockOf"> };

const CLOSED_MS = 1_000;
const MOST_OPEN = 10_000;
const NO_MESSAGE = "its code sends the server what is no message";
const PROGRAM = fileURLToPath(new URL(own("./skill-process.ts"), import.meta.url));

/**
 * Resolves with what the code returned, as JSON. Rejects with its error, or with `HandlerLost`. The process goes on, for steps
 * that nothing awaits, until `over`.
 */
export function runInProcess(order: RunOrder, limits: RunLimits, over: AbortSignal, around: Around): Promise<Json> {
  const { printed, served } = around;
  const ended = Promise.withResolvers<Json>();
  const { child, channel, end } = startRun(limits, printed);
  const pipe = messagePipe(channel, {
    line: (line) => {
      try {
        hearAll(line);
      } catch (error) {
        lose(`${NO_MESSAGE}: ${wordsOf(error)}`);
      }
    },
    tooLarge: () => lose(NO_MESSAGE),
    closed: () => loseSoon("its code has closed the pipe to the server"),
  });
  const say = (message: ToRun | RunOrder): void => pipe.send(message);
  let isOver = false;

  const lose = (why: string): void => {
    if (isOver) return;
    isOver = true;
    const error = new HandlerLost(why);
    context?.lose(error);
    ended.reject(error);
    watch.stop();
    served?.ctx.signal.removeEventListener("abort", abort);
    over.removeEventListener("abort", leave);
    end();
  };
  const loseSoon = (why: string): void => void setTimeout(() => lose(why), CLOSED_MS).unref();
  const leave = (): void => lose("its run is over");
  const abort = (): void => say({ is: "aborted", reason: wordsOf(served?.ctx.signal.reason) });
  const hear = (message: FromRun, obstacleTo: Obstacle): void => {
    watch.heard(message);
    if (message.is === "broke") lose(`an error that its code does not catch: ${message.why}`);
    else if (message.is !== "ended") context?.heard(message, obstacleTo);
    else if ("failed" in message.answer) ended.reject(new Error(message.answer.failed));
    else ended.resolve(parseWithin(message.answer.value, obstacleTo));
  };

  const watch = watchRun(child.pid, limits, { ask: () => say({ is: "alive" }), lose });
  const context = served && serveContext({ ...served, say, waits: watch.waits });
  const hearAll = (line: string): void => {
    const obstacleTo = valuesWithin(MOST_VALUES);
    for (const message of messagesIn(line)) hear(message, obstacleTo);
    if ((context?.open() ?? 0) > MOST_OPEN) lose(`it asks for more than ${MOST_OPEN} things at the same time`);
  };
  child.on("error", (error) => lose(`its process does not start: ${error.message}`));
  const endOf = (code: number | null, signal: string | null) =>
    `its process has ended with ${signal ?? `exit code ${code}`}`;
  child.on("exit", (...by) => loseSoon(endOf(...by)));
  // With all that it has said at last.
  child.on("close", (...by) => lose(endOf(...by)));
  say(order);
  over.addEventListener("abort", leave, { once: true });
  served?.ctx.signal.addEventListener("abort", abort, { once: true });
  if (served?.ctx.signal.aborted) abort();
  if (over.aborted) leave();
  return ended.promise;
}

function messagesIn(line: string): readonly FromRun[] {
  const { data: said } = SaidByRun.safeParse(parseWithin(line, valuesWithin(MOST_AROUND_VALUES)));
  if (said === undefined) throw new Error("it has another form");
  return said;
}

/** In a group of its own: what it has started ends with it. What the server was started with is for the server. */
function startRun({ memory_mb }: RunLimits, printed: Printed) {
  const run = randomUUID();
  const child = spawn(process.execPath, [`--max-old-space-size=${memory_mb}`, PROGRAM], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...withoutOwnSecrets(process.env), NODE_OPTIONS: "", [RUN]: run },
  });
  const [, out, err, channel] = child.stdio as unknown as [null, Readable, Readable, Duplex];
  hearPrinted([out, err], printed);
  const end = (): void => {
    endRun(child.pid, run);
    // What has escaped its end writes to nothing.
    setTimeout(() => [out, err, channel].map((stream) => stream.destroy()), CLOSED_MS).unref();
  };
  return { child, channel, end };
}

// Ends the process of a skill's run and all that it has started, in groups of their own too: each has the mark of the run in the
// environment that it began with.

/** The variable with the mark. */
const RUN = "ORCH_SKILL_RUN";

function endRun(pid: number | undefined, run: string): void {
  if (pid !== undefined) kill(-pid);
  void endMarked(Buffer.from(`${RUN}=${run}\0`));
}

async function endMarked(mark: Buffer): Promise<void> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    // That of another account cannot be read, and is not one of these.
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
    if (environment?.includes(mark)) kill(Number(pid));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended, and nothing of it is left.
  }
}

// Watches the process of a skill: it yields now and then, it does something, and it keeps to its memory.

export type RunLimits = {
  readonly memory_mb: number;
  /** How long its code may go on without yielding. */
  readonly loop_ms: number;
  /** How long it may wait for something else than the server. */
  readonly idle_ms: number;
};

type Watched = { readonly ask: () => void; readonly lose: (why: string) => void };

const LOOK_MS = 500;
const MB = 1024 * 1024;
/** What a process has before the code of a skill is loaded. */
const OWN_MB = 128;

function watchRun(pid: number | undefined, { memory_mb, loop_ms, idle_ms }: RunLimits, { ask, lose }: Watched) {
  let alive_at = performance.now();
  // Null until it is heard for the first time: to start takes as long as the machine is busy.
  let active_at: number | null = null;
  let waiting = 0;
  const look = async (): Promise<void> => {
    const now = performance.now();
    if (now - alive_at > loop_ms) return lose(`its code has not yielded for ${loop_ms / 1000} s`);
    if (active_at !== null && waiting === 0 && now - active_at > idle_ms)
      return lose(`it has done nothing for ${idle_ms / 60_000} min`);
    ask();
    if ((await residentBytes(pid)) > (memory_mb + OWN_MB) * MB) lose(`it uses more than ${memory_mb} MiB of memory`);
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    heard: ({ is }: FromRun): void => {
      alive_at = performance.now();
      if (is !== "alive" || active_at === null) active_at = alive_at;
    },
    waits: (isWaiting: boolean): void => {
      waiting += isWaiting ? 1 : -1;
      active_at = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

const PAGE_BYTES = 4096;

/** 0 where the system does not say. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
  return Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
}

// Does in the server what a skill asks for in its process, each within the step in which the skill asks it.

/** What the server has of a context; `exclusive` is of the skill. A tool has no steps, and asks for nothing. */
export type ServedContext = Pick<SkillContext, "contract" | "signal" | "call" | "listTools"> &
  Partial<Pick<SkillContext, "step" | "progress" | "approvals">>;

type AskedByRun = Extract<FromRun, { is: "asks" }>;

type ServingOfRun = {
  readonly ctx: ServedContext;
  /** The mutex of a name, for all runs of the skill. */
  readonly lockOf: (name: string) => Pick<Mutex, "run">;
  readonly say: (message: ToRun) => void;
  /** The run waits for the server, or does no more. */
  readonly waits: (isWaiting: boolean) => void;
};

function serveContext({ ctx, lockOf, say, waits }: ServingOfRun) {
  const works = stepWorks(say);
  const locks = heldLocks(lockOf, ctx.signal);
  let open = 0;
  let last_id = 0;

  const doAsked = (id: number, asked: RunQuestion, obstacleTo: Obstacle): Promise<unknown> => {
    switch (asked.ask) {
      case "call":
        return ctx.call(asked.server, asked.tool, parseWithin(asked.args, obstacleTo));
      case "listTools":
        return ctx.listTools(asked.server);
      case "exclusive":
        return locks.hold(id, asked.name);
      case "step": {
        const cut_off = asked.cut_off === "work" ? works.of(id, "cut_off") : asked.cut_off;
        const { step = unavailable } = ctx;
        // The journal refuses a name that is none.
        const name = asked.name as string;
        return cut_off === null ? step(name, works.of(id, "run")) : step(name, works.of(id, "run"), cut_off);
      }
      case "request":
        return (ctx.approvals?.request ?? unavailable)(parseWithin(asked.content, obstacleTo));
      case "wait":
        return (ctx.approvals?.wait ?? unavailable)(asked.approval_id);
    }
  };

  const answer = async ({ id, within, asked }: AskedByRun, obstacleTo: Obstacle): Promise<void> => {
    // A step waits for the process.
    const isWait = asked.ask !== "step";
    if (isWait) waits(true);
    open += 1;
    const answered = await works.inside(within, () => answerOf(() => doAsked(id, asked, obstacleTo)));
    open -= 1;
    if (isWait) waits(false);
    say({ is: "answered", id, answer: answered });
  };

  return {
    heard: (message: FromRun, obstacleTo: Obstacle): void => {
      if (message.is === "asks") {
        // Two with one id would wait for the answer of one.
        if (message.id <= last_id) throw new Error("it asks twice with one id");
        last_id = message.id;
        void answer(message, obstacleTo);
      }
      if (message.is === "stepped") works.settle(message.id, message.answer, obstacleTo);
      else if (message.is === "released") locks.release(message.id);
      else if (message.is === "progressed") ctx.progress?.(Number(message.done), Number(message.total), message.text);
    },
    /** How much it has asked for that has no answer yet. */
    open: () => open,
    /** Nothing that is under way there has an answer any more. */
    lose: (error: HandlerLost): void => {
      locks.releaseAll();
      works.lose(error);
    },
  };
}

/** The works of steps, which the process does. */
function stepWorks(say: ServingOfRun["say"]) {
  const inside = new Map<number, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  const working = new Map<number, PromiseWithResolvers<Json>>();
  let lost: HandlerLost | null = null;
  return {
    of: (id: number, which: StepWorkKind) => async (): Promise<Json> => {
      if (lost !== null) throw lost;
      const done = Promise.withResolvers<Json>();
      inside.set(id, AsyncLocalStorage.snapshot());
      working.set(id, done);
      say({ is: "work", id, which });
      try {
        return await done.promise;
      } finally {
        working.delete(id);
        inside.delete(id);
      }
    },
    /** Runs it as a part of the step, as the journal sees it. */
    inside: (step: number | null, run: () => Promise<SkillAnswer>): Promise<SkillAnswer> => {
      const enter = step === null ? undefined : inside.get(step);
      return enter === undefined ? run() : enter(run);
    },
    settle: (id: number, answer: SkillAnswer, obstacleTo: Obstacle): void => {
      if ("failed" in answer) working.get(id)?.reject(new Error(answer.failed));
      else working.get(id)?.resolve(parseWithin(answer.value, obstacleTo));
    },
    lose: (error: HandlerLost): void => {
      lost = error;
      for (const done of working.values()) done.reject(error);
    },
  };
}

const MAX_NAME = 200;
const MAX_HELD = 1_000;

/** The locks that a run holds. */
function heldLocks(lockOf: ServingOfRun["lockOf"], signal: AbortSignal) {
  const held = new Map<number, () => void>();
  let isOver = false;
  const release = (id: number): void => {
    held.get(id)?.();
    held.delete(id);
  };
  return {
    hold: (id: number, name: string): Promise<null> => {
      if (name.length > MAX_NAME)
        return Promise.reject(new Error(`the name of a lock has at most ${MAX_NAME} characters`));
      if (held.size >= MAX_HELD)
        return Promise.reject(new Error(`a run holds at most ${MAX_HELD} locks at the same time`));
      const { promise, resolve, reject } = Promise.withResolvers<null>();
      const untilReleased = () =>
        new Promise<void>((free) => {
          if (isOver) return free();
          held.set(id, free);
          resolve(null);
        });
      lockOf(name).run(untilReleased, signal).catch(reject);
      return promise;
    },
    release,
    releaseAll: (): void => {
      isOver = true;
      for (const id of [...held.keys()]) release(id);
    },
  };
}

const unavailable = (): Promise<never> =>
  Promise.reject(new Error("a tool of a skill has neither steps nor approvals"));

// What JSON the server parses for the code of a skill, on its event loop: the time follows from how many values a text holds, and not
// from its length. Text of 24 MB that is all brackets takes 7 s (D-252).

/** Of all that is in the values of one line, and of what is around them. */
const MOST_VALUES = 200_000;
const MOST_AROUND_VALUES = 32_000;
const MOST_LEVELS = 100;

/** Why a text is not to be parsed; null when it may be. */
type Obstacle = (text: string) => string | null;

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');

/** For texts that hold so many values together. */
export function valuesWithin(most: number): Obstacle {
  let values = 0;
  return (text) => {
    let levels = 0;
    let isQuoted = false;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charCodeAt(at);
      if (isQuoted) {
        if (sign === BACKSLASH) at += 1;
        else if (sign === QUOTE) isQuoted = false;
      } else if (sign === QUOTE) isQuoted = true;
      else if (sign === COMMA) values += 1;
      else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
        values += 1;
        levels += 1;
      } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) levels -= 1;
      if (values > most) return `it holds more than ${most} values; keep them in one text, or in several steps`;
      if (levels > MOST_LEVELS) return `it is nested deeper than ${MOST_LEVELS} levels; flatten it`;
    }
    return null;
  };
}

export function parseWithin(text: string, obstacleTo: Obstacle) {
  const obstacle = obstacleTo(text);
  if (obstacle !== null) throw new Error(obstacle);
  return JSON.parse(text);
}

// What the code of a skill prints goes to the log of the server as text of that skill, line by line: it is never a line of the log
// itself, and what is secret in it is redacted there.

/** Hears each line that is not empty, of a number of lines. */
export type Printed = (line: string) => void;

const MAX_LINE_BYTES = 65_536;
const MAX_LINES = 1_000;

function hearPrinted(streams: readonly Readable[], printed: Printed): void {
  let lines = 0;
  const hear = (line: string | null): void => {
    lines += 1;
    if (lines === MAX_LINES + 1) printed(`[no more than ${MAX_LINES} lines of a run are kept]`);
    else if (lines <= MAX_LINES && line !== "") printed(line ?? `[a line of more than ${MAX_LINE_BYTES} bytes]`);
  };
  for (const stream of streams) {
    const cut = createLines(MAX_LINE_BYTES, hear);
    // What is not kept is not cut into lines either.
    const take = (chunk: Buffer): void => void (lines <= MAX_LINES && cut(chunk));
    stream.on("data", take);
    // A last line without its end.
    stream.once("end", () => take(Buffer.from("\n")));
    stream.once("error", () => undefined);
  }
}
