import { describe, expect, test } from "vitest";
import { check } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

const threadsWithCheckpoints = async ({ database }: Engine): Promise<string[]> =>
  (await database.client.checkpoint.findMany({ distinct: ["thread_id"] })).map(({ thread_id }) => thread_id);

const ask = (engine: Engine, task_id: string) => engine.submit({ task_id, target: engine.targetOf(task_id) });

describe("the checkpoints of a thread", () => {
  test("are kept while it waits and deleted when it ends", async () => {
    await using engine = await openEngine();
    await ask(engine, "taught");
    expect(await threadsWithCheckpoints(engine)).toEqual(["taught"]);
    await engine.call("teach", { task_id: "taught", steps: [check("test -e /nothing")], wait_seconds: 30 });
    await expect.poll(() => threadsWithCheckpoints(engine)).toEqual([]);
  });

  test("are deleted when it is cancelled while it waits", async () => {
    await using engine = await openEngine();
    await ask(engine, "cancelled");
    await engine.call("cancel_task", { task_id: "cancelled" });
    expect(await threadsWithCheckpoints(engine)).toEqual([]);
  });

  test("are deleted at the next start when a stop left them after its end", async () => {
    await using before = await openEngine();
    await ask(before, "ended");
    await ask(before, "waiting");
    const left = await before.database.client.checkpoint.findMany({ where: { thread_id: "ended" } });
    await before.call("cancel_task", { task_id: "ended" });
    await before.database.client.checkpoint.createMany({ data: left });
    await before.shutDown();
    await using after = await openEngine({ directory: before.directory });
    expect(await threadsWithCheckpoints(after)).toEqual(["waiting"]);
  });
});
