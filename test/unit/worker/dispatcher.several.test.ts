// What a server leaves to the others of its database (D-333).
import { describe, expect, test } from "vitest";
import { settled } from "../../support/manual-timer.ts";
import { held, SHARED, server } from "./a-server.ts";

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

  test("leaves a task without an owner to the others while it has no free place", async () => {
    const { act, letGo } = held();
    const { dispatcher, submit, begin, invoked } = server(act, { are_many: true, concurrency: 1 });
    await begin("runs-here");
    await submit("accepted-elsewhere");
    for (let look = 0; look < 3; look++) await dispatcher.reconcile();
    await letGo("runs-here");
    expect(invoked).toEqual(["runs-here"]);
    await dispatcher.reconcile();
    await settled();
    expect(invoked).toEqual(["runs-here", "accepted-elsewhere"]);
  });

  test("gives way for a moment to an older task of its target that waits on another server", async () => {
    const { act, letGo } = held();
    const it = server(act, { are_many: true });
    await it.begin("a-runs", SHARED);
    await it.submit("b-waits-elsewhere", SHARED);
    for (const task_id of ["c-waits", "d-waits"]) await it.begin(task_id, SHARED);
    await letGo("a-runs");
    expect([it.invoked, it.pending()]).toEqual([["a-runs"], [500]]);
    await it.fire();
    expect(it.invoked).toEqual(["a-runs", "c-waits"]);
  });

  test("gives way to none that is younger, waits here, only looks, or has another target", async () => {
    const { act, letGo } = held();
    const it = server(act, { are_many: true });
    await it.begin("c-runs", SHARED);
    await it.submit("a-other-target");
    await it.submit("a-only-looks", { ...SHARED, intent: "triage" });
    for (const task_id of ["d-waits", "e-waits"]) await it.begin(task_id, SHARED);
    await it.submit("f-younger", SHARED);
    await letGo("c-runs");
    expect([it.invoked, it.pending()]).toEqual([["c-runs", "d-waits"], []]);
    await letGo("d-waits");
    expect(it.invoked).toEqual(["c-runs", "d-waits", "e-waits"]);
  });

  test("says at once that a task waits which needs labels that it has not", async () => {
    const { dispatcher, submit, done, invoked } = server(() => ({}), { are_many: true, labels: ["docker"] });
    dispatcher.dispatch({ ...(await submit("pool")), runs_on: ["zfs"] }, { kind: "recover" });
    await settled();
    expect([invoked, done]).toEqual([[], ["waiting pool"]]);
  });
});

test("the only server gives way to none", async () => {
  const { act, letGo } = held();
  const it = server(act);
  await it.begin("a-runs", SHARED);
  await it.submit("b-unseen", SHARED);
  await it.begin("c-waits", SHARED);
  await letGo("a-runs");
  expect([it.invoked, it.pending()]).toEqual([["a-runs", "c-waits"], []]);
});

test("the only server claims a task without an owner when it sees it", async () => {
  const { dispatcher, submit, invoked } = server(() => ({}));
  await submit("response-was-lost");
  await dispatcher.reconcile();
  await settled();
  expect(invoked).toEqual(["response-was-lost"]);
});
