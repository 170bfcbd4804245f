// Which unfinished tasks this server may claim.
import { describe, expect, test } from "vitest";
import { type Claimant, isClaimable, recoveryOf } from "../../../src/worker/claimable.ts";
import { AT } from "../../support/builders.ts";

const clock = () => new Date(AT);
const LATER = "2026-03-06T09:00:30.000Z";
const claimable = (owner: string | null, lease_expires_at: string | null, predecessor: Claimant["predecessor"]) =>
  isClaimable({ owner, lease_expires_at }, { owner: "me", predecessor, clock });

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

test("a task that was left by a server that stopped, and was killed meanwhile, was not cut off by a crash", () => {
  const left = { owner: "other", lease_expires_at: null };
  expect(recoveryOf(left, { owner: "me", predecessor: "ended" })).toEqual({ kind: "recover" });
});

test.each([
  ["other", "ended", true],
  ["other", "may_live", true],
  ["other", "stopped", undefined],
  ["other", "none", undefined],
  ["me", "ended", undefined],
  [null, "ended", undefined],
] as const)(
  "a task of server %s, after a server that %s, was cut off by a crash: %s",
  (owner, predecessor, crashed) => {
    expect(recoveryOf({ owner, lease_expires_at: AT }, { owner: "me", predecessor })).toEqual({
      kind: "recover",
      ...(crashed && { crashed }),
    });
  },
);
