// The spans of a thread from its journal, through the SDK of OpenTelemetry: what the server of test/e2e/traces does not show.
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { chain, type NewEvent } from "../../../src/domain/journal.ts";
import { outcome } from "../../../src/domain/outcome.ts";
import { handsOn } from "../../../src/traces/hand-on.ts";
import { createTraces } from "../../../src/traces/traces.ts";
import { AT, aContract, aResult } from "../../support/builders.ts";

const LATER = "2026-03-06T09:10:00.000Z";
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const PLACE = { index: 0, attempt: 1 };

const accepted: NewEvent = {
  kind: "task_accepted",
  body: { contract: aContract(), contract_digest: "d", backend: "local" },
};
const joined: NewEvent = { kind: "trace_joined", body: { traceparent: TRACEPARENT } };
const taken: NewEvent = { kind: "taken_up", body: { owner: "me", recovery: false } };
const asked: NewEvent = { kind: "approval_requested", body: { approval_id: "a-1", kind: "steps", digest: "d" } };
const decided: NewEvent = {
  kind: "approval_decided",
  body: {
    approval_id: "a-1",
    status: "approved",
    decision: "approve",
    reason: "fine",
    decided_by: null,
    token_id: null,
  },
};
const ended: NewEvent = { kind: "reported", body: outcome("failed", "check_failed", "No.", { thread_id: "t-1" }) };

const journal = (...events: NewEvent[]) => chain("t-1", null, events, AT);
const later = (...events: NewEvent[]) => chain("t-1", null, events, LATER);

function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const faults: unknown[] = [];
  const traces = createTraces(provider.getTracer("orch"), (fault) => faults.push(fault));
  return { traces, faults, spans: () => exporter.getFinishedSpans(), [Symbol.dispose]: traces.close };
}

test("an approval that was decided while the task waited is a moment of what follows, with how long it took", () => {
  using it = tracing();
  const trace = it.traces.open("t-1", [...journal(accepted, taken, asked), ...later(decided)]);
  trace.committed(later(taken, ended));
  trace.end();
  const [root] = it.spans();
  expect(root?.events).toMatchObject([
    {
      name: "orch.approval_decided",
      attributes: { "orch.approval.status": "approved", "orch.approval.waited_ms": 600_000 },
    },
  ]);
  expect(root?.status).toEqual({ code: 2 });
  expect(JSON.stringify(root?.attributes)).not.toContain("fine");
});

test("a question to the model and a step of a skill are spans that are over already", () => {
  using it = tracing();
  const trace = it.traces.open("t-1", journal(accepted, taken));
  trace.committed(
    later(
      {
        kind: "gate_answered",
        body: {
          question: "error",
          about: "rm it",
          answer: { reason: "so" },
          fallback: null,
          model: "m:1b",
          latency_ms: 40,
        },
      },
      {
        kind: "skill_step_finished",
        body: { ...PLACE, ok: false, value: "a text", message: "broken", calls: ["notes.write"], duration_ms: 7 },
      },
    ),
  );
  trace.end();
  const [chat, skill] = it.spans();
  expect([chat?.name, skill?.name]).toEqual(["chat m:1b", "orch.skill_step"]);
  expect(chat?.duration).toEqual([0, 40_000_000]);
  expect(chat?.attributes).toMatchObject({ "orch.gate.question": "error", "gen_ai.request.model": "m:1b" });
  expect(skill?.status).toEqual({ code: 2 });
});

test("a step that was made ready and never began has no span", () => {
  using it = tracing();
  const trace = it.traces.open("t-1", journal(accepted, taken));
  expect(trace.traceparentOf(PLACE)).toBe(trace.traceparentOf(PLACE));
  trace.end();
  expect(it.spans().map(({ name }) => name)).toEqual(["orch.task"]);
});

test("a step of a job that was never started by itself has its span, and a failed one its reason", () => {
  using it = tracing();
  const trace = it.traces.open("t-1", journal(accepted, taken));
  trace.committed(
    journal({ kind: "step_finished", body: aResult({ status: "failed", timed_out: true, exit_code: null }) }),
  );
  trace.end();
  const [step] = it.spans();
  expect(step?.attributes).toMatchObject({ "error.type": "timed_out", "orch.step.status": "failed" });
});

test("a step whose end is not on record has a span that says so", () => {
  using it = tracing();
  const trace = it.traces.open("t-1", journal(accepted, taken));
  trace.committed(journal({ kind: "step_started", body: PLACE }));
  trace.end();
  const [step] = it.spans();
  expect([step?.name, step?.attributes["error.type"], step?.status.code]).toEqual(["orch.step", "outcome_unknown", 2]);
});

test("a tool that a step of a skill calls is given the span of that step", () => {
  using it = tracing();
  const trace = it.traces.open("t-1", journal(accepted, taken));
  const given = trace.traceparentOf(PLACE);
  trace.committed(
    journal(
      { kind: "skill_step_started", body: { ...PLACE, name: "a name" } },
      { kind: "skill_step_finished", body: { ...PLACE, ok: true, value: 1, message: null, calls: [], duration_ms: 7 } },
    ),
  );
  trace.end();
  const [step] = it.spans();
  expect(step?.name).toBe("orch.skill_step");
  expect(given).toContain(step?.spanContext().spanId);
  expect(JSON.stringify(step?.attributes)).not.toContain("a name");
});

test("an SDK that fails is reported once, and what asks it goes on without a trace", () => {
  const faults: unknown[] = [];
  const fails = () => {
    throw new Error("out of order");
  };
  const tracer = { startSpan: fails, startActiveSpan: fails };
  const traces = createTraces(tracer, (fault) => faults.push(fault));
  const trace = traces.open("t-1", journal(accepted, joined));
  expect(trace.traceparentOf(PLACE)).toBe(TRACEPARENT);
  traces.open("t-2", journal(accepted)).end();
  traces.close();
  expect(faults).toHaveLength(1);
});

test("a thread that another server has worked on is linked to its submit", () => {
  using it = tracing();
  const trace = it.traces.open("t-1", journal(accepted, joined, taken));
  trace.end();
  const [root] = it.spans();
  expect(root?.parentSpanContext).toBeUndefined();
  expect(root?.links.map(({ context }) => context.spanId)).toEqual(["b7ad6b7169203331"]);
});

test("without an SDK a task hands on the trace of its submit", () => {
  const traces = handsOn();
  expect(traces.open("t-1", journal(accepted, joined)).traceparentOf(PLACE)).toBe(TRACEPARENT);
  expect(traces.open("t-1", journal(accepted)).traceparentOf(PLACE)).toBeUndefined();
});
