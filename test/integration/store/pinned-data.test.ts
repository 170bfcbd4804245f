// Checks that what is written today stays readable: one event of every kind, evidence bundles, a database, and what the command line
// prints of each event. The files are in test/fixtures/pinned. Only a text for people may change there: npx vitest run FILE -u
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEventFormat } from "../../../src/cli/follow-task.ts";
import { brokenLink, chain, EVENT_BODIES, levelOf, type NewEvent } from "../../../src/domain/journal.ts";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { type Engine, openEngine } from "../../support/engine.ts";

const PINNED = join(import.meta.dirname, "../../fixtures/pinned");
const read = (path: string) => JSON.parse(readFileSync(join(PINNED, path), "utf8"));
const bodies: Record<string, unknown> = read("events.json");
const events = Object.entries(bodies).map(([kind, body]) => ({ kind, body }) as NewEvent);
const AT = "2026-11-29T06:00:00.000Z";

describe("an event of every kind", () => {
  test("is pinned", () => {
    expect(Object.keys(bodies)).toEqual(Object.keys(EVENT_BODIES));
  });

  test.each(Object.entries(EVENT_BODIES))("is read as it was written: %s", (kind, schema) => {
    expect(schema.parse(bodies[kind])).toEqual(bodies[kind]);
  });

  test("has the hash and the level that it had", async () => {
    const linked = chain("pinned", null, events, AT);
    expect(brokenLink(linked)).toBeNull();
    const lines = linked.map((event) => `${event.kind} ${levelOf([event])} ${event.hash}`);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(PINNED, "hashes.txt"));
  });

  test("is printed by the command line", async () => {
    const format = createEventFormat((_style, text) => text);
    const lines = chain("pinned", null, events, AT).flatMap((event) => format(event));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(PINNED, "event-lines.txt"));
  });
});

const bundles = readdirSync(join(PINNED, "bundles")).map((name) => [name, read(`bundles/${name}`)] as const);

test.each(bundles)("the evidence in %s verifies", (_name, bundle) => {
  const { journal } = bundle;
  const last_hash = journal.at(-1).hash;
  expect(verifyBundle(bundle)).toMatchObject({ faults: [], events: journal.length, last_hash });
});

describe("a database", () => {
  let directory: string;
  let engine: Engine;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "orch-pinned-"));
    copyFileSync(join(PINNED, "orch.sqlite3"), join(directory, "orch.db"));
    engine = await openEngine({ directory });
  });
  afterAll(async () => {
    await engine[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  });

  const allTasks = async (): Promise<{ task_id: string }[]> => {
    const { tasks } = await engine.call("list_tasks", { limit: 200 });
    return tasks.toSorted((a: { task_id: string }, b: { task_id: string }) => a.task_id.localeCompare(b.task_id));
  };

  test("has its tasks as they were", async () => {
    const tasks = await allTasks();
    expect(tasks.length).toBeGreaterThan(0);
    await expect(`${JSON.stringify(tasks, null, 2)}\n`).toMatchFileSnapshot(join(PINNED, "tasks.json"));
  });

  test("has their evidence as it was", async () => {
    const evidence = await Promise.all(
      (await allTasks()).map(({ task_id }) => engine.call("get_evidence", { task_id })),
    );
    await expect(`${JSON.stringify(evidence, null, 2)}\n`).toMatchFileSnapshot(join(PINNED, "evidence.json"));
  });

  test("has its procedures as they were", async () => {
    const { sops } = await engine.call("list_sops", {});
    await expect(`${JSON.stringify(sops, null, 2)}\n`).toMatchFileSnapshot(join(PINNED, "sops.json"));
  });
});
