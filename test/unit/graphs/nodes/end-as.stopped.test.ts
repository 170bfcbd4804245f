// The end of a task that was cancelled, or whose job may still run: why, and what was asked of the job.
import { describe, expect, test } from "vitest";
import { endAs } from "../../../../graphs/nodes/end-as.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { reason } from "../../../../src/domain/outcome.ts";
import { aContract } from "../../../support/builders.ts";
import { pinning, pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";

const FAILED = reason("step_failed", "Step 1 failed.", 1);
const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 1, engine: "e" };
const handedOver: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1, job } };

test.each([
  [
    "the first reason that was given, although this thread knows of no request",
    ["wrong host", "again"],
    "It was cancelled. Reason: wrong host.",
  ],
  ["nothing more where none was given", [null], "It was cancelled."],
])("the outcome of a cancelled task says %s", async (_what, reasons, message) => {
  const parts = pipelineParts();
  const contract = await parts.begin(aContract(), pinning());
  await parts.deps.threadOf("t-1");
  await parts.write(
    "t-1",
    reasons.map((given): NewEvent => ({ kind: "cancel_requested", body: { reason: given } })),
  );
  await endAs(parts.deps, "cancelled")(stateOf({ contract, reason: reason("cancelled", "It was cancelled.") }));
  expect((await parts.store.findTask("t-1"))?.outcome?.message).toBe(message);
});

describe("an open job", () => {
  const cancelling = (answer: string | null) => {
    const parts = pipelineParts({ remote: true });
    const cancelled: string[] = [];
    const cancelJob = async ({ job_id }: { job_id: string }) => {
      cancelled.push(job_id);
      return answer;
    };
    const deps = { ...parts.deps, backendOf: () => ({ ...parts.backend, cancelJob }) };
    return { parts, deps, cancelled };
  };

  test.each([
    [null, "Step 1 failed."],
    ["it is silent", `Step 1 failed. Job ${job.job_id} may still run (it is silent).`],
  ])("is asked to end, and with the refusal %j the message is %j", async (refusal, message) => {
    const { parts, deps, cancelled } = cancelling(refusal);
    const contract = await parts.begin(aContract(), pinning(), handedOver);
    await endAs(deps, "failed")(stateOf({ contract, reason: FAILED }));
    expect(cancelled).toEqual([job.job_id]);
    expect(await parts.store.findTask("t-1")).toMatchObject({ outcome: { message } });
  });

  test("that the message names already is not asked again", async () => {
    const { parts, deps, cancelled } = cancelling("it is silent");
    const contract = await parts.begin(aContract(), pinning(), handedOver);
    const message = `The supervisor cancelled the task; job ${job.job_id}: m.`;
    await endAs(deps, "cancelled")(stateOf({ contract, reason: reason("cancelled", message) }));
    expect(cancelled).toEqual([]);
    expect(await parts.store.findTask("t-1")).toMatchObject({ outcome: { message } });
  });
});
