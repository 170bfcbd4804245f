// A due time in a freeze is skipped with the reason (D-321).
import { expect, test } from "vitest";
import type { HeldBy } from "../../../../src/domain/hold.ts";
import { addSchedule } from "../../../../src/features/schedules/changes.ts";
import { nextDue } from "../../../../src/features/schedules/due.ts";
import { ScheduledContract } from "../../../../src/features/schedules/schedule.ts";
import { createScheduleRun } from "../../../../src/features/schedules/scheduler.ts";
import { contractBody } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const MINUTE = 60_000;
const { task_id: _task_id, requested_at: _at, ...CONTRACT } = contractBody();

test("a due time that a freeze holds is skipped with the reason, and nothing is made up for after the thaw", async () => {
  let now = Date.parse("2026-03-06T09:00:00.000Z");
  const clock = () => new Date(now);
  const store = memoryStore(clock);
  const submitted: string[] = [];
  let held_by: HeldBy | null = { freeze_id: "freeze-1a2b3c4d", reason: "the disk is replaced", until: null };
  const run = createScheduleRun({
    store,
    clock,
    obstacle: async () => null,
    turn: () => null,
    task_holds: { holdOn: () => held_by },
    submit: async ({ task_id }) => void submitted.push(task_id),
  });
  const contract = ScheduledContract.parse(CONTRACT);
  const definition = { name: "web-up", contract, every: "5m", cron: null, timezone: null };
  const at = clock().toISOString();
  await store.commit(addSchedule(definition, nextDue(definition, at, clock()), at).commit);
  const pass = async (minutes: number) => {
    now += minutes * MINUTE;
    const { due } = await store.dueSchedules(clock().toISOString());
    for (const schedule of due) await run(schedule);
  };
  await pass(11);
  expect(submitted).toEqual([]);
  expect(await store.findSchedule("web-up")).toMatchObject({ runs: 0, skipped: 1, missed: 1, open_due: null });
  expect((await store.readJournal("schedule/web-up")).at(-1)).toMatchObject({
    kind: "schedule_held",
    body: { due: "2026-03-06T09:10:00.000Z", held_by },
  });
  held_by = null;
  await pass(1);
  expect(submitted).toEqual([]);
  await pass(3);
  expect(submitted).toEqual(["web-up-20260306T091500Z"]);
});
