// What many SOPs and many waiting tasks cost.
import { randomUUID } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { targetSignature } from "../../src/domain/contract.ts";
import type { Sop } from "../../src/domain/sop.ts";
import type { Engine } from "../support/engine.ts";
import { median, ms, row, timed, times } from "./table.ts";
import { submitTrue, trueSteps } from "./true-tasks.ts";

const BATCH = 500;

async function storeSops(engine: Engine, from: number, to: number): Promise<void> {
  const pattern: Sop = await engine.learn("restart", { service: `pattern-${from}` }, trueSteps(10));
  for (let start = from; start < to; start += BATCH) {
    const changes = Array.from({ length: Math.min(BATCH, to - start) }, (_, n) => {
      const target = { service: `many-${start + n}` };
      const sop = { ...pattern, sop_id: randomUUID(), target, target_signature: targetSignature(target) };
      return { on: "sop_created", sop } as const;
    });
    const result = await engine.store.commit({ thread_id: `bench/${start}`, after: null, events: [], changes });
    if (!result.ok) throw new Error("the SOPs of the bench were not stored");
  }
}

const lookUp = async (engine: Engine, among: number): Promise<number> => {
  const once = () => engine.store.findActiveSop("restart", `service=many-${Math.floor(Math.random() * among)}`);
  for (let n = 0; n < 200; n++) await once();
  const taken: number[] = [];
  for (let n = 0; n < 1_000; n++) taken.push(await timed(once));
  return median(taken);
};

export async function benchLookUp(engine: Engine): Promise<void> {
  await storeSops(engine, 0, 100);
  const few = await lookUp(engine, 100);
  await storeSops(engine, 100, 100_000);
  const many = await lookUp(engine, 100_000);
  row("SOP look-up", ["100", ms(few)], ["100,000", ms(many)], ["ratio", times(many / few)]);
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const heapUsed = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

export async function benchWaiting(engine: Engine, tasks: number): Promise<void> {
  await engine.learn("deploy", { service: "guarded" }, trueSteps(10), { safety_level: "approval_required" });
  const ask = async (n: number) => {
    const task = await engine.submit({ task_id: `waiting-${n}`, target: { service: "guarded" }, success_criteria: [] });
    if (task.status !== "need_approval") throw new Error(`a waiting task is ${task.status}`);
  };
  for (let n = 0; n < 100; n++) await ask(-n - 1);
  const before = heapUsed();
  let next = 0;
  const worker = async () => {
    while (next < tasks) await ask(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const kept = (heapUsed() - before) / tasks;
  // The collector and the last pauses come to rest first.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const cpu = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const { user, system } = process.cpuUsage(cpu);
  row(
    `${tasks} tasks waiting for approval`,
    ["heap each", `${Math.round(kept)} B`],
    ["idle CPU", `${((user + system) / 20_000).toFixed(2)} %`],
  );
}

export async function benchBytes(engine: Engine): Promise<void> {
  const pages = async () => {
    const [count] = await engine.database.client.$queryRawUnsafe<{ page_count: bigint }[]>("PRAGMA page_count");
    const [free] = await engine.database.client.$queryRawUnsafe<{ freelist_count: bigint }[]>("PRAGMA freelist_count");
    return (Number(count?.page_count) - Number(free?.freelist_count)) * 4096;
  };
  await engine.learn("deploy", { service: "bytes" }, trueSteps(10));
  const before = await pages();
  for (let n = 0; n < 100; n++) await submitTrue(engine, "bytes");
  row("bytes stored per task of 10 steps", ["bytes", String(Math.round(((await pages()) - before) / 100))]);
}
