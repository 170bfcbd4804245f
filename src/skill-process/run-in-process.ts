// Runs the code of a skill in a process of its own, with limits (D-252). A loop, memory without end, a run that does nothing, and
// all that its code does to itself end that process, and all that it has started.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { withoutOwnSecrets } from "../config/secret-files.ts";
import { wordsOf } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";
import { HandlerLost } from "../domain/skill.ts";
import { own } from "../own-file.ts";
import { endRun, RUN } from "./end-run.ts";
import { messagePipe } from "./message-pipe.ts";
import { type FromRun, type RunOrder, SaidByRun, type ToRun } from "./orders.ts";
import { hearPrinted, type Printed } from "./printed.ts";
import { type ServingOfRun, serveContext } from "./serve-context.ts";
import { MOST_AROUND_VALUES, MOST_VALUES, type Obstacle, parseWithin, valuesWithin } from "./value-bounds.ts";
import { type RunLimits, watchRun } from "./watch-run.ts";

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
    ...{ detached: true, stdio: ["ignore", "pipe", "pipe", "pipe"] },
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
