// How a Store keeps schedules.
import { describe, expect, test } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import { aSchedule, type CreateStore } from "./store-records.ts";

const at = (minute: number) => `2026-03-06T09:${String(minute).padStart(2, "0")}:00.000Z`;

export function schedulesSuite(create: CreateStore): void {
  describe("schedules", () => {
    const filled = async (...schedules: Parameters<typeof aSchedule>[0][]) => {
      const fresh = await create();
      const changes = schedules.map((over): Change => ({ on: "schedule_created", schedule: aSchedule(over) }));
      expect(await fresh.commit({ thread_id: "t", after: null, events: [], changes })).toMatchObject({ ok: true });
      const change = (one: Change) => fresh.commit({ thread_id: "t", after: "last", events: [], changes: [one] });
      return { fresh, change };
    };

    test("are found as they were stored, by name and page by page", async () => {
      const { fresh } = await filled({ name: "c" }, { name: "a" }, { name: "b", every: null, cron: "0 3 * * *" });
      expect(await fresh.findSchedule("b")).toEqual(aSchedule({ name: "b", every: null, cron: "0 3 * * *" }));
      expect(await fresh.findSchedule("d")).toBeNull();
      expect((await fresh.listSchedules({ limit: 2 })).map(({ name }) => name)).toEqual(["a", "b"]);
      expect((await fresh.listSchedules({ limit: 2, after: "b" })).map(({ name }) => name)).toEqual(["c"]);
    });

    test("are due when their time has come, or while their task is being submitted", async () => {
      const { fresh } = await filled(
        { name: "later", next_due: at(20) },
        { name: "due", next_due: at(5) },
        { name: "paused", status: "paused", next_due: null },
        { name: "open", open_due: at(4), next_due: at(30) },
      );
      const { due, next } = await fresh.dueSchedules(at(5));
      expect({ due: due.map(({ name }) => name).sort(), next }).toEqual({ due: ["due", "open"], next: at(20) });
      expect((await fresh.dueSchedules(at(40))).next).toBeNull();
    });

    test("change and go only as they are known", async () => {
      const { fresh, change } = await filled({});
      const { status, next_due, open_due, created_at } = aSchedule();
      const known = { status, next_due, open_due, created_at };
      const set = { open_due: at(1), next_due: at(10), runs: 4, fault: null };
      const opened = { on: "schedule", name: "web-up", expect: known, set } as const;
      expect(await change(opened)).toMatchObject({ ok: true });
      expect(await fresh.findSchedule("web-up")).toMatchObject(set);
      expect(await change(opened)).toEqual({ ok: false, conflict: opened });
      expect(await change({ on: "schedule_created", schedule: aSchedule() })).toMatchObject({ ok: false });
      const removed = (created: string) =>
        ({ on: "schedule_deleted", name: "web-up", expect: { created_at: created } }) as const;
      expect(await change(removed(at(59)))).toMatchObject({ ok: false });
      expect(await change(removed(created_at))).toMatchObject({ ok: true });
      expect(await fresh.findSchedule("web-up")).toBeNull();
    });
  });
}
