// Plays supervisors that know nothing but the short answers over MCP: tasks have any size, they go on from each answer alone and
// reach its end, and every record of every answer has all its fields.
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_TOKENS, tokensOf } from "../../../src/api/mcp/fit-answer.ts";
import { check, cmd } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import type { Found } from "../../support/mcp-client.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";

const engine = held(await openEngine());
const endpoint = held(await startMcp({ operations: engine.operations }));
const supervisor = held(await endpoint.connect());

const SIZES = [0, 1, 40, 520, 3_000, 60_000];
const size = fc.constantFrom(...SIZES);
const Sizes = fc.record({
  commands: fc.constantFrom(1, 8, 20, 90),
  command: fc.constantFrom(1, 40, 300, 520, 4_000),
  output: size,
  criteria: fc.constantFrom(1, 6),
  criterion: fc.constantFrom(4, 200, 900),
  payload_text: size,
  payload_fields: fc.constantFrom(0, 5, 80, 2_000),
  asks: fc.boolean(),
});
type Sizes = typeof Sizes extends fc.Arbitrary<infer T> ? T : never;

const text = (length: number, letter: string): string => letter.repeat(length);

function taskOf(task_id: string, sizes: Sizes) {
  const criteria = Array.from({ length: sizes.criteria }, (_, n) => `${n} ${text(sizes.criterion, "k")}`);
  const fields = Array.from({ length: sizes.payload_fields }, (_, n) => [`field_${n}`, `value ${n}`]);
  const contract = engine.contract(task_id, {
    success_criteria: criteria,
    payload: { text: text(sizes.payload_text, "p"), wide: Object.fromEntries(fields) },
    ...(sizes.asks && { constraints: { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 5 } }),
  });
  const printing = `head -c ${sizes.output} /dev/zero | tr '\\0' o`;
  const steps = [
    cmd(`echo x >> ${task_id}.ran; ${printing}`),
    ...Array.from({ length: sizes.commands }, (_, n) => cmd(`true ${n} ${text(sizes.command, "c")}`)),
    ...criteria.map((_, n) => check(`test -s ${task_id}.ran && test ${n} -ge 0`)),
  ];
  return { contract, steps };
}

/** What the supervisor adds to the arguments of an action. */
const ADDED: Readonly<Record<string, (steps: object[]) => object>> = {
  teach: (steps) => ({ steps, wait_seconds: 50 }),
  approve: () => ({ decision: "approve", decided_by: "a human", wait_seconds: 50 }),
};

/** Calls what the answer names, until the task has ended. The answer is all that it knows. */
async function follow(first: Found, steps: object[]): Promise<Found> {
  let answer = first;
  for (let calls = 0; calls < 6; calls += 1) {
    const task = answer.task ?? answer;
    if (task.status === "ok" || task.status === "failed") return task;
    const [action] = answer.next ?? task.next;
    const add = ADDED[action.operation];
    expect(add, `after ${JSON.stringify(task.outcome)}: ${JSON.stringify(action)}`).toBeDefined();
    answer = await ask(action.operation, { ...action.arguments, ...add?.(steps) });
  }
  return answer.task ?? answer;
}

async function ask(name: string, input: object): Promise<Found> {
  const short = await supervisor.call(name, input);
  expect(tokensOf(short), name).toBeLessThanOrEqual(MAX_TOKENS);
  return short;
}

const READS: readonly [name: string, of: (task_id: string) => object][] = [
  ["get_task", (task_id) => ({ task_id })],
  ["get_evidence", (task_id) => ({ task_id })],
  ["read_journal", (task_id) => ({ task_id })],
  ["list_approvals", (thread_id) => ({ thread_id })],
];

let count = 0;

test("a task of any size is led to its end, and its procedure into use, by following next", async () => {
  const run = async (sizes: Sizes) => {
    count += 1;
    const task_id = `sized-${count}`;
    const { contract, steps } = taskOf(task_id, sizes);
    const task = await follow(await ask("submit_task", { ...contract, wait_seconds: 50 }), steps);
    expect(task).toMatchObject({ task_id, status: "ok", outcome: { reason_code: "verified" } });
    for (const [name, of] of READS) await ask(name, of(task_id));
    const { tasks } = await engine.call("list_tasks", {});
    expect(tasks[0].task_id).toBe(task_id);
    await intoUse(task.sop_id ?? null, task_id);
  };
  await fc.assert(fc.asyncProperty(Sizes, run), { numRuns: 15, seed: 45, endOnFailure: true });
});

test.each([
  ["letters", "a"],
  ["letters of three bytes", "日"],
  ["characters that JSON escapes", "\u0001"],
])("a task with the widest target, of %s, is led to its end by following next", async (_what, letter) => {
  count += 1;
  const task_id = `sized-${count}`;
  const few: Sizes = {
    commands: 20,
    command: 300,
    output: 1,
    criteria: 6,
    criterion: 200,
    payload_text: 1,
    payload_fields: 5,
    asks: true,
  };
  const { contract, steps } = taskOf(task_id, few);
  const attributes = Array.from({ length: 32 }, (_, n) => [`name_${n}_`.padEnd(64, "n"), `x${text(1_022, letter)}x`]);
  const target = Object.fromEntries(attributes);
  const task = await follow(await ask("submit_task", { ...contract, target, wait_seconds: 50 }), steps);
  expect(task).toMatchObject({ task_id, status: "ok", outcome: { reason_code: "verified" } });
  for (const [name, of] of READS) await ask(name, of(task_id));
});

/** The supervisor finds the promotion in its inbox, and passes on what a human says. */
async function intoUse(sop_id: string | null, task_id: string): Promise<void> {
  const promotionOf = async () => {
    const { items } = await ask("list_inbox", {});
    return items.find(({ text: said }: { text: string }) => said.includes(task_id)) ?? items.at(-1);
  };
  await expect.poll(promotionOf, { timeout: 10_000 }).toBeDefined();
  const item = await promotionOf();
  const [action] = item.next;
  const answer = await ask(action.operation, { ...action.arguments, ...ADDED["approve"]?.([]) });
  expect(answer, JSON.stringify(sop_id)).toMatchObject({ status: "approved", promotion: { in_use: true } });
}
