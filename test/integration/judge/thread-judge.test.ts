// The thread that judges: it answers as the functions do, and what it does not answer is refused.
import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { examinePlan, type Plan } from "../../../src/engine/policy/judge-plan.ts";
import { readReply } from "../../../src/features/agents/model/read-reply.ts";
import { HOSTILE_SHAPES } from "../../../src/guard/test/guard/hostile-shapes.ts";
import { createJudges, type Judges } from "../../../src/judge/thread-judge.ts";
import { mendsOf } from "../../../src/proof/proof.ts";
import { aContract, cmd } from "../../support/builders.ts";

const LIMITS = { hang_ms: 60_000, patience_ms: 60_000, max_waiting: 100 };
const open: Judges[] = [];
const judging = (limits: Partial<typeof LIMITS> = {}, protected_paths: string[] = []) => {
  const judges = createJudges({ protected_paths }, { ...LIMITS, ...limits });
  open.push(judges);
  return judges;
};
afterAll(() => Promise.all(open.map(({ close }) => close())));

const planOf = (...texts: readonly string[]): Plan => ({
  contract: aContract(),
  steps: texts.map(cmd),
  safety_level: "standard",
  intent: "deploy",
  context: { home: "/home/op", remote: false },
  proved: false,
});
const HOSTILE = HOSTILE_SHAPES.slice(0, 60).map(([, text]) => text);
const LOST = "the thread that judges has ended";

describe("a judgement in the thread", () => {
  test("is that of the function", async () => {
    const { ofTasks } = judging();
    const plan = planOf("echo 'git reset --hard' > a.sh", "bash a.sh", "ls | $x", "docker ps");
    expect(await ofTasks(examinePlan, plan)).toEqual(examinePlan(plan));
  });

  test("reads what a model wrote beside what tools said, while the event loop goes on", async () => {
    const { ofTasks } = judging();
    const tools = [{ name: "shell", description: "", parameters: {} }];
    const call = '{"name": "shell", "arguments": {"command": "id"}}';
    const beside = { messages: [], tools, data: ['{"\\'.repeat(200_000), call] };
    const reading = ofTasks(readReply, `${call}\n${call.replace("id", "ls")}`, beside);
    const [first] = await Promise.all([Promise.race([reading, setTimeout(20, "the event loop")]), reading]);
    expect(first).toBe("the event loop");
    expect(await reading).toMatchObject({ calls: [{ name: "shell", arguments: { command: "ls" } }], quoted: 1 });
  });

  test("knows the paths that the site protects", async () => {
    const { ofRequests } = judging({}, ["/only-of-this-site"]);
    const { findings } = await ofRequests(examinePlan, planOf("rm -rf /only-of-this-site"));
    expect(findings.map(({ code }) => code)).toEqual(["rm.wide"]);
    expect(examinePlan(planOf("rm -rf /only-of-this-site")).findings).toEqual([]);
  });

  test("that throws is refused, and the next one is answered", async () => {
    const { ofTasks } = judging();
    await expect(ofTasks(examinePlan, {} as never)).rejects.toThrow(TypeError);
    expect(await ofTasks(mendsOf, "ls")).toEqual([]);
  });

  test("that cannot be handed over is refused, and the next one is answered", async () => {
    const { ofTasks } = judging();
    await expect(ofTasks(mendsOf, (() => "ls") as never)).rejects.toThrow("could not be cloned");
    expect(await ofTasks(mendsOf, "ls")).toEqual([]);
  });

  test("is a mistake where the thread does not know the function", () => {
    const { ofTasks } = judging();
    expect(() => ofTasks((text: string) => text, "ls")).toThrow("is not among the judgements");
  });
});

describe("a thread that ends while it judges", () => {
  test("allows nothing, and another one judges what waits", async () => {
    const { ofTasks, ofRequests, close } = judging();
    const lost = ofTasks(examinePlan, planOf(...HOSTILE));
    const later = ofRequests(examinePlan, planOf("rm -rf /usr"));
    await close();
    await expect(lost).rejects.toThrow(LOST);
    expect((await later).findings).toMatchObject([{ code: "rm.wide" }]);
  });

  test("is also one that takes longer than any plan may", async () => {
    const { ofTasks } = judging({ hang_ms: 1 });
    await expect(ofTasks(examinePlan, planOf(...HOSTILE))).rejects.toThrow(LOST);
  });
});

test("a request is refused as busy while the thread judges for longer than it can wait", async () => {
  const { ofTasks, ofRequests } = judging({ patience_ms: 1 });
  const first = ofTasks(examinePlan, planOf(...HOSTILE));
  await expect(ofRequests(mendsOf, "ls")).rejects.toMatchObject({ code: "busy" });
  expect((await first).findings.length).toBeGreaterThan(0);
});

test("a process ends although its thread waits, and not before its judgements are answered", () => {
  const text = `
    const { createJudges } = await import("./src/judge/thread-judge.ts");
    const { mendsOf } = await import("./src/proof/proof.ts");
    const { ofTasks } = createJudges({ protected_paths: [] });
    console.log(JSON.stringify(await ofTasks(mendsOf, "ls")));
  `;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", text], { encoding: "utf8" });
  expect([stdout, status]).toEqual(["[]\n", 0]);
});
