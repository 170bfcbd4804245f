// The process in which the code of a skill runs [2.skill.handler]: one run of a handler, one use of a tool, or its description. What it
// does to itself (an error that nothing catches, an exit, a loop, memory) ends this process and not the server (D-252).
import { Worker } from "node:worker_threads";
import { wordsOf } from "../domain/errors.ts";
import { answerOf, contextInProcess } from "./context-in-process.ts";
import type { FromRun, RunOrder, ToRun } from "./orders.ts";
import { describeSkill, loadHandler, loadTools, offerImports } from "./skill-module.ts";

const server = process.ppid;
let unsaid: FromRun[] = [];

/** What the code asks for at once arrives at once: a step does not start before the approval that is requested beside it. */
function say(message: FromRun): void {
  if (unsaid.length === 0) setImmediate(sayAll);
  unsaid.push(message);
}

function sayAll(sent: () => void = () => undefined): void {
  const said = unsaid;
  unsaid = [];
  process.send?.(said, undefined, undefined, sent);
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
  new Worker(new URL("./lifeline.ts", import.meta.url), { workerData: server, execArgv: [] }).unref();
  process.once("disconnect", () => process.exit(1));
  process.on("uncaughtException", (error) => {
    unsaid.push({ is: "broke", why: wordsOf(error) });
    sayAll(() => process.exit(1));
  });
}

async function run(order: RunOrder): Promise<unknown> {
  if (order.is === "describe") return describeSkill(order.file);
  const { ctx, heard } = contextInProcess(order.contract, say);
  process.on("message", (message: ToRun) => heard(message));
  if (order.is === "handle") return (await loadHandler(order.file)).handle(ctx, ctx.contract);
  const tool = (await loadTools(order.file)).find(({ name }) => name === order.tool);
  if (tool === undefined) throw new Error(`the skill no longer has a tool ${order.tool}`);
  return tool.run(ctx, tool.parameters.parse(JSON.parse(order.given)) as never);
}

endingWithTheServer();
sparingTheServer();
process.once("message", async (order: RunOrder) => {
  offerImports(order.offered);
  say({ is: "ended", answer: await answerOf(() => run(order)) });
});
