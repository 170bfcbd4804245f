// A checkpoint names the version that has written it: the graph of another version may be another one (D-329).
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, expect, test } from "vitest";
import { PrismaSaver } from "../../src/store/checkpoint-saver.ts";
import { sqliteDatabases } from "../support/database.ts";

const databases = sqliteDatabases();
afterAll(() => databases.stop());

let saved = 0;
const save = (saver: PrismaSaver) =>
  saver.put(
    { configurable: { thread_id: "t", checkpoint_ns: "" } },
    { ...emptyCheckpoint(), id: uuid6(++saved) },
    { source: "loop", step: saved, parents: {} },
    {},
  );

test("a saver says whether its version has written what is left of a thread, from which another one does not resume", async () => {
  const database = await databases.create();
  const [one, other] = ["1/53", "2/54"].map((written_by) => new PrismaSaver(database, { written_by }));
  if (one === undefined || other === undefined) throw new Error("there are two");
  const thread_id = "t";
  expect(await one.prune(thread_id), "there is none").toBe(false);
  await save(one);
  expect(await one.prune(thread_id)).toBe(true);
  expect(await other.prune(thread_id)).toBe(false);
  expect(await new PrismaSaver(database).prune(thread_id), "no version is another one").toBe(false);
  await save(other);
  expect(await other.prune(thread_id)).toBe(true);
  expect(await one.prune(thread_id)).toBe(false);
});
