// The end of a task, in one commit: outcome, row, withdrawn approval, candidate, and what was asked of a job that may still run.
import { describe, expect, test } from "vitest";
import { endAs } from "../../../../graphs/nodes/end-as.ts";
import type { PipelineDeps } from "../../../../graphs/state.ts";
import type { Change } from "../../../../src/domain/change.ts";
import type { Finding } from "../../../../src/domain/finding.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { type EndStatus, outcome, reason } from "../../../../src/domain/outcome.ts";
import type { Sop } from "../../../../src/domain/sop.ts";
import type { Verdict } from "../../../../src/domain/verification.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT, aContract, check } from "../../../support/builders.ts";
import {
  type PipelineParts,
  PROCEDURE,
  pinning,
  pipelineParts,
  procedureOf,
  stateOf,
} from "../../../support/pipeline-parts.ts";
import { aSop } from "../../engine/tasks/a-sop.ts";
import { anApproval } from "../../engine/tasks/a-task.ts";

const TAUGHT = procedureOf([check("true")], { sop_id: null, sop_version: null });
const taught: NewEvent = { kind: "taught", body: TAUGHT };
const verdict = (over: Partial<Verdict> = {}): NewEvent => ({
  kind: "verdict_reached",
  body: { passed: true, reason_code: "verified", step_index: null, checks: [], uncovered_criteria: [], ...over },
});
const DONE = reason("verified", "1 check passed.");
const FAILED = reason("step_failed", "Step 1 failed.", 1);
const CANCELLED = reason("cancelled", "It was cancelled.");

type Given = {
  readonly events?: readonly NewEvent[];
  readonly because?: typeof DONE;
  readonly sops?: readonly Sop[];
  /** Of the rows of the task, by another writer. */
  readonly changes?: readonly Change[];
  readonly remote?: boolean;
  readonly over?: (parts: PipelineParts) => Partial<PipelineDeps>;
};

/** A task with these events that ends, its row and the versions in the store. */
async function ended(status: EndStatus, { events = [pinning()], because = FAILED, sops = [], ...given }: Given = {}) {
  const { changes = [], remote = false, over = () => ({}) } = given;
  const parts = pipelineParts({ remote });
  for (const sop of sops) await parts.write("s", [], [{ on: "sop_created", sop }]);
  const contract = await parts.begin(aContract(), ...events);
  if (changes.length > 0) await parts.write("t-1", [], changes);
  const facts = await endAs({ ...parts.deps, ...over(parts) }, status)(stateOf({ contract, reason: because }));
  const task = await parts.store.findTask("t-1");
  return { parts, contract, facts, task, versions: await parts.store.listSops({ limit: 9 }) };
}

describe("an end", () => {
  test("is reported, and its row has the outcome, the pins and no lease", async () => {
    const { parts, facts, task } = await ended("failed");
    const body = outcome("failed", "step_failed", "Step 1 failed.", { thread_id: "t-1", step_index: 1 });
    expect(facts).toEqual({});
    expect((await parts.store.readJournal("t-1")).at(-1)).toMatchObject({ kind: "reported", body });
    const pins = { sop_id: PROCEDURE.sop_id, sop_version: 3 };
    const free = { owner: null, lease_expires_at: null };
    expect(task).toMatchObject({ status: "failed", outcome: body, ended_at: AT, ...free, ...pins });
  });

  test.each(["ok", "failed", "blocked", "cancelled"] as const)("%s is written once", async (status) => {
    const { parts, contract } = await ended(status, { because: DONE });
    await endAs(parts.deps, "failed")(stateOf({ contract, reason: FAILED }));
    expect((await parts.kindsOf()).filter((kind) => kind === "reported")).toHaveLength(1);
    expect(await parts.store.findTask("t-1")).toMatchObject({ status });
  });

  test.each([
    ["a stored SOP", pinning(), ["get_evidence", "submit_task", "submit_task"]],
    ["steps that were taught", taught, ["get_evidence", "submit_task"]],
  ])("after %s offers to replace an SOP only where there is one", async (_what, procedure, operations) => {
    const sops = [aSop({ sop_id: String(PROCEDURE.sop_id), version: 3 })];
    const events = [procedure, verdict({ passed: false, reason_code: "step_failed" })];
    const { task } = await ended("failed", { sops, events });
    expect(task?.outcome?.next).toEqual(operations.map((operation) => expect.objectContaining({ operation })));
  });

  test("needs a reason", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    const message = "reached blocked without a reason";
    await expect(endAs(parts.deps, "blocked")(stateOf({ contract }))).rejects.toThrow(message);
  });

  const found = (verdict: Finding["verdict"], code: Finding["code"]): Finding => ({
    step_index: 0,
    verdict,
    code,
    reason: "r",
    command: null,
    category: null,
  });
  test.each([
    ["blocked", ["scope.server"]],
    ["failed", []],
  ] as const)("that is %s names of the findings those that block: %j", async (status, named) => {
    const findings = [found("block", "scope.server"), found("ask", "safety.approval_required")];
    const { task } = await ended(status, { events: [pinning(), { kind: "policy_judged", body: { findings } }] });
    expect(task?.outcome?.findings.map(({ code }) => code)).toEqual(named);
  });

  test("withdraws the open approval", async () => {
    const body = { approval_id: "a-1", kind: "plan", digest: "d" } as const;
    const events: NewEvent[] = [pinning(), { kind: "approval_requested", body }];
    const changes: Change[] = [{ on: "approval_created", approval: anApproval() }];
    const { parts } = await ended("cancelled", { events, changes, because: CANCELLED });
    expect(await parts.store.findApproval("a-1")).toMatchObject({ status: "superseded" });
  });

  test("fails when another writer has moved the task", async () => {
    const set = { status: "need_input" } as const;
    const changes: Change[] = [{ on: "task", task_id: "t-1", expect: { status: ["running"] }, set }];
    await expect(ended("ok", { changes })).rejects.toThrow("task t-1 could not end: task changed");
  });

  const proof = { class: "proved", seen_red: ["before" as const], change: "became_true", reason: null } as const;
  const checks = [
    { step_index: 1, criterion: null, passed: true, exit_code: 0, proof: { ...proof, seen_red: [...proof.seen_red] } },
  ];
  test.each<[string, EndStatus, Partial<Verdict>, object | undefined]>([
    ["passed says what its checks are worth", "ok", { checks }, { checks: 1, proved: 1, became_true: 1 }],
    ["failed does not", "failed", { checks, passed: false, reason_code: "check_failed" }, undefined],
    ["examined nothing does not", "ok", {}, undefined],
  ])("that %s", async (_what, status, over, summary) => {
    const { task } = await ended(status, { sops: [aSop()], events: [pinning(), verdict(over)], because: DONE });
    expect(task?.outcome?.proof).toEqual(summary === undefined ? undefined : expect.objectContaining(summary));
  });

  test.each([
    [
      "the first reason that was given, although this thread knows of no request",
      ["wrong host", "again"],
      " Reason: wrong host.",
    ],
    ["nothing more where none was given", [null], ""],
  ])("by a cancellation says %s", async (_what, reasons, said) => {
    const asked = reasons.map((given): NewEvent => ({ kind: "cancel_requested", body: { reason: given } }));
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    await parts.deps.threadOf("t-1");
    await parts.write("t-1", asked);
    await endAs(parts.deps, "cancelled")(stateOf({ contract, reason: CANCELLED }));
    expect((await parts.store.findTask("t-1"))?.outcome?.message).toBe(`It was cancelled.${said}`);
  });
});

describe("what a taught task has proved", () => {
  test("becomes a candidate in the commit of its end", async () => {
    const { parts, contract, versions } = await ended("ok", { events: [taught, verdict()], because: DONE });
    const key = { intent: "deploy", target: contract.target, target_signature: "environment=prod;service=web" };
    const counted = { version: 1, origin: "t-1", success_count: 1, last_success_at: AT };
    expect(versions).toMatchObject([{ status: "candidate", ...key, ...counted, steps: TAUGHT.steps }]);
    const body = { sop_id: versions[0]?.sop_id, version: 1, status: "candidate", why: "proved by task t-1" };
    const last = (await parts.store.readJournal("t-1")).slice(-2);
    expect(last).toMatchObject([{ kind: "sop_changed", body }, { kind: "reported" }]);
  });

  test.each<[string, EndStatus, NewEvent[]]>([
    ["nothing was run", "ok", [taught, verdict({ reason_code: "already_done" })]],
    ["the task does not end ok", "failed", [taught]],
    ["it runs a stored SOP", "ok", [pinning()]],
    ["it has no procedure", "ok", []],
  ])("becomes none where %s", async (_what, status, events) => {
    expect(await ended(status, { events, because: DONE })).toMatchObject({ versions: [], task: { status } });
  });

  test("takes the next number when another task has stored a version in between", async () => {
    let races = 1;
    const over: Given["over"] = ({ store, write }) => {
      const listSops: Store["listSops"] = async (query) => {
        const known = await store.listSops(query);
        if (races-- > 0) await write("s", [], [{ on: "sop_created", sop: aSop({ version: 1 }) }]);
        return known;
      };
      return { store: { ...store, listSops } };
    };
    const { versions } = await ended("ok", { events: [taught, verdict()], because: DONE, over });
    expect(versions.map(({ version }) => version).sort()).toEqual([1, 2]);
  });
});

describe("an open job", () => {
  const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 1, engine: "e" };
  const events: NewEvent[] = [pinning(), { kind: "step_started", body: { index: 0, attempt: 1, job } }];

  test.each<[string, EndStatus, typeof DONE, string | null, string, number]>([
    ["is asked to end", "failed", FAILED, null, "Step 1 failed.", 1],
    [
      "that does not end is named",
      "failed",
      FAILED,
      "it is silent",
      `Step 1 failed. Job ${job.job_id} may still run (it is silent).`,
      1,
    ],
    [
      "that the message names already is not asked again",
      "cancelled",
      reason("cancelled", `The supervisor cancelled the task; job ${job.job_id}: m.`),
      "it is silent",
      `The supervisor cancelled the task; job ${job.job_id}: m.`,
      0,
    ],
  ])("%s", async (_what, status, because, answer, message, times) => {
    const asked: string[] = [];
    const cancelJob = async ({ job_id }: { job_id: string }) => {
      asked.push(job_id);
      return answer;
    };
    const over: Given["over"] = ({ backend }) => ({ backendOf: () => ({ ...backend, cancelJob }) });
    const { task } = await ended(status, { events, because, remote: true, over });
    expect([asked, task?.outcome?.message]).toEqual([Array(times).fill(job.job_id), message]);
  });
});
