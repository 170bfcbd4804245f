// The server is killed with SIGKILL while agents work, and started again: during a command, during a reply of the
// model, while it waits for a human, and before and after commits. Nothing is done twice, and orch asks about a call
// that was cut off.
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { calls, isSilent, type Script, startScriptedModel } from "../../support/agent-model.ts";
import { contractBody } from "../../support/builders.ts";
import { orderIn } from "../../support/kill-at.ts";
import { linesOf, type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { lines, settled } from "../recovery/begin.ts";

const PRELOAD = new URL("../../support/kill-at.ts", import.meta.url).pathname;
const BOTH = ["plain", "react"] as const;

/** The payload of a task holds the replies of its model, turn by turn. A reply that was not recorded is sent again. */
const Payload = z.object({ name: z.string(), turns: z.array(z.array(z.tuple([z.string(), z.looseObject({})]))) });
const Contract = z.object({ task_contract: z.object({ payload: Payload }) });
const payloadOf = (messages: readonly { readonly content: string }[]) =>
  Contract.parse(JSON.parse(messages[1]?.content ?? "")).task_contract.payload;

/** The model does not answer the second request of tasks whose name begins with this. */
let silent_to: string | null = "in-a-reply";
const script: Script = ({ messages }) => {
  const { name, turns } = payloadOf(messages);
  const turn = messages.filter(({ role }) => role === "assistant").length;
  if (turn === 1 && silent_to !== null && name.startsWith(silent_to)) return isSilent;
  return calls(...(turns[turn] ?? []));
};

const FINISH = [
  "finish",
  { summary: "Done.", criteria: [{ criterion: 1, evidence_check: "test $(wc -l < made) = 2" }] },
];
const WRITTEN = ["one", "two"];
const WRITES = WRITTEN.map((line) => `echo ${line} >> made`);
const TURNS = [...WRITES.map((command) => [["shell", { command }]]), [FINISH]];

type Lane = Awaited<ReturnType<typeof openLane>>;
let lane: Lane;

async function openLane() {
  const directory = await temporaryDirectory();
  const model = await startScriptedModel(script);
  const env = { ...model.env, KILL_DIR: directory.path };
  const start = () => startOrchProcess({ data_dir: directory.path, preload: PRELOAD, env });
  let orch: OrchProcess = await start();
  return {
    model,
    orch: () => orch,
    placeOf: (name: string) => join(directory.path, name),
    kill: () => orch.kill("SIGKILL"),
    /** Resolves once the server has died at this point. */
    killedAt: async (point: string, act: () => Promise<unknown>) => {
      writeFileSync(orderIn(directory.path), point);
      const exited = once(orch.child, "exit", { signal: AbortSignal.timeout(20_000) });
      await Promise.all([exited, act().catch(() => undefined)]);
    },
    next: async () => {
      rmSync(orderIn(directory.path), { force: true });
      orch = await start();
    },
    askedFor: (name: string) => model.asked.filter(({ messages }) => payloadOf(messages).name === name).length,
    [Symbol.asyncDispose]: async () => {
      await orch.kill("SIGKILL");
      await model[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** The approvals that tasks wait for, by the name of the task. */
const approvals = new Map<string, string>();

// Six tasks, and one kill while all of them run.
beforeAll(async () => {
  lane = await openLane();
  const endless = [
    [["shell", { command: `${WRITES[0]}; while :; do echo . >> beats; sleep 0.05; done` }]],
    ...TURNS.slice(1),
  ];
  for (const backend of BOTH) {
    await submit(`command-${backend}`, backend, { turns: endless });
    await submit(`in-a-reply-${backend}`, backend);
    const name = `approval-${backend}`;
    const { body } = await submit(name, backend, { require_approval_for: ["anything"], wait_seconds: 20 });
    approvals.set(name, body.waiting.approval_id);
  }
  for (const backend of BOTH) {
    await lines(lane.placeOf(`command-${backend}`), "beats");
    await vi.waitUntil(() => lane.askedFor(`in-a-reply-${backend}`) === 2, { timeout: 20_000 });
  }
  await lane.kill();
  silent_to = null;
  await lane.next();
});
afterAll(() => lane[Symbol.asyncDispose]());

type Over = {
  readonly turns?: unknown;
  readonly require_approval_for?: readonly string[];
  readonly wait_seconds?: number;
};

function submit(
  name: string,
  agent_backend: string,
  { turns = TURNS, require_approval_for = [], wait_seconds = 0 }: Over = {},
) {
  const compose_dir = lane.placeOf(name);
  mkdirSync(compose_dir);
  const contract = contractBody({
    task_id: name,
    delegation_mode: "agent",
    agent_backend,
    payload: { name, turns },
    target: { compose_dir },
    success_criteria: ["it is written"],
    constraints: { implicit_scope: ["shell"], require_approval_for, max_minutes: 1 },
  });
  return lane.orch().post("/v1/tasks", { ...contract, wait_seconds });
}

const made = (name: string): string[] => linesOf(join(lane.placeOf(name), "made"));

/** Approves what is asked, and resolves a call that was cut off by looking at its file. */
async function seenThrough(name: string) {
  const cut: number[] = [];
  for (;;) {
    const task = await settled(lane.orch(), name);
    if (task.waiting === null) return { task, cut, made: made(name), faults: await faultsOf(name) };
    if (task.waiting.kind === "approval") {
      await lane.orch().post("/v1/approve", { approval_id: task.waiting.approval_id, decision: "approve" });
      continue;
    }
    expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown" } });
    const { index } = task.waiting;
    cut.push(index);
    const resolution = made(name).includes(WRITTEN[index] ?? "") ? "succeeded" : "retry";
    await lane.orch().post(`/v1/tasks/${name}/resolve`, { index, resolution });
  }
}

const faultsOf = async (name: string) =>
  verifyBundle((await lane.orch().get(`/v1/tasks/${name}/evidence`)).body).faults;

const ENDED_WELL = { task: { status: "ok", outcome: { reason_code: "verified" } }, made: WRITTEN, faults: [] };

describe.each(BOTH)("killed in the middle, an agent on %s", (backend) => {
  test("asks about the command that was cut off and ended with the server, and continues after it", async () => {
    const beats = () => linesOf(join(lane.placeOf(`command-${backend}`), "beats")).length;
    const before = beats();
    expect(await seenThrough(`command-${backend}`)).toMatchObject({ ...ENDED_WELL, cut: [0] });
    expect(beats(), "nobody goes on with it").toBe(before);
    expect(lane.askedFor(`command-${backend}`)).toBe(3);
  });

  test("waits for the same approval; no call is made and no request repeated", async () => {
    const name = `approval-${backend}`;
    const task = await settled(lane.orch(), name);
    expect(task).toMatchObject({ status: "need_approval", waiting: { approval_id: approvals.get(name) } });
    expect([made(name), lane.askedFor(name)]).toEqual([[], 1]);
    expect(await seenThrough(name)).toMatchObject({ ...ENDED_WELL, cut: [] });
    expect(lane.askedFor(name)).toBe(3);
  });

  test("asks the model again only for the reply that was lost", async () => {
    expect(await seenThrough(`in-a-reply-${backend}`)).toMatchObject({ ...ENDED_WELL, cut: [] });
    expect(lane.askedFor(`in-a-reply-${backend}`)).toBe(4);
  });
});

/** The calls that are asked about, and the number of requests to the model: three when no reply was lost. */
const POINTS = [
  ["commit:before:agent_replied#2", [], 4],
  ["commit:after:agent_replied#1", [], 3],
  ["commit:after:step_started#1", [0], 3],
  ["commit:before:step_finished#2", [1], 3],
  ["commit:before:step_finished#3", [2], 3],
  ["commit:before:agent_finished#1", [], 3],
] as const;

test.each(POINTS.map((row, at) => [...row, BOTH[at % 2] ?? "plain"] as const))(
  "killed at %s, an agent makes no call twice, and asks about %j",
  async (point, cut, asked, backend) => {
    const name = point.replace(/\W/g, "-");
    await lane.killedAt(point, () => submit(name, backend, { wait_seconds: 20 }));
    await lane.next();
    expect(await seenThrough(name)).toMatchObject({ ...ENDED_WELL, cut });
    expect(lane.askedFor(name)).toBe(asked);
  },
);
