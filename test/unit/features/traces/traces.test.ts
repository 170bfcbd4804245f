// The spans of a thread from its journal, through the SDK of OpenTelemetry: what the server of test/e2e/traces does not show.
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { chain, type JournalEvent, type NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import type { Job } from "../../../../src/domain/run-request.ts";
import { handsOn } from "../../../../src/engine/tasks/thread.ts";
import { createTraces } from "../../../../src/features/traces/traces.ts";
import { AT, aContract, aResult, cmd, mcpCall, wait } from "../../../support/builders.ts";
import { pinning, procedureOf } from "../../../support/pipeline-parts.ts";

const LATER = "2026-03-06T09:10:00.000Z";
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const PLACE = { index: 0, attempt: 1 };

const ACCEPTED = { contract: aContract(), contract_digest: "d", backend: "local" } as const;
const accepted: NewEvent = { kind: "task_accepted", body: ACCEPTED };
const joined: NewEvent = { kind: "trace_joined", body: { traceparent: TRACEPARENT } };
const taken: NewEvent = { kind: "taken_up", body: { owner: "me", recovery: false } };
const asked: NewEvent = { kind: "approval_requested", body: { approval_id: "a-1", kind: "steps", digest: "d" } };
const DECIDED = { approval_id: "a-1", status: "approved", decision: "approve", reason: "fine" } as const;
const decided: NewEvent = { kind: "approval_decided", body: { ...DECIDED, decided_by: null, token_id: null } };
const ended: NewEvent = { kind: "reported", body: outcome("failed", "check_failed", "No.", { thread_id: "t-1" }) };

const journal = (...events: NewEvent[]) => chain("t-1", null, events, AT);
const later = (...events: NewEvent[]) => chain("t-1", null, events, LATER);

function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("orch");
  const traces = createTraces({ tracer, flush: () => provider.forceFlush() }, (fault) => expect(fault).toBeNull());
  return { traces, spans: () => exporter.getFinishedSpans(), [Symbol.asyncDispose]: traces.close };
}

/** The spans of a stretch of the thread, which found these events and committed those. */
async function spansOf(found: readonly JournalEvent[], ...committed: readonly JournalEvent[][]) {
  await using world = tracing();
  const trace = world.traces.open("t-1", found);
  for (const events of committed) trace.committed(events);
  trace.end();
  return world.spans();
}

const TAKEN = journal(accepted, taken);
const namesOf = (spans: readonly { readonly name: string }[]) => spans.map(({ name }) => name);
const started = (index: number, job?: Job): NewEvent => ({
  kind: "step_started",
  body: { index, attempt: 1, ...(job && { job }) },
});
const finished = (over: Parameters<typeof aResult>[0]): NewEvent => ({ kind: "step_finished", body: aResult(over) });

test("an approval that was decided while the task waited is a moment of what follows, with how long it took", async () => {
  const [root] = await spansOf([...journal(accepted, taken, asked), ...later(decided)], later(taken, ended));
  const attributes = { "orch.approval.status": "approved", "orch.approval.waited_ms": 600_000 };
  expect(root?.events).toMatchObject([{ name: "orch.approval_decided", attributes }]);
  expect(root?.status).toEqual({ code: 2 });
  expect(JSON.stringify(root?.attributes)).not.toContain("fine");
});

test("a question to the model and a step of a skill are spans that are over already", async () => {
  const question = { question: "error", about: "rm it", answer: { reason: "so" } } as const;
  const step = { ...PLACE, ok: false, value: "a text", message: "broken", calls: ["notes.write"], duration_ms: 7 };
  const [chat, skill] = await spansOf(
    TAKEN,
    later(
      { kind: "gate_answered", body: { ...question, fallback: null, model: "m:1b", latency_ms: 40 } },
      { kind: "skill_step_finished", body: step },
    ),
  );
  expect([chat?.name, skill?.name]).toEqual(["chat m:1b", "orch.skill_step"]);
  expect(chat?.duration).toEqual([0, 40_000_000]);
  expect(chat?.attributes).toMatchObject({ "orch.gate.question": "error", "gen_ai.request.model": "m:1b" });
  expect(skill?.status).toEqual({ code: 2 });
});

test("a step that was made ready and never began has no span", async () => {
  await using it = tracing();
  const trace = it.traces.open("t-1", TAKEN);
  expect(trace.traceparentOf(PLACE)).toBe(trace.traceparentOf(PLACE));
  trace.committed(journal(ended));
  trace.end();
  expect(namesOf(it.spans())).toEqual(["orch.task"]);
});

test("a step of a job that was never started by itself has its span, and a failed one its reason", async () => {
  const timed_out = finished({ status: "failed", timed_out: true, exit_code: null });
  const [step] = await spansOf(TAKEN, journal(timed_out));
  expect(step?.attributes).toMatchObject({ "error.type": "timed_out", "orch.step.status": "failed" });
});

test("steps of a job that are written when it has ended have the times of their results", async () => {
  const [step] = await spansOf(TAKEN, later(started(1), finished({ index: 1, started_at: AT, duration_ms: 250 })));
  expect(step?.startTime).toEqual([Date.parse(AT) / 1000, 0]);
  expect(step?.duration).toEqual([0, 250_000_000]);
});

test("a job and a wait that another server goes on with are no errors", async () => {
  const job = { job_id: "00000000-0000-4000-8000-000000000001", through: 1, engine: "http://engine lab" };
  const procedure = pinning(procedureOf([wait("1h"), cmd("true")]));
  const spans = await spansOf(TAKEN, journal(procedure, started(0), started(1, job)));
  const steps = spans.filter(({ name }) => name === "orch.step");
  const seen = steps.map(({ status, attributes }) => `${status.code} ${attributes["orch.step.handed_on"]}`);
  expect(seen).toEqual(["0 true", "0 true"]);
});

test("a claim that was refused has no span, and neither has a name that is no plain one", async () => {
  expect(await spansOf(journal(accepted))).toEqual([]);
  const procedure = pinning(procedureOf([mcpCall({ tool: "a text; of \n many" })]));
  const spans = await spansOf(journal(accepted, taken, procedure), journal(finished({ kind: "mcp_call" })));
  expect(namesOf(spans)).toEqual(["execute_tool", "orch.task"]);
});

test("the steps of a taught procedure take the place of those that were pinned before", async () => {
  const taught: NewEvent = { kind: "taught", body: procedureOf([cmd("ls")]) };
  const pinned = pinning(procedureOf([cmd("ls"), mcpCall()]));
  const spans = await spansOf(journal(accepted, taken, pinned, taught), later(started(1)));
  expect(namesOf(spans)).toEqual(["orch.step", "orch.task"]);
});

test("a promotion is linked to its stretch before, and repeats no decision of that", async () => {
  await using it = tracing();
  const open = (events: Parameters<typeof it.traces.open>[1]) => it.traces.open("promotion/sop-1", events);
  const first = open([]);
  first.committed(journal(asked));
  first.end();
  const second = open([...journal(asked), ...later(decided)]);
  second.end();
  const [before, root] = it.spans();
  expect(root?.links.map(({ context }) => context.spanId)).toEqual([before?.spanContext().spanId]);
  expect(namesOf(root?.events ?? [])).toEqual(["orch.approval_decided"]);
  open([...journal(asked), ...later(decided), ...later(asked)]).end();
  expect(it.spans()).toHaveLength(2);
});

test("a step whose end is not on record has a span that says so", async () => {
  const [step] = await spansOf(TAKEN, journal(started(0)));
  expect([step?.name, step?.attributes["error.type"], step?.status.code]).toEqual(["orch.step", "outcome_unknown", 2]);
});

test("a tool that a step of a skill calls is given the span of that step", async () => {
  await using it = tracing();
  const trace = it.traces.open("t-1", journal(accepted, taken));
  const given = trace.traceparentOf(PLACE);
  trace.committed(
    journal(
      { kind: "skill_step_started", body: { ...PLACE, name: "a name of its own" } },
      { kind: "skill_step_finished", body: { ...PLACE, ok: true, value: 1, message: null, calls: [], duration_ms: 7 } },
    ),
  );
  trace.end();
  const [step] = it.spans();
  expect(step?.name).toBe("orch.skill_step");
  expect(JSON.stringify([step?.name, step?.attributes, step?.events])).not.toContain("a name of its own");
  expect(given).toContain(step?.spanContext().spanId);
  expect(JSON.stringify(step?.attributes)).not.toContain("a name");
});

test("an SDK that fails is reported once, and what asks it goes on without a trace", async () => {
  const faults: unknown[] = [];
  const fails = () => {
    throw new Error("out of order");
  };
  const tracer = { startSpan: fails, startActiveSpan: fails };
  const traces = createTraces({ tracer, flush: async () => fails() }, (fault) => faults.push(fault));
  const trace = traces.open("t-1", journal(accepted, joined));
  expect(trace.traceparentOf(PLACE)).toBe(TRACEPARENT);
  traces.open("t-2", journal(accepted)).end();
  expect(faults).toHaveLength(1);
  await traces.close();
});

test("a thread that another server has worked on is linked to its submit", async () => {
  const [root] = await spansOf(journal(accepted, joined, taken), journal(ended));
  expect(root?.parentSpanContext).toBeUndefined();
  expect(root?.links.map(({ context }) => context.spanId)).toEqual(["b7ad6b7169203331"]);
});

test("without an SDK a task hands on the trace of its submit", () => {
  const traces = handsOn();
  expect(traces.open("t-1", journal(accepted, joined)).traceparentOf(PLACE)).toBe(TRACEPARENT);
  expect(traces.open("t-1", journal(accepted)).traceparentOf(PLACE)).toBeUndefined();
});
