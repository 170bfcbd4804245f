// What Prometheus is given, read by a strict parser of its text format: names, labels, values, one HELP and one TYPE each.
import { beforeEach, describe, expect, test } from "vitest";
import { createMetrics, type Metrics } from "../../../src/metrics/metrics.ts";
import type { Store } from "../../../src/ports.ts";
import { aScore } from "../../conformance/store-records.ts";
import { AT, aResult } from "../../support/builders.ts";
import { memoryStore } from "../../support/memory-store.ts";

type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number };

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? ([-+]?(?:\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?|Inf|NaN))$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

/** Throws at the first line that the format does not allow. */
function parse(text: string): { samples: Sample[]; types: Map<string, string> } {
  expect(text.endsWith("\n")).toBe(true);
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "TYPE") {
      if (types.has(name) || !["counter", "gauge", "histogram"].includes(rest)) throw new Error(line);
      types.set(name, rest);
    }
    if (kind !== undefined) continue;
    const [, sample, labels = "", value] = SAMPLE.exec(line) ?? [];
    const family = [...types.keys()].find((one) => sample === one || sample?.match(`^${one}_(bucket|sum|count)$`));
    if (sample === undefined || family === undefined) throw new Error(line);
    samples.push({ name: sample, labels: labelsIn(labels, line), value: Number(value) });
  }
  return { samples, types };
}

function labelsIn(text: string, line: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (let rest = text; rest !== ""; ) {
    const [whole = "", name = "", value = ""] = LABEL.exec(rest) ?? [];
    if (whole === "" || name in found) throw new Error(line);
    found[name] = value;
    rest = rest.slice(whole.length);
  }
  return found;
}

describe("the metrics", () => {
  let metrics: Metrics;
  let store: Store;
  beforeEach(() => {
    store = memoryStore();
    metrics = createMetrics({ store, clock: () => new Date(AT), behind: async () => 7 });
  });
  const measured = async (name: string, labels: object = {}) =>
    parse(await metrics.text()).samples.find(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )?.value;

  test("have the names that are documented, each with a type", async () => {
    const { types } = parse(await metrics.text());
    expect(Object.fromEntries(types)).toEqual({
      orch_tasks_total: "counter",
      orch_done_verified_total: "counter",
      orch_broken_promises_total: "counter",
      orch_questions_total: "counter",
      orch_gate_answers_total: "counter",
      orch_gate_fallbacks_total: "counter",
      orch_task_active_seconds: "histogram",
      orch_step_seconds: "histogram",
      orch_commit_seconds: "histogram",
      orch_queue_depth: "gauge",
      orch_approvals_pending: "gauge",
      orch_approval_oldest_seconds: "gauge",
      orch_score_behind: "gauge",
      orch_sop_verified_lower_bound: "gauge",
    });
    expect(await measured("orch_score_behind")).toBe(7);
  });

  // A series that begins at 1 shows no increase, and one that is not there shows "No data".
  test.each([
    ["orch_broken_promises_total", { rule: "once" }],
    ["orch_broken_promises_total", { rule: "blocked" }],
    ["orch_done_verified_total", { group: "agent", verified: "false" }],
    ["orch_questions_total", { kind: "approval" }],
    ["orch_gate_answers_total", { question: "error", source: "fallback" }],
  ])("begin %s %j at 0", async (name, labels) => {
    expect(await measured(name, labels)).toBe(0);
  });

  test("count a task once, and each new verification of it", async () => {
    const done = aScore({ questions: 2, approvals: 1, broken: 2, broken_why: "approval, once", gate_errors: 3 });
    metrics.folded(done, null);
    metrics.folded({ ...done, external: true }, done);
    metrics.folded({ ...done, external: true }, { ...done, external: true });
    metrics.folded({ ...done, external: false }, { ...done, external: true });
    expect(await measured("orch_tasks_total", { group: "known", status: "ok", reason_code: "verified" })).toBe(1);
    expect(await measured("orch_done_verified_total", { group: "known", verified: "true" })).toBe(1);
    expect(await measured("orch_done_verified_total", { group: "known", verified: "false" })).toBe(1);
    expect(await measured("orch_questions_total", { kind: "input" })).toBe(2);
    expect(await measured("orch_broken_promises_total", { rule: "once" })).toBe(1);
    expect(await measured("orch_gate_answers_total", { question: "error", source: "model" })).toBe(3);
    expect(await measured("orch_task_active_seconds_count")).toBe(1);
  });

  test("count the questions without an answer by reason, from 0: clients M6", async () => {
    const answered = { question: "error", about: "step 0, attempt 1", answer: {}, model: "m", latency_ms: 1 } as const;
    const labels = { question: "error", reason: "timeout" };
    expect(await measured("orch_gate_fallbacks_total", labels)).toBe(0);
    metrics.committed({ events: [{ kind: "gate_answered", body: { ...answered, fallback: "timeout" } }] });
    metrics.committed({
      events: [{ kind: "gate_answered", body: { ...answered, fallback: "unreachable: ECONNRESET" } }],
    });
    metrics.committed({ events: [{ kind: "gate_answered", body: { ...answered, fallback: null } }] });
    expect(await measured("orch_gate_fallbacks_total", labels)).toBe(1);
    expect(await measured("orch_gate_fallbacks_total", { ...labels, reason: "unreachable" })).toBe(1);
  });

  test("take the times of steps and of commits", async () => {
    metrics.committed({ events: [{ kind: "step_finished", body: aResult({ duration_ms: 2_000 }) }] });
    await metrics.timed(store).commit({ thread_id: "t", after: null, events: [] });
    expect(await measured("orch_step_seconds_sum")).toBe(2);
    expect(await measured("orch_commit_seconds_count")).toBe(1);
  });

  test("name at most 200 versions, those of the lowest bound, with any text as a target", async () => {
    const scored = (nth: number, changes: object = {}) =>
      ({ on: "task_scored", score: aScore({ task_id: `secret-${nth}`, sop_id: `s-${nth}`, ...changes }) }) as const;
    const others = Array.from({ length: 230 }, (_, nth) =>
      scored(nth, { verified: 1, target_signature: `host=${nth}` }),
    );
    const odd = scored(999, { refuted: 1, target_signature: 'host="a\\b"\n}' });
    await store.commit({ thread_id: "score", after: "last", events: [], changes: [...others, odd] });
    const { samples } = parse(await metrics.text());
    const bounds = samples.filter(({ name }) => name === "orch_sop_verified_lower_bound");
    expect(bounds).toHaveLength(200);
    expect(bounds[0]).toEqual({
      name: "orch_sop_verified_lower_bound",
      labels: { intent: "restart", target: 'host=\\"a\\\\b\\"\\n}', version: "1" },
      value: 0,
    });
    expect(await metrics.text()).not.toContain("secret-");
  });
});
