// Runs the code of a skill in a process of its own, with limits (D-252). A loop, memory without end, a run that does nothing, and
// all that its code does to itself end that process, and all that it has started.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { withoutOwnSecrets } from "../../../config/secret-files.ts";
import { wordsOf } from "../../../domain/errors.ts";
import type { Json } from "../../../domain/json.ts";
import { createLines } from "../../../domain/output-lines.ts";
import { HandlerLost } from "../../../domain/skill.ts";
import { own } from "../../../own-file.ts";
import { type FromRun, messagePipe, type RunOrder, SaidByRun, type ToRun } from "./orders.ts";
import {
  MOST_AROUND_VALUES,
  MOST_VALUES,
  type Obstacle,
  parseWithin,
  type ServingOfRun,
  serveContext,
  valuesWithin,
} from "./serve-context.ts";

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

/** The variable with the mark. */
const RUN = "ORCH_SKILL_RUN";

/**
 * Ends the process of a skill's run and all that it has started, in groups of their own too: each has the mark of the run in the
 * environment that it began with.
 */
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

/** Watches the process of a skill: it yields now and then, it does something, and it keeps to its memory. */
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

/** Hears each line that is not empty, of a number of lines. */
export type Printed = (line: string) => void;

const MAX_LINE_BYTES = 65_536;

const MAX_LINES = 1_000;

/**
 * What the code of a skill prints goes to the log of the server as text of that skill, line by line: it is never a line of the
 * log itself, and what is secret in it is redacted there.
 */
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
