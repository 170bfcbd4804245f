// What a server leaves to the others of its database (D-333).
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT } from "../../../support/builders.ts";
import { settled } from "../../../support/manual-timer.ts";
import { SHARED, server } from "./a-server.ts";

describe("one of several servers", () => {
  test("claims a task without an owner when it sees it so a second time", async () => {
    const { dispatcher, submit, invoked } = server(() => ({}), { are_many: true });
    await submit("accepted-elsewhere");
    await dispatcher.reconcile();
    await settled();
    expect(invoked).toEqual([]);
    await dispatcher.reconcile();
    await settled();
    expect(invoked).toEqual(["accepted-elsewhere"]);
  });

  test("says at once that a task waits which needs labels that it has not", async () => {
    const { dispatcher, submit, done, invoked } = server(() => ({}), { are_many: true, labels: ["docker"] });
    dispatcher.dispatch({ ...(await submit("pool")), runs_on: ["zfs"] }, { kind: "recover" });
    await settled();
    expect([invoked, done]).toEqual([[], ["waiting pool"]]);
  });
});

describe("a server that has lost its lease for a moment [promises 5.1]", () => {
  /**
   * A server with rows of targets as PostgreSQL has them. `cut` cuts off the first run of `a-runs`, whose row stays and refuses every other
   * claim; every other run ends its task.
   */
  function cutOffServer() {
    let holder: string | null = "a-runs";
    let cut: () => void = () => undefined;
    let isAway = false;
    const cutOff = new Promise((_, reject) => {
      cut = () => reject(new OrchError("fenced", "the work on this thread was cut off"));
    });
    let runs = 0;
    const act = async (task_id: string) => {
      if (task_id === "a-runs" && runs++ === 0) return cutOff;
      if (holder === task_id) holder = null;
      const set = { status: "ok", owner: null, ended_at: AT } as const;
      await it.write(task_id, [], [{ on: "task", task_id, expect: { status: ["running"] }, set }]);
      return {};
    };
    const store = (real: Store): Partial<Store> => ({
      listHolds: async () => {
        if (isAway) throw new OrchError("database_unusable", "connection lost");
        return holder === null ? [] : [{ target_signature: "service=web", task_id: holder }];
      },
      commit: async (commit) => {
        const conflict = commit.changes?.find(
          (change) => change.on === "target_held" && holder !== null && change.task_id !== holder,
        );
        return conflict === undefined ? real.commit(commit) : { ok: false, conflict };
      },
    });
    const it = server(act, { are_many: true, store });
    /** No look finds which task has the target. */
    const away = (is: boolean) => {
      isAway = is;
    };
    return { ...it, cut, away };
  }

  test.each([["looks while the task is not dispatched"], ["looks after the task was dispatched"]])(
    "goes on with the task that has the target, and then with those that waited: it %s",
    async (when) => {
      const it = cutOffServer();
      await it.begin("a-runs", SHARED);
      for (const task_id of ["b-waits", "c-waits"]) await it.begin(task_id, SHARED);
      const isLate = when === "looks after the task was dispatched";
      it.away(isLate);
      it.cut();
      await settled();
      const a = await it.store.findTask("a-runs");
      if (a === null) throw new Error("a-runs is stored");
      if (isLate) it.dispatcher.dispatch(a, { kind: "recover" });
      await settled();
      it.away(false);
      for (let look = 0; look < 3; look++) {
        await it.dispatcher.reconcile();
        await settled();
      }
      expect(it.invoked).toEqual(["a-runs", "a-runs", "b-waits", "c-waits"]);
      expect(it.locks.holderOf("service=web")).toBeNull();
    },
  );
});
