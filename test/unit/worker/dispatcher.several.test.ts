// What a server leaves to the others of its database (D-333).
import { describe, expect, test } from "vitest";
import { settled } from "../../support/manual-timer.ts";
import { held, server } from "./a-server.ts";

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

  test("says at once that a task waits which needs labels that it has not", async () => {
    const { dispatcher, submit, done, invoked } = server(() => ({}), { are_many: true, labels: ["docker"] });
    dispatcher.dispatch({ ...(await submit("pool")), runs_on: ["zfs"] }, { kind: "recover" });
    await settled();
    expect([invoked, done]).toEqual([[], ["waiting pool"]]);
  });
});

test("the only server claims a task without an owner when it sees it", async () => {
  const { dispatcher, submit, invoked } = server(() => ({}));
  await submit("response-was-lost");
  await dispatcher.reconcile();
  await settled();
  expect(invoked).toEqual(["response-was-lost"]);
});
