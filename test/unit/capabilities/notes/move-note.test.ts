// The outcome of one move, for each behaviour of the server, cut off by a crash of orch, and while the application restarts.
import { describe, expect, test } from "vitest";
import { moveCutOff, moveNote } from "../../../../capabilities/notes/move-note.ts";
import { NotesFault, type NotesServer, type Written } from "../../../../capabilities/notes/notes-server.ts";
import { OUTAGE } from "../../../../capabilities/notes/work.ts";
import { createMutex } from "../../../../src/domain/mutex.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import {
  DONE,
  MOVE,
  type Moving,
  moved,
  really,
  UNKNOWN,
  unopposed,
  withContext,
} from "../../../support/notes/one-move.ts";
import { createRuns } from "../../../support/notes/skill-runs.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

type Change = (model: NotesModel) => void;
const intoBoth: Change = (model) => model.clone({ note_id: "m1", to: "y2026" });
const deleted: Change = (model) => model.delete("m1");
const strayed: Change = (model) => model.move({ ...MOVE, to: "folder" });
/** A move that does this instead, and answers so. */
const instead =
  (change: Change, answer: Awaited<ReturnType<Moving>>): Moving =>
  (model) => {
    change(model);
    return answer;
  };
const after =
  (answer: Awaited<ReturnType<Moving>>): Moving =>
  async (model, plain) => {
    await really(model, plain);
    return answer;
  };
const says = (words: string) => expect.stringContaining(words);
const BACK = { is: "withdrawn", code: "target_moved", reason: "the target has moved" } as const;
const LOCKED: Written = { is: "refused", message: "move_note: database is locked" };
const RESTART = /the notes server said: move_note: database is locked\); restart the notes application/;

test.each<[string, Moving, object]>([
  ["has moved when the note is at its target", really, { is: "moved", writes: 1, parents: ["y2026"] }],
  ["has moved when the server refuses it all the same", after({ is: "refused", message: "no" }), { is: "moved" }],
  [
    "is waited for when its effect is late",
    instead((model) => void setImmediate(() => model.move(MOVE)), UNKNOWN),
    { is: "moved", writes: 1 },
  ],
  ["fails when the note is deleted, whatever is said", instead(deleted, DONE), { is: "failed", code: "lost" }],
  ["fails when the note ends up elsewhere", instead(strayed, DONE), { is: "failed", code: "moved_elsewhere" }],
  [
    "is left out when the server has taken it back",
    () => BACK,
    { is: "left_out", code: "target_moved", message: says("the target has moved"), parents: ["inbox"] },
  ],
  [
    "fails when the server could take it back by half only",
    instead(intoBoth, BACK),
    { is: "failed", code: "target_moved", message: says("the target has moved") },
  ],
  ["fails when it was taken back and the note is gone", instead(deleted, BACK), { is: "failed", code: "lost" }],
  [
    "fails when the note was taken out of another place than the approved one",
    after({ is: "done", out_of: "folder" }),
    {
      is: "failed",
      code: "moved_meanwhile",
      message: says("was taken out of folder; somebody had put it there"),
      parents: ["y2026"],
    },
  ],
  [
    "is a case for a restart when a locked database leaves the note in both places",
    instead(intoBoth, LOCKED),
    { code: "in_two_places", message: expect.stringMatching(RESTART) },
  ],
  [
    "that shows in memory may not be on a locked disk",
    after(LOCKED),
    { is: "failed", code: "not_on_disk", message: says("disk") },
  ],
])("a move %s", async (_, moving, wanted) => {
  expect(await moved(moving)).toMatchObject(wanted);
});

/** One move on notes that answer as `over` says. */
async function worked(over: Partial<NotesServer>, { run = moveNote, model = someNotes(), outage = [0] } = {}) {
  const notes = memoryNotes(() => over, model);
  const work = { notes: async () => notes.server, patience: [0, 0], outage, mutex: createMutex() };
  const became = await withContext((ctx) => run({ ctx, ...work }, MOVE));
  return { ...became, writes: notes.writes(), parents: model.parentsOf("m1") };
}

test.each([
  ["two moves of a note", moveNote, moveNote],
  ["a move of a note and one that was cut off", moveNote, moveCutOff],
  ["two moves that were cut off", moveCutOff, moveCutOff],
])("%s at once write only once", async (_, first, second) => {
  const notes = memoryNotes(undefined, someNotes(), { delay_ms: 2 });
  const work = { notes: async () => notes.server, patience: [0, 0], mutex: createMutex() };
  const became = await Promise.all([first, second].map((run) => withContext((ctx) => run({ ctx, ...work }, MOVE))));
  expect(became[0]).toMatchObject({ is: "moved" });
  expect(became[1]).toMatchObject(second === moveNote ? { code: "already_in_place" } : { is: "moved" });
  expect(notes.writes()).toBe(1);
});

describe("a move that was cut off by a crash of orch", () => {
  test.each<[string, Change, object]>([
    ["is not repeated when it was made", (model) => model.move(MOVE), { is: "moved", writes: 0, parents: ["y2026"] }],
    [
      "is not repeated when its effect is late",
      (model) => void setImmediate(() => model.move(MOVE)),
      { is: "moved", writes: 0 },
    ],
    ["is made once when it had not started", () => undefined, { is: "moved", writes: 1, parents: ["y2026"] }],
    [
      "is left to a human when the note is in two places",
      intoBoth,
      {
        is: "failed",
        code: "in_two_places",
        message: says("restart the notes application, look again"),
        writes: 0,
      },
    ],
    ["reports a note that is not found as lost", deleted, { is: "failed", code: "lost", writes: 0 }],
    ["is left out when the note was moved elsewhere", strayed, { is: "left_out", code: "moved_meanwhile", writes: 0 }],
  ])("%s", async (_, prepare, wanted) => {
    expect(await moved(really, { run: moveCutOff, prepare })).toMatchObject(wanted);
  });

  test("is finished when the note is in two places, on a server that can choose one, unless it has left its old one", async () => {
    const finished = (prepare: Change, over: (model: NotesModel) => Partial<NotesServer> = () => ({})) => {
      const model = someNotes();
      intoBoth(model);
      prepare(model);
      return worked({ chooses_place: true, ...over(model) }, { run: moveCutOff, model });
    };
    expect(await finished(() => undefined)).toMatchObject({ is: "moved", writes: 1, parents: ["y2026"] });
    const left: Change = (model) => model.move({ note_id: "m1", from: "inbox", to: "folder" });
    expect(await finished(left)).toMatchObject({ code: "in_two_places", writes: 0, parents: ["y2026", "folder"] });
    const takenBack = (model: NotesModel) => ({
      move: async () => {
        model.deleteBranch("y2026_m1");
        return BACK;
      },
    });
    expect(await finished(() => undefined, takenBack)).toMatchObject({
      is: "left_out",
      code: "target_moved",
      parents: ["inbox"],
    });
  });
});

describe("a notes application that restarts while a plan runs", () => {
  /** Does not answer so many reads after the first write, or from the start. */
  const restarting = async (moving: Moving, from: "start" | "write", reads: number) => {
    const model = someNotes();
    const { server: plain } = memoryNotes(undefined, model);
    let left = from === "start" ? reads : 0;
    let writes = 0;
    return worked(
      {
        note: async (id) => {
          if (left === 0) return plain.note(id);
          left -= 1;
          throw new NotesFault("unreachable", "no route");
        },
        move: async () => {
          writes += 1;
          if (writes === 1) left = from === "write" ? reads : 0;
          return moving(model, plain);
        },
      },
      { model, outage: [0, 0, 0] },
    );
  };
  let asked = 0;
  const ending: Moving = async (_, plain) => (asked++ === 0 ? UNKNOWN : plain.move(MOVE, unopposed));

  test.each([
    ["is waited for before a move", really, "start", 3, { is: "moved", writes: 1 }],
    ["is waited for after a move", really, "write", 3, { is: "moved", writes: 1 }],
    [
      "is not waited for longer than a minute, and then nothing was written",
      really,
      "start",
      99,
      { is: "failed", code: "unreachable", message: says("nothing was written"), writes: 0 },
    ],
    ["leaves an outcome unknown after a write", really, "write", 99, { code: "outcome_unknown", writes: 1 }],
    ["is asked once more for the move it was making when it ended", ending, "write", 2, { is: "moved", writes: 2 }],
    ["is not asked a third time", () => UNKNOWN, "write", 2, { code: "not_applied", writes: 2 }],
  ] as const)("%s", async (_, moving, from, reads, wanted) => {
    expect(await restarting(moving, from, reads)).toMatchObject(wanted);
    expect(OUTAGE.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  });
});

test("a stop before the outcome of a move is known leaves its step without an end", async () => {
  const runs = createRuns({});
  const move = async () => {
    runs.stop.abort();
    return UNKNOWN;
  };
  const { server } = memoryNotes(() => ({ move }), someNotes());
  const ended = runs.run(async (ctx) => {
    await moveNote({ ctx, notes: async () => server, patience: [0, 60_000], mutex: createMutex() }, MOVE);
    return { status: "ok", code: "done", message: "Done." };
  });
  await expect(ended).rejects.toThrow("stopped before it was known");
});
