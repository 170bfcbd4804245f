// Which unfinished tasks this server may claim.
import { describe, expect, test } from "vitest";
import { JOURNAL_LEVEL } from "../../../../src/domain/journal.ts";
import { isClaimable, mayRunOn, recoveryOf } from "../../../../src/engine/worker/dispatcher.ts";
import { alone, type Predecessor } from "../../../../src/store/peers.ts";
import { AT } from "../../../support/builders.ts";

const clock = () => new Date(AT);
const LATER = "2026-03-06T09:00:30.000Z";
/** The server that has the database after that one. */
const after = (predecessor: Predecessor, owner = "me") =>
  alone({ owner, predecessor, predecessor_process: "other/7", clock });
const claimable = (owner: string | null, lease_expires_at: string | null, predecessor: Predecessor) =>
  isClaimable({ owner, lease_expires_at }, after(predecessor));

describe("an unfinished task", () => {
  test.each([
    ["of no server", null, null, "may_live"],
    ["of this server", "me", LATER, "may_live"],
    ["of a server that has ended", "other", LATER, "ended"],
    ["of a server where there was none", "other", LATER, "none"],
    ["whose lease is over", "other", AT, "may_live"],
    ["without a lease", "other", null, "may_live"],
  ] as const)("%s may be claimed", (_what, owner, lease, predecessor) => {
    expect(claimable(owner, lease, predecessor)).toBe(true);
  });

  test("is left to a server that may live until its lease is over", () => {
    expect(claimable("other", LATER, "may_live")).toBe(false);
  });
});

describe("a task that needs labels", () => {
  const needing = (runs_on: string[] | null, backend: "local" | "flowengine" = "local") => ({
    backend,
    runs_on,
    needs_level: null,
  });

  test.each([
    ["all of which the server has", true, needing(["docker", "host:nas"])],
    ["one of which the server has not", false, needing(["docker", "zfs"])],
    ["for the workers of a flow engine that the server has not", false, needing(["docker"], "flowengine")],
  ] as const)("%s may run there: %s", (_what, may, task) => {
    expect(mayRunOn(["docker", "host:nas"], task)).toBe(may);
  });

  test("for the workers of a flow engine may run where there is one", () => {
    expect(mayRunOn(["flowengine"], needing(["zfs"], "flowengine"))).toBe(true);
  });

  test.each([
    [JOURNAL_LEVEL, true],
    [JOURNAL_LEVEL + 1, false],
  ])("may run on a server of this version where its journal has level %i: %s", (needs_level, may) => {
    expect(mayRunOn([], { ...needing(null), needs_level })).toBe(may);
  });
});

const claimant = (predecessor: Predecessor, isCleared = true) => ({
  servers: after(predecessor, "me/1/a"),
  cleared: () => isCleared,
});

test("a task that was left by a server that stopped, and was killed meanwhile, was not cut off by a crash", () => {
  const left = { owner: "other/7/b", lease_expires_at: null };
  expect(recoveryOf(left, claimant("ended"))).toEqual({ kind: "recover", left_by: "other/7/b", cleared: true });
});

test.each([
  ["other/7/b", "ended", true],
  ["other/7/b", "may_live", true],
  ["other/7/b", "stopped", undefined],
  ["other/7/b", "none", undefined],
  ["me/1/a", "ended", undefined],
  [null, "ended", undefined],
] as const)(
  "a task of server %s, after a server that %s, was cut off by a crash: %s",
  (owner, predecessor, crashed) => {
    const start = recoveryOf({ owner, lease_expires_at: AT }, claimant(predecessor));
    expect(start).toMatchObject({ kind: "recover", ...(crashed && { crashed }) });
  },
);

test.each([
  ["of the server before, which has ended", "other/7/b", "ended", true, true],
  ["of the server before, which has stopped", "other/7/b", "stopped", true, true],
  ["of the server before, which may live", "other/7/b", "may_live", true, undefined],
  ["of a server that came before the last one", "other/70/b", "ended", true, undefined],
  ["of another host", "remote/7/b", "ended", true, undefined],
  ["of this server", "me/1/a", "ended", true, true],
  ["of no server", null, "may_live", true, true],
  ["of this server, with a process left that could not be ended", "me/1/a", "ended", false, undefined],
  ["of the server before, with a process left that could not be ended", "other/7/b", "ended", false, undefined],
] as const)("a task %s: that nothing of it runs any more is certain: %5$s", (_what, owner, before, left, cleared) => {
  const start = recoveryOf({ owner, lease_expires_at: AT }, claimant(before, left));
  expect(start).toEqual({ ...start, kind: "recover", ...(cleared && { cleared }) });
  expect("cleared" in start).toBe(cleared === true);
});
