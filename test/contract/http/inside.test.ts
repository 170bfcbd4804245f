// No response reveals internals, for odd requests to the real operations and with a broken database.
import { expect, test } from "vitest";
import { runSql } from "../../support/database.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { bearer, startHttp } from "../../support/http-endpoint.ts";

const engine = held(await openEngine());
const { operations, store } = engine;
const ready = () => store.listTasks({ limit: 1 }).then(() => null);
// More is asked here in a moment than one caller may ask.
const unlimited = { amount: 0, per_ms: 1 };
const endpoint = held(await startHttp({ operations, ready, limits: { submits: unlimited, requests: unlimited } }));

const INSIDE =
  /<html|<pre|node_modules|\.ts\b|\.js\b|SELECT |INSERT |UPDATE |sqlite|prisma|no such table|ECONN|orch-engine/i;

async function expectNothingOfTheInside(answer: Response): Promise<number> {
  const text = await answer.text();
  expect(text).not.toMatch(INSIDE);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  if (answer.status >= 400) {
    expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(text)).toMatchObject({ status: answer.status, request_id: answer.headers.get("x-request-id") });
  }
  return answer.status;
}

const ODD = [
  "%00",
  "a%00b",
  "%ff%fe",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "'%20OR%20'1'='1",
  "x';DROP%20TABLE%20task;--",
  "%25n%25s",
  "%F0%9F%92%A3",
  "%ED%A0%80",
  "__proto__",
  "constructor",
  "undefined",
  "-1",
  "1e999",
  "x".repeat(5_000),
];

test("an odd id is a 400 or a 404 in every path", async () => {
  const withId = engine.operations.filter(({ path }) => path.includes("{"));
  expect(withId.length).toBeGreaterThan(4);
  for (const { method, path } of withId) {
    for (const id of ODD) {
      const target = path.replace(/\{\w+\}/, id);
      const answer = await (method === "GET" ? endpoint.get(target) : endpoint.post(target, {}));
      expect([400, 404], `${method} ${target.slice(0, 60)}`).toContain(await expectNothingOfTheInside(answer));
    }
  }
});

test("an odd value in the query of every list is a 400 or finds nothing", async () => {
  const lists = engine.operations.filter(({ method, path }) => method === "GET" && !path.includes("{"));
  for (const { path } of lists) {
    for (const name of ["limit", "after", "status", "intent", "target_signature", "thread_id", "wait_seconds"]) {
      for (const value of ODD.slice(0, -1)) {
        const status = await expectNothingOfTheInside(await endpoint.get(`${path}?${name}=${value}`));
        expect([200, 400, 404], `${path}?${name}=${value}`).toContain(status);
      }
    }
  }
});

test("HEAD, OPTIONS and unknown methods have the same responses on every path", async () => {
  for (const { method, path } of engine.operations) {
    const ask = (verb: string) =>
      fetch(endpoint.url + path.replace(/\{\w+\}/, "x"), { method: verb, headers: bearer() });
    const options = await ask("OPTIONS");
    expect([options.status, options.headers.get("allow")?.split(", ")]).toEqual([
      204,
      expect.arrayContaining([method]),
    ]);
    await expectNothingOfTheInside(options);
    const head = await ask("HEAD");
    expect(await head.text()).toBe("");
    expect(head.headers.get("x-request-id")).not.toBeNull();
    expect(await expectNothingOfTheInside(await ask("PROPFIND"))).toBe(405);
  }
});

test("every operation fails without internals when the database has lost its tables", async () => {
  for (const table of [
    "task",
    "journal_event",
    "sop",
    "approval",
    "task_score",
    "schedule",
    "work_freeze",
    "anchor_leaf",
  ]) {
    await runSql(engine.database, `ALTER TABLE ${table} RENAME TO lost_${table}`);
  }
  const failed = new Set<string>();
  const body = { ...engine.contract("late"), reason: "it must not wait", verified: true, source: "a look" };
  // The graph without a task is the same on every database, and the diagnosis is about what does not work.
  const of_database = engine.operations.filter(({ name }) => name !== "get_graph" && name !== "get_diagnosis");
  for (const { name, method, path } of of_database) {
    const target = path.replace(/\{\w+\}/, "2f1c4d0e-0000-4000-8000-000000000000");
    for (const sent of [{}, body]) {
      const status = await expectNothingOfTheInside(
        await (method === "GET" ? endpoint.get(target) : endpoint.post(target, sent)),
      );
      expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      if (status >= 500) failed.add(name);
    }
  }
  expect([...failed]).toEqual(
    expect.arrayContaining(["submit_task", "list_tasks", "get_task", "list_sops", "list_messages"]),
  );
  expect(endpoint.lines.join(""), "the log contains all of it").toMatch(/no such table/);
  expect(await expectNothingOfTheInside(await fetch(`${endpoint.url}/readyz`))).toBe(503);
  expect(await expectNothingOfTheInside(await fetch(`${endpoint.url}/healthz`))).toBe(200);
});
