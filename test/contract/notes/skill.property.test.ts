// Random trees, plans and disturbances, on the real adapters over HTTP: no note is lost, and none is written twice.
// Without a fault of the server, exactly the legal moves happen, and the reverse plan undoes them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { handleOrder } from "../../../capabilities/notes/handle-order.ts";
import { opened } from "../../../capabilities/notes/work.ts";
import { createMutex } from "../../../src/domain/mutex.ts";
import type { SkillEnd } from "../../../src/domain/skill.ts";
import { copyOf, type NotesModel } from "../../simulators/notes/notes-model.ts";
import type { NotesProfile } from "../../simulators/notes/notes-server.ts";
import { memoryNotes } from "../../support/notes/memory-notes.ts";
import { createRuns } from "../../support/notes/skill-runs.ts";
import { undertake } from "../../support/notes/undertake.ts";
import { openNotes, PROFILES } from "./open-notes.ts";
import {
  carryOutAct,
  carryOutOrder,
  type Disturbance,
  disturbances,
  type Order,
  orders,
  plantedFrom,
  seeds,
} from "./random-notes.ts";

const RUNS = 70;

type Notes = Awaited<ReturnType<typeof openNotes>>;

/** Runs the order to its end: approves what it asks for, and restarts it after a kill. */
async function carryThrough(notes: Notes, order: Order, disturbance: Disturbance) {
  const gone: string[] = [];
  let points = 0;
  const isKilledAt = () => {
    const isHere = "point" in disturbance && disturbance.point === points++;
    if (isHere && disturbance.is === "meanwhile") gone.push(...carryOutAct(notes.model, disturbance.does));
    return isHere && disturbance.is === "killed";
  };
  breakAt(notes, disturbance);
  const runs = createRuns(order);
  for (;;) {
    const work = { notes: opened(notes.connect), patience: [0, 0], mutex: createMutex() };
    const end = await runs.run((ctx) => handleOrder({ ...work, ctx }, runs.contract), isKilledAt);
    if (!("is" in end)) return { end, gone };
    if (end.is === "asks") runs.decide("approved");
  }
}

function breakAt({ switches }: Notes, disturbance: Disturbance): void {
  if (disturbance.is !== "fault") return;
  let writes = 0;
  switches.before_write = () => {
    if (writes++ === disturbance.write) switches[disturbance.fault] = 1;
  };
}

type Plan = Extract<Order, { operation: "apply_note_moves" }>["move_plan"];
type Told = {
  readonly reverse_plan?: Plan;
  readonly left_out?: readonly { readonly code: string }[];
  readonly done?: readonly { readonly note_id: string; readonly to: string; readonly also?: string[] }[];
  readonly failed?: unknown;
};

/** The reverse plan restores the tree, unless a note would return to a protected parent. */
async function takeBack(
  model: NotesModel,
  before: NotesModel,
  move_plan: Plan,
  carry: (order: Order) => Promise<SkillEnd>,
) {
  const end = await carry({ operation: "apply_note_moves", dry_run: false, move_plan });
  const { left_out = [] } = (end.result ?? {}) as Told;
  if (left_out.some(({ code }) => code === "target_protected")) return;
  expect([left_out, model.snapshot()], JSON.stringify(end)).toEqual([[], before.snapshot()]);
}

/** Returns how many notes were moved, so that the test can require moves. */
async function trial(profile: NotesProfile, model: ReturnType<typeof plantedFrom>, order: Order, what: Disturbance) {
  await using notes = await openNotes(profile, { model });
  const [before, wanted] = [copyOf(model), copyOf(model)];
  carryOutOrder(wanted, order, profile !== "native");
  const { end, gone } = await carryThrough(notes, order, what);
  const told = JSON.stringify(end);
  const lost = [...before.reachable()].filter((id) => !model.reachable().has(id) && !gone.includes(id));
  expect(lost, told).toEqual([]);
  const written = notes.puts().map(({ args }) => args.noteId);
  expect(new Set(written).size, "no note is written twice").toBe(written.length);
  // A killed move is sent again.
  if (what.is === "none" || what.is === "killed") expect(model.snapshot(), told).toEqual(wanted.snapshot());
  const { done = [], failed, reverse_plan = [] } = (end.result ?? {}) as Told;
  if (what.is !== "meanwhile") {
    for (const { note_id, to, also = [] } of done) {
      expect(model.parentsOf(note_id).toSorted(), told).toEqual([...also, to].toSorted());
    }
  }
  const touched = JSON.stringify([done, failed, what]);
  for (const { note_id } of model.notes()) {
    if (touched.includes(`"${note_id}"`)) continue;
    expect(before.parentsOf(note_id), told).toEqual(expect.arrayContaining(model.parentsOf(note_id)));
  }
  if (what.is === "none" && reverse_plan.length > 0) {
    await takeBack(model, before, reverse_plan, async (back) => (await carryThrough(notes, back, what)).end);
  }
  return done.length;
}

describe.each(PROFILES)("on the notes server %s", (profile) => {
  test("no note is ever lost, and every move reported as done has happened [4.notes.apply_note_moves] [4.notes.execute_move_plan]", async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(seeds, orders, disturbances, async (notes, order, what) => {
        moved += await trial(profile, plantedFrom(notes), order, what);
      }),
      { numRuns: RUNS },
    );
    expect(moved).toBeGreaterThan(RUNS / 6);
  });
});

/** Moves that depend on one another are rare, so this takes many runs, and no server. */
test("a plan on notes in memory runs in order, and its reverse_plan undoes it [4.notes.apply_note_moves]", async () => {
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(seeds, orders, async (notes, order) => {
      const model = plantedFrom(notes);
      const [before, wanted] = [copyOf(model), copyOf(model)];
      carryOutOrder(wanted, order, false);
      const carry = async (one: Order): Promise<SkillEnd> => {
        const task = undertake(one, memoryNotes(undefined, model).server);
        const end = await task.run();
        if (!("is" in end)) return end;
        task.decide("approved");
        return task.end();
      };
      const end = await carry(order);
      expect(model.snapshot(), JSON.stringify(end)).toEqual(wanted.snapshot());
      const { reverse_plan = [] } = (end.result ?? {}) as Told;
      if (reverse_plan.length > 0) await takeBack(model, before, reverse_plan, carry);
      undone += reverse_plan.length;
    }),
    { numRuns: 20 * RUNS },
  );
  expect(undone).toBeGreaterThan(RUNS);
});
