// A user who moves the same notes at every moment in between, on the servers whose moves are several requests to the
// application: no note is deleted. The servers' own way shows that this test would see it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { handleOrder } from "../../../capabilities/notes/handle-order.ts";
import type { NotesServer } from "../../../capabilities/notes/notes-server.ts";
import { createChildrenListServer } from "../../../capabilities/notes/servers/children-list.ts";
import { createOrganizerServer } from "../../../capabilities/notes/servers/organizer.ts";
import type { CallTool } from "../../../capabilities/notes/servers/read-reply.ts";
import { createMutex } from "../../../src/domain/mutex.ts";
import type { ToolAnswer } from "../../../src/ports.ts";
import { gitProfile } from "../../simulators/notes/git-tools.ts";
import { createNotesModel, type NotesModel } from "../../simulators/notes/notes-model.ts";
import { npmProfile } from "../../simulators/notes/npm-tools.ts";
import { allOff } from "../../simulators/notes/switches.ts";
import type { Profile, Reply } from "../../simulators/notes/tool.ts";
import { createToolCalls, NOTHING } from "../../simulators/notes/tool-calls.ts";
import { createRuns } from "../../support/notes/skill-runs.ts";

const ROUNDS = 1_000;
const FOLDERS = ["inbox", "target", "other", "root"];
const NOTES = ["n0", "n1", "n2"];
/** Of a round's moments; a move of three notes has fewer. */
const MOMENTS = 40;

type UserMove = { readonly moment: number; readonly note: string; readonly place: number; readonly to: string };
type Round = { readonly places: readonly (readonly string[])[]; readonly moves: readonly UserMove[] };

const rounds: fc.Arbitrary<Round> = fc.record({
  places: fc.array(fc.subarray(["other", "root"], { maxLength: 1 }), { minLength: 3, maxLength: 3 }),
  moves: fc.array(
    fc.record({
      moment: fc.nat(MOMENTS),
      note: fc.constantFrom(...NOTES),
      place: fc.nat(1),
      to: fc.oneof({ weight: 3, arbitrary: fc.constant("target") }, fc.constantFrom(...FOLDERS)),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

function planted({ places }: Round): NotesModel {
  const model = createNotesModel();
  for (const note_id of FOLDERS.slice(0, 3)) model.add({ note_id, title: note_id, type: "book" });
  for (const [at, note_id] of NOTES.entries()) {
    model.add({ note_id, title: `Note ${note_id}`, parents: ["inbox", ...(places[at] ?? [])] });
  }
  return model;
}

const answerOf = (reply: Reply | typeof NOTHING): ToolAnswer => {
  if (reply === NOTHING) return { ok: false, stderr: "cut", executed: "unknown", timed_out: false };
  if (reply.is === "rpc_error") return { ok: false, stderr: reply.message, executed: true, timed_out: false };
  const [stderr = ""] = reply.texts;
  if (reply.is_error) return { ok: false, stderr, executed: true, timed_out: false };
  return { ok: true, stdout: JSON.stringify({ content: reply.texts.map((text) => ({ type: "text", text })) }) };
};

/** Plays a round, and returns how many notes were deleted, and how often the user really moved one. */
async function play(round: Round, profile: Profile, create: (call: CallTool) => NotesServer) {
  const model = planted(round);
  let moment = 0;
  let moved = 0;
  const meanwhile = () => {
    for (const { note, place, to } of round.moves.filter((one) => one.moment === moment)) {
      const parents = model.parentsOf(note);
      const from = parents[place % parents.length] ?? "";
      if (model.moveByHand({ note_id: note, from, to })) moved += 1;
    }
    moment += 1;
  };
  const calls = createToolCalls(profile, model, { ...allOff(), meanwhile });
  const server = create(async (tool, args) => answerOf(await calls.call({ tool, args })));
  const move_plan = NOTES.map((note_id) => ({
    ...{ note_id, target_parent_note_id: "target", source_parent_note_id: "inbox" },
  }));
  const runs = createRuns({ operation: "apply_note_moves", dry_run: false, move_plan });
  const work = { notes: async () => server, patience: [0, 0], mutex: createMutex() };
  const run = () => runs.run((ctx) => handleOrder({ ctx, ...work }, runs.contract));
  await run();
  runs.decide("approved");
  const end = await run();
  const result = "is" in end ? {} : (end.result as { done?: { note_id: string }[] });
  return { deleted: NOTES.filter((id) => model.note(id) === undefined), moved, done: result.done?.length ?? 0 };
}

/** With the server's own move. */
const asItMoves =
  (tool: string) =>
  (call: CallTool): NotesServer => ({
    ...createOrganizerServer(call),
    move: async ({ note_id, to }) => {
      await call(tool, { action: "move", noteId: note_id, newParentNoteId: to });
      return { is: "done" };
    },
  });

async function playAll(profile: Profile, create: (call: CallTool) => NotesServer, numRuns = ROUNDS) {
  const total = { deleted: 0, moved: 0, done: 0 };
  await fc.assert(
    fc.asyncProperty(rounds, async (round) => {
      const { deleted, moved, done } = await play(round, profile, create);
      total.deleted += deleted.length;
      total.moved += moved;
      total.done += done;
    }),
    { numRuns, endOnFailure: true },
  );
  return total;
}

describe("with a user who moves the same notes at every moment", () => {
  test.each([
    ["organizer", gitProfile, createOrganizerServer],
    ["children_list", npmProfile, createChildrenListServer],
  ])("the moves of the skill delete no note on %s [4.notes.apply_note_moves]", async (_name, profile, create) => {
    const { deleted, moved, done } = await playAll(profile, create);
    expect(deleted).toBe(0);
    expect(moved).toBeGreaterThan(ROUNDS / 2);
    expect(done).toBeGreaterThan(ROUNDS / 2);
  });

  test("the own move of an organizer deletes notes, in the same rounds", async () => {
    const { deleted } = await playAll(gitProfile, asItMoves("organize_note"), ROUNDS / 4);
    expect(deleted).toBeGreaterThan(0);
  });
});
