// One damaged row is one record that cannot be read: no list, no start and no other task depends on it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
  await engine.learn("deploy", { service: "web" }, [cmd("echo x >> ran"), check("test -s ran")]);
  for (const id of ["q-1", "q-2", "q-3", "q-4"])
    await engine.run(id, { target: { service: "web" }, success_criteria: [] });
});
afterAll(() => engine[Symbol.asyncDispose]());

const damage = (sql: string) => engine.database.client.$executeRawUnsafe(sql);
const idsOf = ({ tasks }: { tasks: { task_id: string }[] }) => tasks.map(({ task_id }) => task_id);

test("a damaged task is left out of the pages of the list, which go on after it, and is named there", async () => {
  await damage("UPDATE task SET contract = '{' WHERE task_id = 'q-3'");
  const first = await engine.call("list_tasks", { limit: 2 });
  expect(idsOf(first)).toEqual(["q-4", "q-2"]);
  expect(first.quarantined).toEqual([
    { record: "task", id: "q-3", fault: expect.stringContaining("cannot be read: contract") },
  ]);
  expect(idsOf(await engine.call("list_tasks", { limit: 2, after: first.next_after }))).toContain("q-1");
});

test("it is answered with a code of its own, and the others as ever", async () => {
  await expect(engine.call("get_task", { task_id: "q-3" })).rejects.toMatchObject({ code: "quarantined" });
  expect(await engine.call("get_task", { task_id: "q-2" })).toMatchObject({ status: "ok" });
});

test.each([
  ["bytes in a column of text", "UPDATE task SET contract = x'00ff' WHERE task_id = 'q-3'"],
  ["bytes in the status", "UPDATE task SET contract = '{}', status = x'ff' WHERE task_id = 'q-3'"],
  ["text in a column of numbers", "UPDATE task SET sop_version = 'two' WHERE task_id = 'q-3'"],
])("%s harm no other record", async (_what, sql) => {
  await damage(sql);
  const listed = await engine.call("list_tasks", {});
  expect(idsOf(listed)).toEqual(expect.arrayContaining(["q-1", "q-2", "q-4"]));
  expect(listed.quarantined).toMatchObject([{ record: "task", id: "q-3" }]);
});

test("a damaged message is left out, and the messages after it are read", async () => {
  await damage("UPDATE journal_event SET body = '[' WHERE thread_id = 'q-2' AND message");
  const { messages } = await engine.call("list_messages", { limit: 500 });
  const threads = messages.map(({ thread_id }: { thread_id: string }) => thread_id);
  expect(threads).not.toContain("q-2");
  expect(threads).toContain("q-4");
  expect((await engine.call("list_messages", {})).quarantined).toMatchObject([{ id: expect.stringContaining("q-2") }]);
  const { quarantined } = await engine.call("list_inbox", {});
  expect(quarantined).toMatchObject([{ record: "task" }, { record: "event", id: expect.stringContaining(" of q-2") }]);
});

test("a damaged SOP blocks its tasks, and they say why", async () => {
  await damage("UPDATE sop SET steps = '[' WHERE status = 'active'");
  const task = await engine.run("q-5", {
    target: { service: "web" },
    delegation_mode: "known_only",
    success_criteria: [],
  });
  expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "sop_altered" } });
  const listed = await engine.call("list_sops", {});
  expect(listed.sops).toEqual([]);
  expect(listed.quarantined).toMatchObject([{ record: "sop", fault: expect.stringContaining("steps") }]);
});

test("an event that was changed after this server has written and read it is refused", async () => {
  await engine.learn("deploy", { service: "other" }, [cmd("echo x >> ran"), check("test -s ran")]);
  await engine.run("q-7", { target: { service: "other" }, success_criteria: [] });
  expect(await engine.call("get_task", { task_id: "q-7" })).toMatchObject({ status: "ok" });
  await damage("UPDATE journal_event SET body = body || ' ' WHERE thread_id = 'q-7' AND seq = 2");
  await expect(engine.call("get_task", { task_id: "q-7" })).rejects.toMatchObject({ code: "quarantined" });
});

test("the next start leaves a damaged task that had not ended alone, and serves", async () => {
  await engine.run("q-6", { intent: "restart", target: { service: "web" } });
  await damage("UPDATE task SET status = 'running', contract = '{' WHERE task_id = 'q-6'");
  await engine.shutDown();
  const again = await openEngine({ directory: engine.directory });
  expect((await again.call("list_tasks", {})).quarantined).toContainEqual(expect.objectContaining({ id: "q-6" }));
  await again.shutDown();
});
