// A server that is cut off loses its task, and its step ends meanwhile: when it hears of it, it reports how, and the supervisor still decides.
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { cmd } from "../../support/builders.ts";
import { cliOf } from "../../support/cli-process.ts";
import { type Cluster, createCluster, type Member, marking, until } from "../../support/cluster.ts";
import { runSql } from "../../support/database.ts";
import { server, settled, submit, teach } from "./scene.ts";

describe.skipIf(server === null)("a server that has lost a task", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster((await server?.createDatabase()) ?? "");
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await server?.stop();
  });

  /** As if it had not been heard for half a minute, from another machine. */
  async function expire(name: string): Promise<void> {
    const tool = await openDatabase({ url: cluster.database_url });
    const holder = JSON.stringify({ host: "elsewhere", pid: 1, started: "", boot_id: null, pid_namespace: null });
    const sql =
      "UPDATE server SET lease_expires_at = '2026-01-01T00:00:00.000Z', holder = ? WHERE name = ? AND stopped_at IS NULL";
    await runSql(tool, sql, holder, name);
    await tool.close();
  }

  const stepOf = async (at: Member, task_id: string) => (await settled(at, task_id, 0)).steps[0];

  test("says how its step has ended, and that settles nothing", { timeout: 180_000 }, async () => {
    const [a, b] = await Promise.all([cluster.start("a"), cluster.start("b")]);
    await submit(a, "moved");
    await teach(a, "moved", [cmd(marking(0, "4"))]);
    await until("the step", 20_000, () => cluster.marks().find(({ task_id }) => task_id === "moved") ?? null);
    a.cutOff();
    await expire("a");
    await until("the end of the step", 20_000, () => cluster.marks().find(({ what }) => what === "end") ?? null);
    const asked = await until("the question", 30_000, async () => {
      const task = await settled(b, "moved", 2);
      return task.status === "need_input" ? task : null;
    });
    expect(asked.outcome.reason_code).toBe("step_outcome_unknown");
    expect(asked.steps[0]).toMatchObject({ status: "outcome_unknown", late_result: null });
    const exited = once(a.child, "exit");
    a.heal();
    expect((await exited)[0]).toBe(8);
    expect(await stepOf(b, "moved")).toMatchObject({
      status: "outcome_unknown",
      exit_code: null,
      late_result: expect.stringMatching(
        /^Server a, which has lost the task, says that step 0 ended with exit code 0 at 20/,
      ),
    });
    const { body } = await b.get("/v1/messages?after=0&limit=100");
    const told = body.messages.filter(
      ({ outcome }: { outcome: { reason_code: string } }) => outcome.reason_code === "late_result",
    );
    expect(told).toHaveLength(1);
    const shown = await cliOf(b)(["task", "moved"]);
    expect(shown.stdout).toContain("says that step 0 ended with exit code 0");
    expect((await b.post("/v1/tasks/moved/resolve", { resolution: "succeeded", index: 0 })).status).toBe(200);
    const done = await settled(b, "moved");
    expect(done).toMatchObject({ status: "ok", steps: [{ status: "passed", late_result: null }, {}] });
    expect(cluster.marks().filter(({ what }) => what === "start")).toHaveLength(1);
    const evidence = await cliOf(b)(["evidence", "moved", "--verify"]);
    expect(evidence, evidence.stdout).toMatchObject({ exit: 0 });
    expect(await cluster.breaches()).toEqual([]);
  });
});
