// The scorecard of a real engine: tasks that ran, a verification of one, and a step that was forged into a copy of the database.
import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";

const KNOWN = { delegation_mode: "known_only" };

test("a step that ran twice in a copied database is a broken promise, and the original keeps its word", async () => {
  await using engine = await openEngine();
  await engine.learn("deploy", engine.targetOf("good"), [cmd("true"), check("test -d /")]);
  await engine.run("good", KNOWN);
  await engine.run("unknown", KNOWN);
  await engine.call("record_verification", { task_id: "good", verified: true, source: "a look" });
  const before = await engine.call("get_scorecard", {});
  const [all] = before.groups;
  expect(all).toMatchObject({ broken: 0, verified: 1, refuted: 0, handed_back: expect.any(Number) });
  const states = Object.fromEntries(before.targets.map(({ id, state }: { id: string; state: string }) => [id, state]));
  expect(states).toMatchObject({ T2: "met" });
  const { tasks } = await engine.call("list_tasks", { status: "ok", verified: "true", since: "2026-01-01T00:00:00Z" });
  expect(tasks.map(({ task_id }: { task_id: string }) => task_id)).toEqual(["good"]);
  expect((await engine.call("list_tasks", { verified: "false" })).tasks).toEqual([]);
  expect((await engine.call("list_tasks", { since: "2999-01-01T00:00:00+02:00" })).tasks).toEqual([]);
  const [{ record, sop_id }] = (await engine.call("list_sops", { status: "active" })).sops;
  const ran = await engine.call("list_tasks", { sop_id });
  expect(ran.tasks.map(({ task_id }: { task_id: string }) => task_id)).toEqual(["good"]);
  expect(record).toMatchObject({ verified: 1, refuted: 0, mark: "unproven" });

  await engine.database.client.$executeRawUnsafe("PRAGMA wal_checkpoint(TRUNCATE)");
  const directory = await mkdtemp(join(tmpdir(), "orch-copied-"));
  await engine.shutDown();
  await copyFile(join(engine.directory, "orch.db"), join(directory, "orch.db"));
  await using copied = await openEngine({ directory });
  // An event after the end, of a step that had passed: the verdict does not follow any more either.
  const [started] = (await copied.store.readJournal("good")).filter(({ kind }) => kind === "step_started");
  if (started?.kind !== "step_started") throw new Error("no step was started");
  await copied.store.commit({
    thread_id: "good",
    after: "last",
    events: [{ kind: "step_started", body: started.body }],
  });
  await copied.call("rebuild_scorecard", {});
  const after = await copied.call("get_scorecard", {});
  const found = after.targets.find(({ id }: { id: string }) => id === "T2");
  expect(found).toMatchObject({ state: "missed", value: 3 });
  expect(found.worst[0].about).toContain("chain, once, verdict");
});
