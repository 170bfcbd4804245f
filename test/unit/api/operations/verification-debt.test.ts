// The tasks that were not verified from outside in time, where thousands of others still have time.
import { expect, test } from "vitest";
import type { Task } from "../../../../src/domain/task.ts";
import type { UnverifiedTask } from "../../../../src/domain/verification.ts";
import { createVerificationDebt } from "../../../../src/features/approvals/inbox.ts";
import type { Store } from "../../../../src/ports.ts";

const NOW = Date.parse("2026-03-06T12:00:00.000Z");
const HOUR_MS = 3_600_000;

/** Of these, the first one is owed; the others have a day. */
function scene(tasks: number) {
  const ended_at = new Date(NOW - 2 * HOUR_MS).toISOString();
  const rows = Array.from({ length: tasks }, (_, nth): UnverifiedTask => {
    const contract = { verify_within_hours: nth === 0 ? 1 : 24 };
    return { task_id: `t-${nth}`, intent: "deploy", target_signature: "host=a", ended_at, contract };
  });
  const verified = new Set<string>();
  const at = { now: NOW, reads: 0 };
  const store: Pick<Store, "listUnverified" | "findTask"> = {
    listUnverified: async ({ limit, after }) => {
      at.reads += 1;
      const open = rows.filter(({ task_id }) => !verified.has(task_id));
      const from = open.findIndex(({ task_id }) => task_id === after) + 1;
      return open.slice(from, from + limit);
    },
    findTask: async (task_id) => ({ task_id, verification: verified.has(task_id) ? {} : null }) as unknown as Task,
  };
  const debt = createVerificationDebt({ store, clock: () => new Date(at.now) }, 500);
  const owed = async () => (await debt()).tasks.map(({ task_id }) => task_id);
  return { at, owed, verify: (task_id: string) => verified.add(task_id) };
}

test("few tasks are read each time, so an owed verification appears when it is due", async () => {
  const { at, owed } = scene(3);
  expect(await owed()).toEqual(["t-0"]);
  at.now = NOW + 22 * HOUR_MS;
  expect(await owed()).toEqual(["t-0", "t-1", "t-2"]);
  expect(at.reads).toBe(2);
});

test("thousands of tasks are read once in some seconds, and a verification ends its debt at once", async () => {
  const { at, owed, verify } = scene(2_100);
  expect(await owed()).toEqual(["t-0"]);
  at.now += 1_000;
  expect(await owed()).toEqual(["t-0"]);
  expect(at.reads).toBe(5);
  verify("t-0");
  expect(await owed()).toEqual([]);
  expect(at.reads).toBe(5);
  at.now += 5_000;
  expect(await owed()).toEqual([]);
  expect(at.reads).toBe(10);
});
