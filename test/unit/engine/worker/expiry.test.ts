// One timer for all approvals: when it is set, what it does, and when it tries again.
import { describe, expect, test } from "vitest";
import type { Approval } from "../../../../src/domain/approval.ts";
import { createExpiry } from "../../../../src/engine/worker/expiry.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT } from "../../../support/builders.ts";
import { manualTimer, settled } from "../../../support/manual-timer.ts";
import { anApproval } from "../tasks/a-task.ts";

const LONGEST = 2_147_483_647;
const DAY = 86_400_000;
const later = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
const due = (approval_id: string): Approval => anApproval({ approval_id, expires_at: AT });

type Answer = Awaited<ReturnType<Store["expiringApprovals"]>>;

/** The store answers with these, one after the other; the last one stays. */
function expiring(...answers: (Answer | Error)[]) {
  const manual = manualTimer();
  const asked: string[] = [];
  const expired: string[] = [];
  const logged: string[] = [];
  const stuck = new Set<string>();
  const expiry = createExpiry({
    store: {
      expiringApprovals: async (at) => {
        asked.push(at);
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (answer === undefined || answer instanceof Error) throw answer;
        return answer;
      },
    },
    clock: () => new Date(AT),
    timer: manual.timer,
    expire: async ({ approval_id }) => {
      expired.push(approval_id);
      if (stuck.has(approval_id)) throw new Error("not now");
    },
    log: { error: (details, message) => void logged.push(`${Object.values(details).join(" ")} ${message}`) },
  });
  return { expiry, asked, expired, logged, stuck, ...manual };
}

describe("the timer", () => {
  test.each([
    [1_500, 1_500],
    [0, 1],
    [-5, 1],
    [24 * DAY, 24 * DAY],
    [25 * DAY, LONGEST],
    [365 * DAY, LONGEST],
  ])("for an approval that expires in %i ms is set to %i ms: a longer one would fire at once", async (ms, wait) => {
    const it = expiring({ due: [], next: later(ms) });
    await it.expiry.arm();
    expect(it.pending()).toEqual([wait]);
  });

  test("looks again when it fires, and stays one timer, however often it is set", async () => {
    const it = expiring({ due: [], next: later(365 * DAY) }, { due: [], next: later(300) }, { due: [], next: null });
    await it.expiry.arm();
    await it.expiry.arm();
    expect(it.pending()).toEqual([300]);
    await it.fire();
    expect([it.asked.length, it.pending()]).toEqual([3, []]);
  });

  test("is not set any more after a stop, also by what was under way", async () => {
    const it = expiring({ due: [], next: later(300) });
    await it.expiry.arm();
    const arming = it.expiry.arm();
    it.expiry.stop();
    await arming;
    expect(it.pending()).toEqual([]);
    await it.expiry.arm();
    expect(it.asked).toHaveLength(2);
    expect(it.pending()).toEqual([]);
  });
});

describe("what is due", () => {
  test("is logged when it cannot be expired, holds up nothing, and is tried again after half a minute", async () => {
    const it = expiring({ due: [due("a"), due("b")], next: null }, { due: [due("a")], next: null });
    it.stuck.add("a");
    await it.expiry.arm();
    expect([it.expired, it.pending()]).toEqual([["a", "b"], [30_000]]);
    expect(it.logged).toEqual(["a Error: not now an approval could not be expired; trying again"]);
    it.stuck.clear();
    await it.fire();
    expect([it.expired, it.pending()]).toEqual([["a", "b", "a"], []]);
  });
});

test("a database that does not answer is logged, and asked again after half a minute", async () => {
  const it = expiring(new Error("the disk is full"), { due: [due("a")], next: null });
  await it.expiry.arm();
  expect(it.pending()).toEqual([30_000]);
  expect(it.logged).toEqual(["Error: the disk is full approvals could not be expired; trying again"]);
  await it.fire();
  await settled();
  expect([it.expired, it.pending()]).toEqual([["a"], []]);
});
