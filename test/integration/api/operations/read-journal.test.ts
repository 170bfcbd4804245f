import { expect, test } from "vitest";
import { check } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

const engine = held(await openEngine());

const read = (task_id: string, over: object = {}) => engine.call("read_journal", { task_id, ...over });
const kinds = ({ events }: { events: { kind: string }[] }) => events.map(({ kind }) => kind);

test("read_journal gives the journal in parts, each after the one before", async () => {
  await engine.run("parts");
  const { journal } = await engine.call("get_evidence", { task_id: "parts" });
  const first = await read("parts", { limit: 2 });
  expect(first).toMatchObject({ events: journal.slice(0, 2), next_after: 2, status: "need_input" });
  expect(await read("parts", { after: "2" })).toMatchObject({ events: journal.slice(2), next_after: journal.length });
  expect(await read("parts", { after: journal.length })).toMatchObject({ events: [], next_after: journal.length });
});

test("read_journal waits for the next event, also for one that is no report", async () => {
  await engine.run("waits");
  const { next_after: after } = await read("waits");
  const next = read("waits", { after, wait_seconds: 30 });
  await engine.call("teach", { task_id: "waits", steps: [engine.holding("waits"), check("test -d /")] });
  expect(kinds(await next)[0]).toBe("taught");
  await engine.begun("waits");
  const { events } = await read("waits", { after });
  const begun = events.at(-1);
  expect(begun.kind).toBe("step_started");
  const ended = read("waits", { after: begun.seq, wait_seconds: 30 });
  engine.letGo("waits");
  expect(kinds(await ended)[0]).toBe("step_finished");
});

test("read_journal does not wait for what cannot come any more", async () => {
  await engine.run("over");
  await engine.call("cancel_task", { task_id: "over" });
  const { next_after: after } = await read("over");
  const begun = performance.now();
  expect(await read("over", { after, wait_seconds: 30 })).toMatchObject({ events: [], status: "cancelled" });
  expect(performance.now() - begun).toBeLessThan(15_000);
});

test("read_journal answers with nothing when a wait runs out, and with an error for a task that is not there", async () => {
  await engine.run("quiet");
  const { next_after: after } = await read("quiet");
  expect(await read("quiet", { after, wait_seconds: 0.05 })).toMatchObject({ events: [], next_after: after });
  expect(await engine.refusal("read_journal", { task_id: "nobody" })).toMatchObject({ code: "task_not_found" });
});
