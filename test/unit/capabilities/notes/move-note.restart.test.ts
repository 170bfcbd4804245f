// A move while the notes application restarts, and one whose database cannot be written.
import { describe, expect, test } from "vitest";
import { moveNote } from "../../../../capabilities/notes/move-note.ts";
import { NotesFault, type Written } from "../../../../capabilities/notes/notes-server.ts";
import { OUTAGE } from "../../../../capabilities/notes/work.ts";
import { createMutex } from "../../../../src/domain/mutex.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { MOVE, type Moving, moved, really, UNKNOWN, unopposed, withContext } from "../../../support/notes/one-move.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

describe("a notes application that restarts while a plan runs", () => {
  const outage = [0, 0, 0];
  /** Does not answer so many reads after a write, or from the start. */
  const restarting = async (moving: Moving, { from, reads }: { from: "start" | "write"; reads: number }) => {
    const model = someNotes();
    let left = from === "start" ? reads : 0;
    const notes = memoryNotes(
      (plain) => ({
        note: async (id) => {
          if (left === 0) return plain.note(id);
          left -= 1;
          throw new NotesFault("unreachable", "no route");
        },
        move: async () => {
          if (notes.writes() === 1) left = from === "write" ? reads : 0;
          return moving(model, plain);
        },
      }),
      model,
    );
    const work = { notes: async () => notes.server, patience: [0], outage, mutex: createMutex() };
    const became = await withContext((ctx) => moveNote({ ctx, ...work }, MOVE));
    return { ...became, writes: notes.writes(), parents: model.parentsOf("m1") };
  };

  test("is waited for before a move and after it", async () => {
    expect(await restarting(really, { from: "start", reads: 3 })).toMatchObject({ is: "moved", writes: 1 });
    expect(await restarting(really, { from: "write", reads: 3 })).toMatchObject({ is: "moved", writes: 1 });
  });

  test("is not waited for longer than a minute", async () => {
    expect(await restarting(really, { from: "start", reads: 99 })).toMatchObject({ code: "unreachable", writes: 0 });
    expect(await restarting(really, { from: "write", reads: 99 })).toMatchObject({
      code: "outcome_unknown",
      writes: 1,
    });
    expect(OUTAGE.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  });

  test("is asked once more for the move that it was making when it ended", async () => {
    let asked = 0;
    const ending: Moving = async (_, plain) => (asked++ === 0 ? UNKNOWN : plain.move(MOVE, unopposed));
    expect(await restarting(ending, { from: "write", reads: 2 })).toMatchObject({ is: "moved", writes: 2 });
    const never: Moving = () => UNKNOWN;
    expect(await restarting(never, { from: "write", reads: 2 })).toMatchObject({ code: "not_applied", writes: 2 });
  });
});

describe("a database that could not be written", () => {
  const LOCKED: Written = { is: "refused", message: "move_note: database is locked" };

  test("makes a note that shows in both places a case for a restart, in the server's words", async () => {
    const half: Moving = (model) => {
      model.clone({ note_id: "m1", to: "y2026" });
      return LOCKED;
    };
    expect(await moved(half)).toMatchObject({
      code: "in_two_places",
      message: expect.stringMatching(
        /the notes server said: move_note: database is locked\); restart the notes application/,
      ),
    });
  });

  test("makes a move that shows in memory one that its disk may not hold", async () => {
    const memory: Moving = async (_, plain) => {
      await plain.move(MOVE, unopposed);
      return LOCKED;
    };
    expect(await moved(memory)).toMatchObject({
      is: "failed",
      code: "not_on_disk",
      message: expect.stringContaining("disk"),
    });
  });
});
