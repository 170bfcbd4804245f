// The process in which the code of a skill runs [2.skill.handler]: one run of a handler, one use of a tool, or its description. What it
// does to itself (an error that nothing catches, an exit, a loop, memory) ends this process and not the server (D-252).
import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import { basename } from "node:path";
import { Worker } from "node:worker_threads";
import { wordsOf } from "../../../domain/errors.ts";
import { own } from "../../../own-file.ts";
import { answerOf, contextInProcess } from "./context-in-process.ts";
import { type FromRun, MOST_AT_ONCE, messagePipe, PIPE_FD, type RunOrder, type ToRun } from "./orders.ts";
import { describeSkill, loadHandler, loadTools, offerImports, placeIn } from "./skill-module.ts";

const HEARD_MS = 5_000;
const server = process.ppid;
const unsaid: FromRun[] = [];
type Heard = Exclude<ToRun, { readonly is: "alive" }>;
/** The first message is the order. */
let hear = (message: unknown): void => void obey(message as RunOrder);
const pipe = messagePipe(new Socket({ fd: PIPE_FD, readable: true, writable: true }), {
  line: (line) => {
    const message: ToRun | RunOrder = JSON.parse(line);
    if (message.is === "alive") say({ is: "alive" });
    else hear(message);
  },
  tooLarge: () => process.exit(1),
  closed: () => process.exit(1),
});

/** What the code asks for at once arrives at once: a step does not start before the approval that is requested beside it. */
function say(message: FromRun): void {
  if (unsaid.length === 0) setImmediate(() => sayAll());
  unsaid.push(message);
}

function sayAll(sent?: () => void): void {
  const said = unsaid.splice(0, MOST_AT_ONCE);
  if (unsaid.length > 0) setImmediate(() => sayAll(sent));
  pipe.send(said, unsaid.length > 0 ? undefined : sent);
}

function sparingTheServer(): void {
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => {
    if (signal !== 0 && (pid === server || pid === -1))
      throw new Error("the code of a skill cannot end the server that runs it");
    return kill(pid, signal);
  };
}

function endingWithTheServer(): void {
  new Worker(new URL(own("./lifeline.ts"), import.meta.url), { workerData: server, execArgv: [] }).unref();
  process.on("uncaughtException", (error) => {
    unsaid.push({ is: "broke", why: wordsWithPlace(error) });
    // The server ends this process once it has read why. One that exits at once can take the words with it: what it has not read
    // itself breaks the pipe.
    sayAll(() => setTimeout(() => process.exit(1), HEARD_MS));
  });
}

async function run(order: RunOrder): Promise<unknown> {
  if (order.is === "describe") return describeSkill(order.file);
  const { ctx, heard } = contextInProcess(order.contract, say);
  hear = (message) => heard(message as Heard);
  if (order.is === "handle") {
    const { handle } = await loadHandler(order.file);
    return sayingWhere(() => handle(ctx, ctx.contract));
  }
  const tool = (await loadTools(order.file)).find(({ name }) => name === order.tool);
  if (tool === undefined) throw new Error(`the skill no longer has a tool ${order.tool}`);
  return tool.run(ctx, tool.parameters.parse(JSON.parse(order.given)) as never);
}

async function sayingWhere(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (placeOf(error) === null) throw error;
    throw new Error(wordsWithPlace(error));
  }
}

/** With the file and the line of the skill that threw. */
function wordsWithPlace(error: unknown): string {
  const place = placeOf(error);
  return `${wordsOf(error)}${place === null ? "" : ` (${basename(place.file)}:${place.line})`}`;
}

const placeOf = (error: unknown) => placeIn(error) ?? (error instanceof Error ? placeIn(error.cause) : null);

async function obey(order: RunOrder): Promise<void> {
  offerImports(order.offered);
  say({ is: "ended", answer: await answerOf(() => run(order)) });
  // It is killed, so it would leave nothing for the next one.
  if (order.is === "describe") flushCompileCache();
}

// As for steps: others can read what a skill deploys, also where the server writes private files.
process.umask(0o022);
endingWithTheServer();
sparingTheServer();
