// What the lists of features promise: no kind, operation or change belongs to two of them, and none commits what is another's to write.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../src/domain/journal.ts";
import { type Feature, storeFor } from "../../../src/features/feature.ts";
import { FEATURE_HANDLERS, FEATURES } from "../../../src/features/features.ts";
import { FEATURE_EVENTS } from "../../../src/features/records.ts";
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

test("no two features have a name, an operation or a kind of event in common", () => {
  const names = FEATURES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const operations = FEATURES.flatMap(({ handlers = {} }) => Object.keys(handlers));
  expect(operations.toSorted()).toEqual(Object.keys(FEATURE_HANDLERS).toSorted());
  const kinds = FEATURES.flatMap(({ commits }) => commits?.events ?? []);
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(Object.keys(FEATURE_EVENTS)).toContain("frozen");
});
