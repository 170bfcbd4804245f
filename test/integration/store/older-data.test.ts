// A data directory and evidence bundles that version 0.1.0 wrote before its source was reorganised (test/fixtures): they
// open and verify, and every task that was waiting goes on to its end.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { calls, type Script, startScriptedModel } from "../../support/agent-model.ts";
import { type Engine, openEngine } from "../../support/engine.ts";

const FIXTURE = join(import.meta.dirname, "../../fixtures/data-directory-0.1.0");
const SKILLS = join(import.meta.dirname, "../../support/example-skills");
const read = (path: string) => JSON.parse(readFileSync(join(FIXTURE, path), "utf8"));
const bundles = readdirSync(join(FIXTURE, "evidence")).map((name) => read(`evidence/${name}`));
const ended = bundles.filter(({ status }) => ["ok", "failed", "blocked", "cancelled"].includes(status));

/** The model that the agents of the fixture talked to. */
const script: Script = ({ messages }) =>
  messages.some(({ role }) => role === "assistant")
    ? calls(["finish", { summary: "Done.", criteria: [{ criterion: 1, evidence_check: "test 1 = 1" }] }])
    : calls(["shell", { command: "echo one" }]);

/** Approvals expire by the clock, which has gone on since the directory was written. */
function postponeExpiry(file: string): void {
  const database = new DatabaseSync(file);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  database.prepare("UPDATE approval SET expires_at = ? WHERE status = 'pending'").run(later);
  database.close();
}

test.each(bundles.map((bundle) => [bundle.task_id, bundle]))(
  "the old bundle of task %s verifies",
  (_task_id, bundle) => {
    const { journal } = bundle;
    const last_hash = journal.at(-1).hash;
    expect(verifyBundle(bundle)).toEqual({ faults: [], anchors: [], restores: [], events: journal.length, last_hash });
  },
);

describe("an old data directory", () => {
  let directory: string;
  let model: Awaited<ReturnType<typeof startScriptedModel>>;
  let engine: Engine;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "orch-older-"));
    const file = join(directory, "orch.db");
    copyFileSync(join(FIXTURE, "orch.sqlite3"), file);
    postponeExpiry(file);
    model = await startScriptedModel(script);
    engine = await openEngine({ directory, env: { ...model.env, ORCH_CAPABILITIES: SKILLS } });
  });
  afterAll(async () => {
    await engine[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  });

  test("gives the evidence of every ended task as it gave it before", async () => {
    expect(ended.length).toBeGreaterThan(10);
    for (const before of ended) {
      const now = await engine.call("get_evidence", { task_id: before.task_id });
      expect(now).toEqual({ ...before, bundle_version: 2, key_outputs: expect.any(Array) });
    }
  });

  test("lists its tasks with the status and the reason that they had", async () => {
    const { tasks } = await engine.call("list_tasks", { limit: 500 });
    const found = new Map(tasks.map((task: { task_id: string }) => [task.task_id, task]));
    for (const { task_id, status, outcome } of ended) {
      expect(found.get(task_id)).toMatchObject({ status, outcome: { reason_code: outcome.reason_code } });
    }
  });

  const approve =
    (task_id: string, decision = "approve") =>
    async () => {
      await engine.call("approve", { task_id, decision });
    };
  /** Without a routing model every call of an agent is asked about, also the check that proves its criterion. */
  const approveTwice = (task_id: string) => async () => {
    await approve(task_id)();
    expect((await engine.outcomeOf(task_id)).status).toBe("need_approval");
    await approve(task_id)();
  };
  const steps = [
    { kind: "cmd", value: "echo taught" },
    { kind: "check", value: "test -d /" },
  ];

  test.each<[string, () => Promise<unknown>, string, string]>([
    ["asks-teaching", () => engine.call("teach", { task_id: "asks-teaching", steps }), "ok", "verified"],
    ["asks-approval", approve("asks-approval"), "ok", "verified"],
    ["agent-plain-asks", approveTwice("agent-plain-asks"), "ok", "verified"],
    ["agent-react-asks", approveTwice("agent-react-asks"), "ok", "verified"],
    ["skill-asks", approve("skill-asks", "reject"), "blocked", "approval_rejected"],
    ["replacing", approve("replacing"), "ok", "sop_replaced"],
    [
      "cut-off",
      () => engine.call("resolve_step", { task_id: "cut-off", resolution: "failed" }),
      "failed",
      "step_failed",
    ],
  ])("carries the task %s on once it is answered", async (task_id, answer, status, reason_code) => {
    await answer();
    await expect(engine.outcomeOf(task_id)).resolves.toMatchObject({ status, outcome: { reason_code } });
    const bundle = await engine.call("get_evidence", { task_id });
    expect(verifyBundle(JSON.parse(JSON.stringify(bundle))).faults).toEqual([]);
  });

  test("asks what became of the step that ran when its server was killed", async () => {
    const { status, outcome } = await engine.outcomeOf("running");
    expect([status, outcome.reason_code]).toEqual(["need_input", "step_outcome_unknown"]);
  });

  test("keeps a promotion that waits, and makes the candidate active once it is approved", async () => {
    const { sops } = await engine.call("list_sops", { intent: "deploy", status: "candidate" });
    const old = sops.find((sop: { target: { service?: string } }) => sop.target.service === "b");
    const { approval_id } = await engine.approvalOf(`promotion/${old.sop_id}`);
    await engine.call("approve", { approval_id, decision: "approve" });
    await expect.poll(async () => (await engine.call("get_sop", { sop_id: old.sop_id })).sop.status).toBe("active");
  });
});
