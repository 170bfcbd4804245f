// How a Store keeps freezes, and lets none be overlooked.
import { describe, expect, test } from "vitest";
import { openFreeze, thawFreeze } from "../../src/features/freeze/operations.ts";
import { aFreeze, aThread, type CreateStore, finished, started } from "./store-records.ts";

const at = (minute: number) => `2026-03-06T09:${String(minute).padStart(2, "0")}:00.000Z`;
const thaw = (freeze_id: string, minute = 30) => thawFreeze({ freeze_id, thawed_by: "bo", at: at(minute) });

export function freezesSuite(create: CreateStore): void {
  describe("freezes", () => {
    const one = aFreeze({ intent: "deploy", target_signature: "service=web", except_diagnostics: true });
    const other = aFreeze({ freeze_id: "freeze-00000002", reason: "power", created_at: at(5) });

    test("are found as they were stored, open ones first and page by page", async () => {
      const store = await create();
      for (const freeze of [one, other, aFreeze({ freeze_id: "freeze-00000003", reason: "wind", created_at: at(9) })])
        expect(await store.commit(openFreeze(freeze))).toMatchObject({ ok: true });
      await store.commit(thaw("freeze-00000003"));
      await store.commit(thaw(one.freeze_id, 40));
      expect(await store.findFreeze(one.freeze_id)).toEqual({ ...one, thawed_by: "bo", thawed_at: at(40) });
      expect(await store.findFreeze("freeze-0000000f")).toBeNull();
      const first = await store.listFreezes({ limit: 2 });
      expect(first.map(({ freeze_id }) => freeze_id)).toEqual(["freeze-00000002", "freeze-00000001"]);
      const rest = await store.listFreezes({ limit: 2, after: "freeze-00000001" });
      expect(rest.map(({ freeze_id }) => freeze_id)).toEqual(["freeze-00000003"]);
      expect(await store.openFreezes()).toEqual({ freezes: [other], unreadable: [] });
    });

    test("are made once while they are open, and thawed once", async () => {
      const store = await create();
      expect(await store.commit(openFreeze(one))).toMatchObject({ ok: true });
      expect(await store.commit(openFreeze({ ...one, freeze_id: "freeze-00000009" }))).toMatchObject({ ok: false });
      const elsewhere = { ...one, freeze_id: "freeze-00000009", target_signature: null };
      expect(await store.commit(openFreeze(elsewhere))).toMatchObject({ ok: true });
      expect(await store.commit(thaw(one.freeze_id))).toMatchObject({ ok: true });
      expect(await store.commit(thaw(one.freeze_id))).toMatchObject({ ok: false });
      expect(await store.commit(openFreeze({ ...one, freeze_id: "freeze-0000000a" }))).toMatchObject({ ok: true });
      expect((await store.readJournal(`freeze/${one.freeze_id}`)).map(({ kind }) => kind)).toEqual([
        "frozen",
        "thawed",
      ]);
    });

    test("are one where several are made at once", async () => {
      const store = await create();
      const ids = Array.from({ length: 8 }, (_, nth) => `freeze-0000001${nth}`);
      const made = await Promise.all(ids.map((freeze_id) => store.commit(openFreeze({ ...one, freeze_id }))));
      expect(made.filter(({ ok }) => ok)).toHaveLength(1);
      expect((await store.openFreezes()).freezes).toHaveLength(1);
    });

    test("a commit that expects none writes nothing while one is open that it does not name", async () => {
      const store = await create();
      const thread_id = aThread();
      const step = (unless_frozen: readonly string[]) =>
        store.commit({ thread_id, after: null, events: [started()], unless_frozen });
      await store.commit(openFreeze(one));
      expect(await step([])).toEqual({ ok: false, conflict: "held" });
      expect(await step([other.freeze_id])).toEqual({ ok: false, conflict: "held" });
      expect(await store.readJournal(thread_id)).toEqual([]);
      await store.commit(openFreeze(other));
      expect(await step([other.freeze_id, one.freeze_id])).toMatchObject({ ok: true });
      const after = (await store.readJournal(thread_id)).at(-1) ?? null;
      const next = { thread_id, after, events: [finished()] };
      expect(await store.commit({ ...next, unless_frozen: [one.freeze_id] })).toEqual({
        ok: false,
        conflict: "held",
      });
      expect(await store.commit(next)).toMatchObject({ ok: true });
    });

    test("a commit that expects none and has lost its tail says so", async () => {
      const store = await create();
      const after = { seq: 3, hash: "0".repeat(64), at: "2026-03-06T09:00:00.000Z" };
      await store.commit(openFreeze(one));
      const lost = { thread_id: aThread(), after, events: [started()], unless_frozen: [] };
      expect(await store.commit(lost)).toMatchObject({ ok: false });
      expect(["journal", "lost_tail"]).toContain(((await store.commit(lost)) as { conflict: string }).conflict);
    });

    test("no first step is written after a freeze, also with others under way", async () => {
      const store = await create();
      const threads = Array.from({ length: 40 }, aThread);
      const steps = threads.map((thread_id) =>
        store.commit({ thread_id, after: null, events: [started()], unless_frozen: [] }),
      );
      const frozen = store.commit(openFreeze(one));
      const late = threads.map(async () => {
        const thread_id = aThread();
        await frozen;
        return store.commit({ thread_id, after: null, events: [started()], unless_frozen: [] });
      });
      expect(await frozen).toMatchObject({ ok: true });
      const begun = (await Promise.all(steps)).filter(({ ok }) => ok).length;
      expect(begun).toBeLessThanOrEqual(threads.length);
      expect((await Promise.all(late)).filter(({ ok }) => ok)).toEqual([]);
    });
  });
}
