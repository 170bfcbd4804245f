// What a server knows of freezes, and what it lets begin.
import { expect, test } from "vitest";
import { openFreeze, thawFreeze } from "../../../../src/features/freeze/operations.ts";
import { createFreezeHolds, windowIn } from "../../../../src/features/freeze/windows.ts";
import { aFreeze } from "../../../conformance/store-records.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const FRIDAY = "2026-03-06T15:00:00.000Z";
const deploy = { intent: "deploy", target_signature: "service=web" };
const look = { intent: "triage", target_signature: "service=web" };

function known(...texts: string[]) {
  let now = new Date(FRIDAY);
  const store = memoryStore(() => now);
  const windows = texts.flatMap((text) => {
    const window = windowIn(text, "UTC");
    return "fault" in window ? [] : [window];
  });
  const eased: string[] = [];
  const freezes = createFreezeHolds({ store, clock: () => now, windows });
  freezes.onEased(() => void eased.push(now.toISOString()));
  const setClock = (at: string) => {
    now = new Date(at);
  };
  return { store, freezes, eased, setClock };
}

test("a freeze holds once it was read, and what it held is looked for when it is thawed", async () => {
  const { store, freezes, eased } = known();
  const freeze = aFreeze({ intent: "deploy" });
  await store.commit(openFreeze(freeze));
  expect(freezes.holdOn(deploy)).toBeNull();
  await freezes.look();
  const held_by = { freeze_id: freeze.freeze_id, reason: freeze.reason, until: null };
  expect([freezes.holdOn(deploy), freezes.holdOn(look)]).toEqual([held_by, null]);
  expect([freezes.passing(deploy), freezes.passing(look)]).toEqual([[], [freeze.freeze_id]]);
  expect(freezes.inForce()).toEqual([held_by]);
  await store.commit(thawFreeze({ freeze_id: freeze.freeze_id, thawed_by: "bo", at: FRIDAY }));
  expect(eased).toEqual([]);
  await freezes.look();
  expect([freezes.holdOn(deploy), freezes.inForce(), eased]).toEqual([null, [], [FRIDAY]]);
  await freezes.look();
  expect(eased).toHaveLength(1);
});

test("a window begins and ends with the clock, for what changes something, and is noticed when it has ended", async () => {
  const { freezes, eased, setClock } = known("Fri 16:00 to Mon 07:00: weekend");
  await freezes.look();
  expect(freezes.holdOn(deploy)).toBeNull();
  setClock("2026-03-06T16:00:00.000Z");
  const held_by = { freeze_id: null, reason: "weekend", until: "2026-03-09T07:00:00.000Z" };
  expect([freezes.holdOn(deploy), freezes.holdOn(look), freezes.inForce()]).toEqual([held_by, null, [held_by]]);
  await freezes.look();
  setClock("2026-03-09T07:00:00.000Z");
  await freezes.look();
  expect([freezes.holdOn(deploy), eased]).toEqual([null, ["2026-03-09T07:00:00.000Z"]]);
});

test("a clock that is set back into a window is believed", async () => {
  const { freezes, setClock } = known("Fri 16:00 to Mon 07:00: weekend");
  setClock("2026-03-09T08:00:00.000Z");
  expect(freezes.holdOn(deploy)).toBeNull();
  setClock("2026-03-08T08:00:00.000Z");
  expect(freezes.holdOn(deploy)).toMatchObject({ reason: "weekend" });
});

test("a freeze that cannot be read holds everything, and says so", async () => {
  const read = { freezes: [aFreeze({ intent: "restart" })], unreadable: ["freeze-0000000f"] };
  const store = { openFreezes: async () => read };
  const damaged = createFreezeHolds({ store, clock: () => new Date(FRIDAY), windows: [] });
  await damaged.look();
  const held_by = { freeze_id: "freeze-0000000f", reason: expect.stringContaining("cannot be read"), until: null };
  expect([damaged.holdOn(deploy), damaged.holdOn(look)]).toEqual([held_by, held_by]);
  expect(damaged.inForce()).toEqual([held_by, expect.objectContaining({ freeze_id: "freeze-00000001" })]);
});

test("a look that fails leaves what was known", async () => {
  let fails = false;
  const { store } = known();
  await store.commit(openFreeze(aFreeze()));
  const freezes = createFreezeHolds({
    store: { openFreezes: () => (fails ? Promise.reject(new Error("gone")) : store.openFreezes()) },
    clock: () => new Date(FRIDAY),
    windows: [],
  });
  await freezes.look();
  fails = true;
  await expect(freezes.look()).rejects.toThrow("gone");
  expect(freezes.holdOn(deploy)).toMatchObject({ freeze_id: "freeze-00000001" });
  fails = false;
  await freezes.look();
});
