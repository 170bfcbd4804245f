// What answers cost a model: 10,000 tokens at most with text and structured content, unless it has asked for more. Real tasks
// with much output.
import { beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import type { Found } from "../../support/mcp-client.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";
import { tokensIn } from "../../support/tokens.ts";

const MOST = 10_000;
const waiting = { wait_seconds: 50 };

const engine = held(await openEngine());
const endpoint = held(await startMcp({ operations: engine.operations }));
const supervisor = held(await endpoint.connect());
const asked: [string, number][] = [];
await taught("chatty", [cmd("seq 1 200000"), cmd("seq 1 200000 >&2"), check("test -e /nothing")]);
const wordy = Array.from({ length: 19 }, (_, n) => cmd(`printf '${n} %.0s' $(seq 1 500); echo line ${n}`));
await taught("wordy", [...wordy, check("test -d /")]);

/** The output, the text, and what both cost: some clients show both to their model. */
async function read(name: string, input: object = {}) {
  const { content, structuredContent, isError } = await supervisor.ask(name, input);
  expect(isError, JSON.stringify(content)).toBeUndefined();
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const tokens = tokensIn(text) + tokensIn(structuredContent);
  asked.push([name, tokens]);
  const output: Found = structuredContent;
  return { output, text, tokens };
}

async function taught(name: string, steps: object[], over: object = {}) {
  await engine.submit({ ...engine.contract(name, { success_criteria: ["done"], ...over }) });
  return read("teach", { task_id: name, steps, ...waiting });
}

describe("the evidence of a failed task with two chatty commands", () => {
  test("is the outcome, the verdict and what failed, with the end of its output", async () => {
    const { output, tokens } = await read("get_evidence", { task_id: "chatty" });
    expect(tokens).toBeLessThan(4_000);
    expect(output).toMatchObject({
      status: "failed",
      outcome: { reason_code: "check_failed", step_index: 2 },
      verdict: { passed: false },
      failed_steps: [{ index: 2, step: check("test -e /nothing"), exit_code: 1 }],
      steps: [{ index: 0, status: "passed", last_line: "200000" }, { index: 1 }, { index: 2, status: "failed" }],
      findings: [],
      broken_link: null,
    });
    expect(output.cut.join("\n")).toMatch(/2 passed steps.*step.*read_journal.*view "full"/s);
  });

  test("gives one step on request, as much of its output as is asked for", async () => {
    const { output, tokens } = await read("get_evidence", { task_id: "chatty", step: 0 });
    expect(tokens).toBeLessThan(MOST);
    expect(output.attempts).toMatchObject([
      { index: 0, step: cmd("seq 1 200000"), exit_code: 0, stdout_bytes: 1288895 },
    ]);
    expect(output.attempts[0].stdout).toMatch(/^\[the beginning is left out\] .*199999\n200000\n$/s);
    const long = await supervisor.call("get_evidence", { task_id: "chatty", step: 0, tail_bytes: 100_000 });
    expect(long.attempts[0].stdout).toMatch(/^1\n2\n3\n/);
    expect(await supervisor.fault("get_evidence", { task_id: "chatty", step: 7 })).toMatchObject({
      code: "input_invalid",
      issues: [{ path: "step" }],
    });
  });

  test("is the whole bundle on request, and as a resource", async () => {
    const whole = await supervisor.call("get_evidence", { task_id: "chatty", view: "full" });
    expect(whole.journal.length).toBeGreaterThan(5);
    expect(whole).toEqual(await engine.call("get_evidence", { task_id: "chatty" }));
    expect(await supervisor.read("orch://evidence/chatty?view=full")).toEqual(whole);
    expect(tokensIn(await supervisor.read("orch://evidence/chatty"))).toBeLessThan(4_000);
  });
});

test("no output has a place twice in an answer", async () => {
  await taught("once", [cmd("echo unmistakable; exit 3"), check("test -d /")]);
  const { text } = await read("get_evidence", { task_id: "once" });
  expect(text.match(/unmistakable\\n/g)).toHaveLength(1);
});

test("the journal is read in pages that fit, to its end", async () => {
  const seen: number[] = [];
  for (let after = 0, pages = 0; pages < 20; pages += 1) {
    const { output, tokens } = await read("read_journal", { task_id: "chatty", after, limit: 500 });
    expect(tokens).toBeLessThan(MOST);
    if (output.events.length === 0) break;
    seen.push(...output.events.map(({ seq }: { seq: number }) => seq));
    after = output.next_after;
  }
  const { events } = await engine.call("read_journal", { task_id: "chatty", limit: 500 });
  expect(seen).toEqual(events.map(({ seq }: { seq: number }) => seq));
});

describe("lists are short rows", () => {
  beforeAll(async () => {
    const row = (_: unknown, n: number) => engine.contract(`row-${n}`, { success_criteria: ["x".repeat(900)] });
    await Promise.all(Array.from({ length: 25 }, row).map((contract) => engine.submit(contract)));
    const steps = [...Array.from({ length: 20 }, (_, n) => cmd(`echo ${n} ${"y".repeat(200)}`)), check("test -d /")];
    for (let n = 0; n < 5; n += 1) await supervisor.call("teach", { intent: "restart", target: { n: `${n}` }, steps });
  });

  test.each([
    ["list_tasks", "tasks", 20],
    ["list_messages", "messages", 20],
    ["list_sops", "sops", 6],
  ])("%s costs at most 6,000 tokens at its default limit", async (name, list, count) => {
    const { output, tokens } = await read(name);
    expect(output[list]).toHaveLength(count);
    expect(tokens).toBeLessThan(6_000);
  });

  test("list_tasks goes on where a page was cut short", async () => {
    const ids: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { output, tokens } = await read("list_tasks", { limit: 500, ...(after !== undefined && { after }) });
      expect(tokens).toBeLessThan(MOST);
      ids.push(...output.tasks.map(({ task_id }: { task_id: string }) => task_id));
      after = output.next_after;
    }
    const { tasks } = await engine.call("list_tasks", { limit: 500 });
    expect(ids).toEqual(tasks.map(({ task_id }: { task_id: string }) => task_id));
  });

  test("list_approvals has content in full or says how to get it", async () => {
    const { output } = await read("list_approvals", { status: "pending" });
    const { approvals } = await engine.call("list_approvals", { status: "pending" });
    expect(output.approvals).toHaveLength(approvals.length);
    const absent: string[] = [];
    for (const [index, whole] of approvals.entries()) {
      const { content, approval_id } = output.approvals[index];
      if (content === null || "cut" in content) absent.push(approval_id);
      else expect(content).toEqual(whole.content);
    }
    expect([absent.length > 0, absent.length < approvals.length]).toEqual([true, true]);
    for (const approval_id of absent) expect(output.cut[0]).toContain(approval_id);
    const { thread_id, content } = approvals.at(-1);
    expect((await supervisor.call("list_approvals", { thread_id, view: "full" })).approvals).toMatchObject([
      { content },
    ]);
  });
});

test("a task of 120 long steps, its plan and its explanation fit, and are whole on request", async () => {
  const steps = [...Array.from({ length: 119 }, (_, n) => cmd(`true ${n} ${"z".repeat(2_000)}`)), check("test -d /")];
  const { output } = await read("explain", { contract: engine.contract("many"), steps });
  expect(output.cut.join()).toMatch(/steps: \d+ of 120 items.*view "full"/s);
  const { sop } = (await read("teach", { intent: "restart", target: { many: "1" }, steps })).output;
  expect((await read("export_sop", { sop_id: sop.sop_id })).output).toMatchObject({
    file: null,
    cut: [expect.stringContaining('view "full"')],
  });
  expect((await supervisor.call("export_sop", { sop_id: sop.sop_id, view: "full" })).file).toContain("true 118");
  expect((await read("get_sop", { sop_id: sop.sop_id })).output.cut).toBeDefined();
  await engine.plant("deploy", engine.targetOf("long"), [...steps.slice(0, 119), check("test -e /nothing")]);
  const task = (await read("submit_task", { ...engine.contract("long"), ...waiting })).output;
  expect(task).toMatchObject({ status: "failed", steps_left_out: 80 });
  expect(task.steps.at(-1)).toMatchObject({ index: 119, status: "failed" });
});

test("errors and prompts cut the contract that they show, and say so", async () => {
  const contract = engine.contract("heavy", {
    success_criteria: ["done"],
    constraints: { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 },
    payload: { text: "word ".repeat(40_000) },
  });
  await engine.submit(contract);
  await read("teach", { task_id: "heavy", steps: [cmd("echo x > heavy"), check("test -d /")], ...waiting });
  const faults = [
    await supervisor.fault("submit_task", { ...contract, payload: { text: "other" } }),
    await supervisor.fault("approve", { task_id: "heavy", decision: "approve", digest: "another" }),
  ];
  for (const fault of faults) {
    expect(fault).toMatchObject({ detail: expect.any(String), current: expect.any(Object) });
    expect(fault.cut.join()).toMatch(/contract\.payload\.text: \d+ of 200000 characters.*view "full"/);
    expect(tokensIn(fault)).toBeLessThan(MOST);
  }
  const { messages } = await supervisor.client.getPrompt({ name: "teach_sop", arguments: { task_id: "heavy" } });
  expect(tokensIn(messages)).toBeLessThan(MOST);
  expect(JSON.stringify(messages)).toContain("payload.text: ");
});

test("no answer that was not asked for in full had more than 10,000 tokens", () => {
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter(([, tokens]) => tokens > MOST)).toEqual([]);
});
