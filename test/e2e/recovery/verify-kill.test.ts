// A task is verified by a diagnostic procedure, and the server is killed before and after each commit from the end of the task to
// the record of the verdict (D-309). After each kill: one diagnostic task, one verdict, and each of its steps run once.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Evidence } from "../../../src/engine/evidence/bundle.ts";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { journalFindings } from "../../support/journal-check.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { WITHOUT_LOOKS } from "../../support/without-looks.ts";
import { createKeeper, type Keeper, ServerLost } from "./keeper.ts";
import { establish } from "./supervisor.ts";

const TARGET = { service: "verified" };
const BY = { delegation_mode: "known_only", verify_by: "sop:health_check", verify_after_seconds: 0 };
const PATIENCE_MS = 30_000;

const contract = (task_id: string) => contractBody({ task_id, target: TARGET, success_criteria: [], ...BY });

/** Until it is verified; after a lost server it submits again. */
async function untilVerified(keeper: Keeper, task_id: string) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    try {
      await keeper.post("/v1/tasks", { ...contract(task_id), wait_seconds: 20 });
      const { body } = await keeper.get(`/v1/tasks/${task_id}`);
      if (body.verification !== null) return body;
      await sleep(50);
    } catch (error) {
      if (!(error instanceof ServerLost)) throw error;
    }
  }
  throw new Error(`task ${task_id} is not verified`);
}

async function findingsOf(keeper: Keeper, task_id: string, point: string): Promise<string[]> {
  const { status, verification } = await untilVerified(keeper, task_id);
  const unheard = keeper.withdraw();
  const bundles = await Promise.all(
    [task_id, `${task_id}.verify`].map(async (id) => (await keeper.get(`/v1/tasks/${id}/evidence`)).body),
  );
  const [own, diagnostic] = bundles.map((bundle) => Evidence.parse(bundle));
  const recorded = own?.journal.filter(({ kind }) => kind.startsWith("verification_")).map(({ kind }) => kind);
  const expected = { status: "ok", verified: true, evidence: { task_id: `${task_id}.verify` } };
  const is = { status, verified: verification.verified, evidence: verification.evidence };
  const found = [
    ...(unheard === point ? ["the server never came to this point"] : []),
    ...(JSON.stringify(is) === JSON.stringify(expected) ? [] : [`it is ${JSON.stringify(is)}`]),
    ...(recorded?.length === 1 ? [] : [`its journal has ${JSON.stringify(recorded)}`]),
    ...(diagnostic?.step_results.length === 2 ? [] : ["the diagnostic task has not run both of its steps"]),
    ...bundles.flatMap((bundle) => verifyBundle(bundle).faults),
    ...bundles.flatMap(({ journal }) => journalFindings(journal)),
  ];
  return found.map((finding) => `${task_id}, killed at ${point}: ${finding}`);
}

test("killed at any commit, the server verifies a task by its procedure once [8.verification]", async ({
  annotate,
}) => {
  await using directory = await temporaryDirectory();
  const keeper = await createKeeper(directory.path, WITHOUT_LOOKS);
  try {
    await establish(keeper, {
      intent: "deploy",
      target: TARGET,
      steps: [cmd("echo v1 > version"), check("test -s version")],
    });
    // A command that is cut off would be asked about.
    const steps = [check("test -f version"), check("grep -q v1 version")];
    await establish(keeper, { intent: "health_check", target: TARGET, steps });
    // Both are on trial: their first runs ask.
    keeper.takePoints();
    await approveTrials(keeper);
    keeper.takePoints();
    keeper.order("none");
    const findings = await findingsOf(keeper, "undisturbed", "");
    const commits = keeper.takePoints().filter((point) => point.startsWith("commit:"));
    const points = commits.slice(commits.findIndex((point) => point.includes("reported")));
    for (const [nth, point] of points.entries()) {
      keeper.order(point);
      findings.push(...(await findingsOf(keeper, `verified-${nth}`, point)));
    }
    await annotate(`${keeper.kills()} kills at ${points.join(", ")}`);
    expect(findings).toEqual([]);
    expect(points.some((point) => point.includes("after:verification_recorded"))).toBe(true);
    expect(keeper.kills()).toBe(points.length);
  } finally {
    await keeper.stop();
  }
}, 600_000);

async function approveTrials(keeper: Keeper): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    await keeper.post("/v1/tasks", { ...contract("trial"), wait_seconds: 5 });
    for (const task_id of ["trial", "trial.verify"]) await keeper.post("/v1/approve", { task_id, decision: "approve" });
    const { body } = await keeper.get("/v1/tasks/trial");
    if (body.verification !== null) return;
  }
  throw new Error("the procedures have not passed their trial");
}
