// What the lists of features promise: no kind, operation or change belongs to two of them, and none commits what is another's to write.
import { describe, expect, test } from "vitest";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { ENGINE_EVENTS } from "../../../src/domain/engine-events.ts";
import { EVENTS, isMessage, type NewEvent } from "../../../src/domain/journal.ts";
import { REASON_CODES } from "../../../src/domain/reason-code.ts";
import { AGENT_EVENTS } from "../../../src/features/agents/events.ts";
import { APPROVAL_EVENTS } from "../../../src/features/approvals/events.ts";
import { type Feature, storeFor } from "../../../src/features/feature.ts";
import { FEATURE_HANDLERS, FEATURES } from "../../../src/features/features.ts";
import { JOB_EVENTS } from "../../../src/features/flow-engine/events.ts";
import { FREEZE_EVENTS } from "../../../src/features/freeze/events.ts";
import { KEEPING_EVENTS } from "../../../src/features/keeping/events.ts";
import { PROCEDURE_EVENTS } from "../../../src/features/procedures/events.ts";
import { FEATURE_EVENTS } from "../../../src/features/records.ts";
import { SCHEDULE_EVENTS } from "../../../src/features/schedules/events.ts";
import { SERVER_EVENTS } from "../../../src/features/servers/events.ts";
import { SKILL_EVENTS } from "../../../src/features/skills/events.ts";
import { TRACE_EVENTS } from "../../../src/features/traces/events.ts";
import { VERIFICATION_EVENTS } from "../../../src/features/verification/events.ts";
import type { Commit } from "../../../src/ports.ts";
import { memoryStore } from "../../support/memory-store.ts";

const APPROVED = {
  kind: "approval_decided",
  body: { approval_id: "a", status: "approved", decision: "approve", decided_by: null, reason: null },
} as unknown as NewEvent;
const DELIVERED = { on: "delivered", receiver: "webhook", cursor: 3 } as const;

const commitOf = (given: Partial<Commit>): Commit => ({ thread_id: "t-1", after: "last", events: [], ...given });
const named = (name: string): Feature => FEATURES.find((feature) => feature.name === name) ?? { name };

describe("a feature that works by itself", () => {
  test("commits what it names", async () => {
    const store = memoryStore();
    expect(await storeFor(named("webhook"), store).commit(commitOf({ changes: [DELIVERED] }))).toMatchObject({
      ok: true,
    });
    expect(await store.findDelivered("webhook")).toBe(3);
  });

  test.each<[string, Partial<Commit>, string]>([
    ["webhook", { events: [APPROVED] }, "approval_decided"],
    ["webhook", { events: [APPROVED], changes: [DELIVERED] }, "approval_decided"],
    ["schedules", { changes: [DELIVERED] }, "delivered"],
    ["scorecard", { changes: [DELIVERED] }, "delivered"],
  ])("%s commits nothing else: %j", async (name, given, refused) => {
    const store = memoryStore();
    const commit = storeFor(named(name), store).commit(commitOf(given));
    await expect(commit).rejects.toThrow(`the feature ${name} may not commit ${refused}`);
    expect(await store.readJournal("t-1")).toEqual([]);
    expect(await store.findDelivered("webhook")).toBeNull();
  });
});

test("no two features have a name, an operation or a kind that they commit in common", () => {
  const names = FEATURES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const operations = FEATURES.flatMap(({ handlers = {} }) => Object.keys(handlers));
  expect(operations.toSorted()).toEqual(Object.keys(FEATURE_HANDLERS).toSorted());
  const kinds = FEATURES.flatMap(({ commits }) => commits?.events ?? []);
  expect(new Set(kinds).size).toBe(kinds.length);
});

test("no two lists of events have a kind in common", () => {
  const lists = [
    PROCEDURE_EVENTS,
    APPROVAL_EVENTS,
    VERIFICATION_EVENTS,
    JOB_EVENTS,
    SKILL_EVENTS,
    AGENT_EVENTS,
    SCHEDULE_EVENTS,
    FREEZE_EVENTS,
    TRACE_EVENTS,
    SERVER_EVENTS,
    KEEPING_EVENTS,
  ];
  const kinds = lists.flatMap((events) => Object.keys(events));
  expect(kinds.toSorted()).toEqual(Object.keys(FEATURE_EVENTS).toSorted());
  expect(new Set(kinds).size).toBe(kinds.length);
});

test("the journal lists every kind of the engine and of the features, once", () => {
  const kinds = [...Object.keys(ENGINE_EVENTS), ...Object.keys(FEATURE_EVENTS)];
  expect(Object.keys(EVENTS).toSorted()).toEqual(kinds.toSorted());
});

test("every event that the supervisor hears of has a reason code of its name", () => {
  const kinds = (Object.keys(EVENTS) as (keyof typeof EVENTS)[]).filter(
    (kind) => isMessage(kind) && kind !== "reported",
  );
  expect(kinds.length).toBeGreaterThan(5);
  expect(kinds.filter((kind) => !REASON_CODES.some((code) => code === kind))).toEqual([]);
});

test("every operation that a feature handles is served", () => {
  const names = SHAPES.map(({ name }) => name as string);
  const handled = FEATURES.flatMap(({ handlers = {}, rules = {} }) => [
    ...Object.keys(handlers),
    ...Object.keys(rules),
  ]);
  expect(handled.filter((name) => !names.includes(name))).toEqual([]);
});

test("no feature has a rule for an operation of another one", () => {
  for (const { handlers = {}, rules = {} } of FEATURES)
    expect(Object.keys(handlers)).toEqual(expect.arrayContaining(Object.keys(rules)));
});
