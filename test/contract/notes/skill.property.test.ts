// Whatever the tree, the plan, the notes server and the accident: no note is lost, none is written twice, and without an
// accident of the server's exactly those moves have happened that may. On the real adapters, over HTTP.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { handleOrder } from "../../../capabilities/notes/handle-order.ts";
import { opened } from "../../../capabilities/notes/work.ts";
import { copyOf } from "../../support/notes/notes-model.ts";
import type { NotesProfile } from "../../support/notes/notes-server.ts";
import { createRuns } from "../../support/notes/skill-runs.ts";
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

const RUNS = 120;

type Notes = Awaited<ReturnType<typeof openNotes>>;

/** Sees the order through: whoever is asked approves, and what is killed is started again. */
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
    const work = { notes: opened(notes.connect), patience: [0, 0] };
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

type Told = { readonly done?: readonly { readonly note_id: string; readonly to: string }[]; readonly failed?: unknown };

/** How many notes were moved, so that nobody proves anything by moving none. */
async function trial(profile: NotesProfile, model: ReturnType<typeof plantedFrom>, order: Order, what: Disturbance) {
  await using notes = await openNotes(profile, { model });
  const [before, wanted] = [copyOf(model), copyOf(model)];
  carryOutOrder(wanted, order);
  const { end, gone } = await carryThrough(notes, order, what);
  const told = JSON.stringify(end);
  const lost = [...before.reachable()].filter((id) => !model.reachable().has(id) && !gone.includes(id));
  expect(lost, told).toEqual([]);
  const written = notes.writes().map(({ args }) => args.noteId);
  expect(new Set(written).size, "no note is written twice").toBe(written.length);
  // A move that a kill has cut off is made up for where a second one does no harm, and told as not applied elsewhere.
  const isCutOff = what.is === "killed" && profile === "git" && end.code === "not_applied";
  if (what.is === "none" || (what.is === "killed" && !isCutOff))
    expect(model.snapshot(), told).toEqual(wanted.snapshot());
  const { done = [], failed } = (end.result ?? {}) as Told;
  if (what.is !== "meanwhile") {
    for (const { note_id, to } of done) expect(model.parentsOf(note_id), told).toEqual([to]);
  }
  const touched = JSON.stringify([done, failed, what]);
  for (const { note_id } of model.notes()) {
    if (touched.includes(`"${note_id}"`)) continue;
    expect(before.parentsOf(note_id), told).toEqual(expect.arrayContaining(model.parentsOf(note_id)));
  }
  return done.length;
}

describe.each(PROFILES)("on the notes server %s", (profile) => {
  test("no note is ever lost, and what is told as done has happened [4.notes.apply_note_moves] [4.notes.execute_move_plan]", async () => {
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
