// What many pages read at once is read for them once, and never older than what has happened (D-361).
import { expect, test } from "vitest";
import type { AnyOperation } from "../../../../src/api/operations/operation.ts";
import { contractBody } from "../../../support/builders.ts";
import { logIn } from "../../../support/console.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";
import { startHttp } from "../../../support/http-endpoint.ts";

let reads = 0;

const counted = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  handle: (input, caller) => {
    if (operation.name === "list_tasks") reads += 1;
    return operation.handle(input, caller);
  },
});

const engine = held(await openEngine());
const endpoint = held(
  await startHttp({
    operations: engine.operations.map(counted),
    version_of_data: engine.feed.version,
    console: { name: "nas", directory: "/nonexistent", trusted_proxies: [] },
  }),
);

const listedIn = async (answer: Response): Promise<string[]> => {
  const { tasks } = (await answer.json()) as { tasks: { task_id: string }[] };
  return tasks.map(({ task_id }) => task_id);
};

test("forty readings of two people are one, the next one after a submit has the task, and a program always reads for itself", async () => {
  const people = [await logIn(endpoint.url), await logIn(endpoint.url)];
  const read = (nth: number) => fetch(`${endpoint.url}/v1/tasks`, { headers: people[nth % 2]?.headers ?? {} });
  const all = await Promise.all(Array.from({ length: 40 }, (_, nth) => read(nth)));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect(reads).toBeLessThan(40);
  await engine.call("submit_task", contractBody({ task_id: "new", delegation_mode: "known_only" }));
  expect(await listedIn(await read(0))).toEqual(["new"]);
  const before = reads;
  await Promise.all([endpoint.get("/v1/tasks"), endpoint.get("/v1/tasks")]);
  expect(reads).toBe(before + 2);
});
