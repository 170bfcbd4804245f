// A user who moves the same notes, or their target, at every moment in between: no note is deleted, and none is cut off from the
// tree. The servers' own way shows that this test would see it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotesServer } from "../../../capabilities/notes/notes-server.ts";
import { createOrganizerServer } from "../../../capabilities/notes/servers/organizer.ts";
import type { CallTool } from "../../../capabilities/notes/servers/read-reply.ts";
import { gitProfile } from "../../simulators/notes/git-tools.ts";
import { createNotesModel, type NotesModel } from "../../simulators/notes/notes-model.ts";
import { KINDS, type Kind, playedPlan } from "../../support/notes/played-plan.ts";

const ROUNDS = 1_000;
const FOLDERS = ["inbox", "target", "other", "root"];
const NOTES = ["n0", "n1", "n2"];
/** Of a round's moments; a move of three notes has fewer. */
const MOMENTS = 40;

type UserMove = { readonly moment: number; readonly note: string; readonly place: number; readonly to: string };
type Round = { readonly places: readonly (readonly string[])[]; readonly moves: readonly UserMove[] };

const moment = fc.nat(MOMENTS);
const ofNotes = fc.record({
  moment,
  note: fc.constantFrom(...NOTES),
  place: fc.nat(1),
  to: fc.oneof({ weight: 3, arbitrary: fc.constant("target") }, fc.constantFrom(...FOLDERS)),
});
/** Of the target, or the folder that it is in, into one of the notes or somewhere else. */
const ofTargets = fc.record({
  moment,
  note: fc.constantFrom("target", "area"),
  place: fc.constant(0),
  to: fc.constantFrom(...NOTES, ...NOTES, "other", "root"),
});

const places = fc.array(fc.subarray(["other", "root"], { maxLength: 1 }), { minLength: 3, maxLength: 3 });
const roundsOf = (moves: fc.Arbitrary<UserMove>): fc.Arbitrary<Round> =>
  fc.record({ places, moves: fc.array(moves, { minLength: 1, maxLength: 6 }) });
/** No note is dragged to its target and back within one move of the skill: children_list cannot be kept from deleting it. */
const ONCE_A_NOTE: fc.Arbitrary<Round> = fc.record({
  places,
  moves: fc.uniqueArray(ofNotes, { minLength: 1, selector: ({ note }) => note }),
});

function planted({ places }: Round): NotesModel {
  const model = createNotesModel();
  for (const note_id of ["inbox", "area", "other"]) model.add({ note_id, title: note_id, type: "book" });
  model.add({ note_id: "target", title: "target", type: "book", parents: ["area"] });
  for (const [at, note_id] of NOTES.entries()) {
    model.add({ note_id, title: `Note ${note_id}`, parents: ["inbox", ...(places[at] ?? [])] });
  }
  return model;
}

const PLAN = NOTES.map((note_id) => ({
  note_id,
  target_parent_note_id: "target",
  source_parent_note_id: "inbox",
}));

/** Plays a round, and returns what became of the notes, and how often the user really moved something. */
async function play(round: Round, kind: Kind) {
  const model = planted(round);
  let moved = 0;
  const end = await playedPlan(kind, model, PLAN, (now) => {
    for (const { note, place, to } of round.moves.filter((one) => one.moment === now)) {
      const parents = model.parentsOf(note);
      const from = parents[place % parents.length] ?? "";
      if (model.moveByHand({ note_id: note, from, to })) moved += 1;
    }
  });
  const there = model.reachable();
  const result = end.result as { done?: unknown[] } | undefined;
  return {
    deleted: NOTES.filter((id) => model.note(id) === undefined).length,
    cut_off: [...NOTES, "target"].filter((id) => !there.has(id)).length,
    cut_off_and_moved: end.status === "ok" ? [...NOTES, "target"].filter((id) => !there.has(id)).length : 0,
    moved,
    done: result?.done?.length ?? 0,
  };
}

/** With the server's own move. */
const AS_IT_MOVES: Kind = {
  profile: gitProfile,
  create: (call: CallTool): NotesServer => ({
    ...createOrganizerServer(call),
    move: async ({ note_id, to }) => {
      await call("organize_note", { action: "move", noteId: note_id, newParentNoteId: to });
      return { is: "done" };
    },
  }),
};

async function playAll(kind: Kind, rounds: fc.Arbitrary<Round>, numRuns = ROUNDS) {
  const total = { deleted: 0, cut_off: 0, cut_off_and_moved: 0, moved: 0, done: 0 };
  await fc.assert(
    fc.asyncProperty(rounds, async (round) => {
      const played = await play(round, kind);
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += played[key];
    }),
    { numRuns, endOnFailure: true },
  );
  return total;
}

describe("with a user who moves the same notes at every moment", () => {
  test.each([
    ["organizer", roundsOf(ofNotes)],
    ["children_list", ONCE_A_NOTE],
  ] as const)("the moves of the skill delete no note on %s [4.notes.apply_note_moves]", async (name, rounds) => {
    const { deleted, cut_off, moved, done } = await playAll(KINDS[name], rounds);
    expect([deleted, cut_off]).toEqual([0, 0]);
    expect(moved).toBeGreaterThan(ROUNDS / 2);
    expect(done).toBeGreaterThan(ROUNDS / 2);
  });

  test("the own move of an organizer deletes notes, in the same rounds", async () => {
    const { deleted } = await playAll(AS_IT_MOVES, roundsOf(ofNotes), ROUNDS / 4);
    expect(deleted).toBeGreaterThan(0);
  });
});

describe("with a user who drags the target, or the folder above it, at every moment", () => {
  test.each(["organizer", "subtree"] as const)("no note is cut off from the tree on %s", async (name) => {
    const { deleted, cut_off, moved, done } = await playAll(KINDS[name], roundsOf(fc.oneof(ofTargets, ofNotes)));
    expect([deleted, cut_off]).toEqual([0, 0]);
    expect(moved).toBeGreaterThan(ROUNDS / 2);
    expect(done).toBeGreaterThan(ROUNDS / 4);
  });

  test("a note that is deleted or cut off on children_list is never reported as moved", async () => {
    const { cut_off, cut_off_and_moved } = await playAll(KINDS.children_list, roundsOf(fc.oneof(ofTargets, ofNotes)));
    expect(cut_off_and_moved).toBe(0);
    expect(cut_off).toBeGreaterThan(0);
  });
});
