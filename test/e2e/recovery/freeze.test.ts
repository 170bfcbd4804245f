// One switch over the real server, on both databases: what is frozen is kept over a restart and runs once after the thaw, what runs is
// cancelled on request, and from the commit of a freeze on no task takes its first step (D-319, D-320).
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { check, cmd } from "../../support/builders.ts";
import { linesOf, type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { databases, postgres } from "../../support/postgres.ts";
import { begin, kindsOf, lines, serve, settled, submit, teach } from "./begin.ts";

const server = postgres();
afterAll(() => server?.stop());

const marking = (mark: string) => [cmd(`echo ${mark} >> marks`), check("test -s marks")];
const viewOf = async (orch: OrchProcess, task_id: string) => (await orch.get(`/v1/tasks/${task_id}`)).body;

type Cursors = {
  readonly frozen: number;
  readonly begun: ReadonlyMap<string, number>;
  readonly threads: readonly string[];
};

/** Where the freeze is in the order of commits, and the first start of each task. */
async function cursorsIn(url: string): Promise<Cursors> {
  const database = await openDatabase({ url });
  const { journalEvent } = database.client;
  const frozen = await journalEvent.findFirst({ where: { kind: "frozen" } });
  const starts = await journalEvent.findMany({ where: { kind: "step_started" }, orderBy: { cursor: "desc" } });
  await database.close();
  const begun = new Map(starts.map(({ thread_id, cursor }) => [thread_id, cursor]));
  return { frozen: frozen?.cursor ?? 0, begun, threads: [...begun.keys()] };
}

test("a frozen task is accepted, outlives its server, and runs once after the thaw, the oldest first", async () => {
  await using directory = await temporaryDirectory();
  const { path: data_dir } = directory;
  const start = { data_dir };
  await using first = await serve(start);
  // It is asked before the freeze, and answered within it.
  await submit(first, "answered");
  const frozen = await first.post("/v1/freezes", { reason: "the disk is replaced" });
  expect(frozen).toMatchObject({ status: 200, body: { created: true, cancelled: [], running: [] } });
  const { freeze_id } = frozen.body.freeze;
  expect((await first.post("/v1/freezes", { reason: "the disk is replaced" })).body).toMatchObject({
    created: false,
    freeze: { freeze_id },
  });
  const held_by_freeze = { freeze_id, reason: "the disk is replaced", until: null };
  expect((await teach(first, "answered", marking("answered"))).body.task).toMatchObject({ held_by_freeze });
  for (const task_id of ["second", "third"]) {
    // It says so at once, however long the caller would wait.
    const began = performance.now();
    const { body } = await submit(first, task_id);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(body).toMatchObject({ status: "accepted", held_by_freeze, next: [{ operation: "list_freezes" }, {}] });
  }
  await first.kill("SIGKILL");
  await using second = await serve(start);
  expect(await viewOf(second, "answered")).toMatchObject({ status: "running", held_by_freeze });
  expect((await second.get("/v1/inbox")).body).toMatchObject({ frozen: [held_by_freeze] });
  await sleep(300);
  expect(await kindsOf(second, "answered")).not.toContain("step_started");
  expect(await kindsOf(second, "second")).toEqual(["task_accepted"]);
  const thawed = await second.post("/v1/freezes/thaw", { freeze_id });
  expect(thawed.body).toMatchObject({ thawed: [{ freeze_id, thawed_by: expect.any(String) }], still_held_by: [] });
  expect((await second.post("/v1/freezes/thaw", { freeze_id })).body).toMatchObject({
    thawed: [],
    thawed_before: [{}],
  });
  expect(await settled(second, "answered")).toMatchObject({ status: "ok", held_by_freeze: null });
  for (const task_id of ["second", "third"])
    expect(await settled(second, task_id)).toMatchObject({ status: "need_input", held_by_freeze: null });
  expect(linesOf(join(data_dir, "marks"))).toEqual(["answered"]);
  const { messages } = (await second.get("/v1/messages")).body;
  const on_freeze = messages.filter(({ thread_id }: { thread_id: string }) => thread_id === `freeze/${freeze_id}`);
  expect(on_freeze.map(({ outcome }: { outcome: { reason_code: string } }) => outcome.reason_code)).toEqual([
    ...["frozen", "thawed"],
  ]);
});

test("with now it kills the step that runs, says so, and leaves what is not frozen alone", async () => {
  await using directory = await temporaryDirectory();
  const { path: data_dir } = directory;
  await using orch = await serve({ data_dir });
  for (const name of ["web", "db"])
    await begin(orch, name, [cmd(`echo ${name} >> began; sleep 4; echo ${name} >> ended`), check("test -s began")]);
  await lines(data_dir, "began", 2);
  const { body } = await orch.post("/v1/freezes", {
    target: { service: "web" },
    reason: "it deletes files",
    now: true,
  });
  expect(body.cancelled).toEqual([
    {
      task_id: "web",
      intent: "deploy",
      target_signature: "service=web",
      status: "cancelled",
      outcome: expect.stringContaining(`frozen (${body.freeze.freeze_id}): it deletes files`),
    },
  ]);
  const { journal } = (await orch.get("/v1/tasks/web/evidence")).body;
  const asked = journal.find(({ kind }: { kind: string }) => kind === "cancel_requested");
  expect(asked.body.reason).toBe(`frozen (${body.freeze.freeze_id}): it deletes files`);
  expect(await settled(orch, "db")).toMatchObject({ status: "ok" });
  expect(linesOf(join(data_dir, "ended"))).toEqual(["db"]);
});

test.each(databases(server))(
  "on %s, from its commit on no task takes its first step, also of those that begin then",
  async (_name, databaseOf) => {
    await using directory = await temporaryDirectory();
    const { path: data_dir } = directory;
    const env = await databaseOf();
    await using orch = await serve({ data_dir, env: { ...env, ORCH_CONCURRENCY: "12", ORCH_SUBMITS_PER_MINUTE: "0" } });
    const names = Array.from({ length: 24 }, (_, nth) => `t-${nth}`);
    await Promise.all(names.map((name) => submit(orch, name)));
    const taught = names.map(async (name, nth) => {
      await sleep(nth * 12);
      return teach(orch, name, marking(name));
    });
    await lines(data_dir, "marks", 4);
    const { freeze_id } = (await orch.post("/v1/freezes", { reason: "hammered" })).body.freeze;
    await Promise.all(taught);
    await sleep(500);
    const url = "DATABASE_URL" in env ? String(env.DATABASE_URL) : `file:${join(data_dir, "state", "orch.db")}`;
    const before = await cursorsIn(url);
    const late = before.threads.filter((thread_id) => (before.begun.get(thread_id) ?? 0) > before.frozen);
    expect(late).toEqual([]);
    expect(before.threads.length).toBeGreaterThanOrEqual(4);
    expect(before.threads.length).toBeLessThan(names.length);
    await orch.post("/v1/freezes/thaw", { freeze_id });
    for (const name of names) expect(await settled(orch, name)).toMatchObject({ status: "ok" });
    expect(linesOf(join(data_dir, "marks")).sort()).toEqual([...names].sort());
  },
);
