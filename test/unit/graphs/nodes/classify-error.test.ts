// Which failures the routing model is asked about, and what its answer grants.
import { describe, expect, test } from "vitest";
import { classifyError } from "../../../../graphs/nodes/verify.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { JobEnd } from "../../../../src/domain/run-request.ts";
import { aContract, aResult } from "../../../support/builders.ts";
import { pinning, pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";

const job_id = "0190a1b2-0000-7000-8000-000000000001";
const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const failed = (over: object = {}): NewEvent => ({
  kind: "step_finished",
  body: aResult({ status: "failed", exit_code: 1, stdout: "out", stderr: "refused", ...over }),
});
const ended = (code: JobEnd["code"]): NewEvent => ({
  kind: "job_ended",
  body: { job_id, code, message: "m", raw_result: null },
});
const asked = (about: string): NewEvent => ({
  kind: "gate_answered",
  body: { question: "error", about, answer: { error_type: "unknown" }, fallback: null, model: "m", latency_ms: 1 },
});

const classified = async (error: "transient" | "unknown", ...events: NewEvent[]) => {
  const parts = pipelineParts({ error });
  const contract = await parts.begin(aContract(), pinning(), ...events);
  const facts = await classifyError(parts.deps)(stateOf({ contract }));
  return { facts, asked: parts.asked, added: (await parts.store.readJournal("t-1")).slice(3 + events.length) };
};

describe("a failed step", () => {
  test("that the model calls transient is worth a retry, which is granted with the answer in one commit", async () => {
    const { facts, asked, added } = await classified("transient", started, failed());
    expect([facts, asked]).toEqual([{ error: "worth_a_retry" }, ["touch x: refused"]]);
    const answer = { question: "error", about: "step 0, attempt 1", answer: { error_type: "transient" } };
    expect(added).toMatchObject([
      { kind: "gate_answered", body: answer },
      { kind: "retry_granted", body: { index: 0 } },
    ]);
  });

  test("that the model calls unknown is final", async () => {
    const { facts, added } = await classified("unknown", started, failed());
    expect([facts, added.map(({ kind }) => kind)]).toEqual([{ error: "final" }, ["gate_answered"]]);
  });

  test.each<[string, NewEvent[]]>([
    ["does not exist", []],
    [
      "is a check",
      [
        ...[started, failed({ status: "passed" }), { kind: "step_started", body: { index: 1, attempt: 1 } } as const],
        failed({ index: 1, kind: "check", stderr: "connection refused" }),
      ],
    ],
    ["passed", [started, failed({ status: "passed" })]],
    [
      "was settled by the supervisor",
      [started, { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "failed", reason: null } }],
    ],
    [
      "has had its retry",
      [
        ...[started, failed(), { kind: "retry_granted", body: { index: 0 } } as const],
        ...[{ kind: "step_started", body: { index: 0, attempt: 2 } } as const, failed({ attempt: 2 })],
      ],
    ],
    ["was asked about", [started, failed(), asked("step 0, attempt 1")]],
    ["belongs to a job that failed for good", [started, failed(), ended("flow_crashed")]],
  ])("that %s is final, and the model is not asked", async (_what, events) => {
    expect(await classified("transient", ...events)).toEqual({ facts: { error: "final" }, asked: [], added: [] });
  });
});
