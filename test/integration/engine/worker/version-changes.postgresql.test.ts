// Two servers on one PostgreSQL: versions that change on one of them are news for what waits on the other, and both see a changed journal.
import { afterAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { postgres } from "../../../support/postgres.ts";

const server = postgres();
afterAll(() => server?.stop());

const statusOf = async (on: Engine, task_id: string) => (await on.call("get_task", { task_id })).status;

describe.skipIf(server === null)("two servers", () => {
  test("promises 2.7, 3.10 and 4.10 on one database", { timeout: 60_000 }, async () => {
    const DATABASE_URL = (await server?.createDatabase()) ?? "";
    await using a = await openEngine({ env: { DATABASE_URL } });
    await using b = await openEngine({ env: { DATABASE_URL } });
    const target = { service: "web" };
    const taught = (on: Engine, nth: number) =>
      on.call("teach", { intent: "deploy", target, steps: [cmd(`echo v${nth}`), check("test -d /")] });
    expect(await b.submit({ task_id: "waits", target, success_criteria: [] })).toMatchObject({ status: "need_input" });
    const [v1, v2] = [await taught(a, 1), await taught(b, 2)];
    const approve = { approval_id: v1.approval_id, decision: "approve" };
    expect((await a.call("approve", approve)).promotion).toMatchObject({ version: 1, in_use: true });
    const refused = await b.refusal("approve", { approval_id: v2.approval_id, decision: "approve" });
    expect(refused).toMatchObject({ code: "approval_stale", current: { content: { replaces: 1 } } });
    await expect.poll(() => statusOf(b, "waits"), { timeout: 30_000 }).not.toBe("need_input");
    expect(await b.outcomeOf("waits")).toMatchObject({ sop_version: 1 });

    await a.call("cancel_task", { task_id: "waits" });
    for (const on of [a, b])
      await expect.poll(async () => t2(await on.call("get_scorecard", {})).state, { timeout: 30_000 }).toBe("met");
    const { client } = a.database;
    const of_first = { thread_id_seq: { thread_id: "waits", seq: 1 } };
    const { body } = await client.journalEvent.findUniqueOrThrow({ where: of_first });
    await client.journalEvent.update({ where: of_first, data: { body: body.replace("web", "wet") } });
    for (const on of [a, b]) {
      const { state, message } = t2(await on.call("get_scorecard", {}));
      expect([state, message]).toEqual([
        "missed",
        expect.stringContaining("the journal of task waits from entry 1 on"),
      ]);
    }
  });
});

type Target = { readonly id: string; readonly state: string; readonly message: string };

function t2({ targets }: { readonly targets: readonly Target[] }): Target {
  const found = targets.find(({ id }) => id === "T2");
  if (found === undefined) throw new Error("there is no T2");
  return found;
}
