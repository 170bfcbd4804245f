// One server whose database is away for longer than its lease: what ran is asked about or goes on, and what waited for its target follows.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cmd } from "../../support/builders.ts";
import { type Cluster, createCluster, type Member, marking, until } from "../../support/cluster.ts";
import { STARTS_MS, server, settled, submit, teach } from "./scene.ts";

/** Longer than a lease of 30 s. */
const AWAY_MS = 40_000;
const SHARED = { target: { service: "shared" } };

describe.skipIf(server === null)(
  "a database that is away for longer than the lease of its only server [promises 5.1]",
  () => {
    let cluster: Cluster;
    let orch: Member;
    beforeAll(async () => {
      if (server === null) return;
      cluster = await createCluster(await server.createDatabase());
      orch = await cluster.start("only");
    }, STARTS_MS);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
      await server?.stop();
    });

    test("leaves no task running without a thread, and none queued for ever", { timeout: 240_000 }, async () => {
      await submit(orch, "a-runs", SHARED);
      await teach(orch, "a-runs", [cmd(marking(0, "50")), cmd(marking(1, "0.1"))]);
      await until("the first step", 20_000, () => (cluster.marks().length > 0 ? true : null));
      for (const task_id of ["b-waits", "c-waits"]) await orch.post("/v1/tasks", waiting(task_id));
      orch.cutOff();
      await sleep(AWAY_MS);
      orch.heal();
      await until("the end of every task, or a question about a step", 90_000, async () => {
        const { status, waiting: asked } = await settled(orch, "a-runs", 2);
        if (status === "need_input")
          await orch.post("/v1/tasks/a-runs/resolve", { resolution: "succeeded", index: asked.index });
        const ended = await Promise.all(["a-runs", "b-waits", "c-waits"].map((task_id) => settled(orch, task_id, 1)));
        return ended.every((task) => ["ok", "need_input"].includes(task.status)) && ended[0]?.status === "ok"
          ? true
          : null;
      });
      const starts = cluster.marks().filter((mark) => mark.task_id === "a-runs" && mark.what === "start");
      expect(
        starts.map(({ index }) => index),
        "each step ran once",
      ).toEqual([0, 1]);
      expect((await settled(orch, "b-waits", 1)).status).toBe("need_input");
    });
  },
);

const waiting = (task_id: string) => ({
  task_id,
  intent: "restart",
  ...SHARED,
  delegation_mode: "teach_if_unknown",
  constraints: { implicit_scope: [], require_approval_for: [] },
  success_criteria: ["it is up"],
  requested_by: "supervisor",
  requested_at: "2026-03-06T09:00:00.000Z",
  payload: {},
});
