// The whole way of a plan: planned, tried, asked about, applied and verified, over questions and kills.
import { describe, expect, test } from "vitest";
import { NotesFault, type NotesServer } from "../../../../capabilities/notes/notes-server.ts";
import type { Json } from "../../../../src/domain/json.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { meetings, someNotes, undertake } from "../../../support/notes/undertake.ts";

type Over = (plain: NotesServer, model: NotesModel) => Partial<NotesServer>;

function begun(order: Record<string, Json> = meetings("y2026", "Meeting "), over: Over = () => ({})) {
  const model = someNotes();
  const notes = memoryNotes((plain) => over(plain, model), model);
  return { model, notes, task: undertake({ operation: "execute_move_plan", ...order }, notes.server) };
}

/** Runs to the question, lets something happen, has it decided and runs to the end. */
async function approved(
  { model, task }: ReturnType<typeof begun>,
  meanwhile: (model: NotesModel) => void = () => undefined,
) {
  const asked = await task.run();
  if (!("is" in asked) || asked.is !== "asks") throw new Error(`it did not ask: ${JSON.stringify(asked)}`);
  meanwhile(model);
  task.decide("approved");
  return task.end();
}

describe("the question [4.notes.execute_move_plan]", () => {
  test("shows every move and every note that is left out, a line each, before anything is written", async () => {
    const { model, notes, task } = begun(meetings());
    model.clone({ note_id: "m2", to: "archive" });
    const before = model.snapshot();
    const bound = { from: expect.stringMatching(/^[0-9a-f]{16}$/), to: expect.stringMatching(/^[0-9a-f]{16}$/) };
    expect(await task.run()).toEqual({
      is: "asks",
      content: {
        intent: "reorganize_notes_tree",
        target_signature: "",
        action: 'Move 3 notes under "2026" (y2026). 1 note would be left out.',
        details: [
          '"Meeting 1" (m1): from "Inbox" (inbox) to "Archive / 2026" (y2026)',
          '"Meeting 3" (m3): from "Inbox" (inbox) to "Archive / 2026" (y2026)',
          '"Meetings" (folder): from "Inbox" (inbox) to "Archive / 2026" (y2026)',
          'Left out: "Meeting 2" (m2) is shown in 2 places, and this notes server cannot move it from one of them',
        ],
        data: {
          moves: [
            { note_id: "m1", title: "Meeting 1", from: "inbox", to: "y2026", bound },
            { note_id: "m3", title: "Meeting 3", from: "inbox", to: "y2026", bound },
            { note_id: "folder", title: "Meetings", from: "inbox", to: "y2026", bound },
          ],
          left_out: [expect.objectContaining({ note_id: "m2", code: "cloned" })],
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    });
    expect(model.snapshot()).toEqual(before);
    expect(notes.writes()).toBe(0);
    expect(task.stepNames()).toEqual(["plan the moves", "try the moves without writing"]);
  });

  test("cannot be dressed up by a title", async () => {
    const { model, task } = begun();
    model.add({ note_id: "evil", title: 'Meeting 4" (m4): from "a\n\u202eb', parents: ["inbox"] });
    const asked = await task.run();
    expect(asked).toMatchObject({
      content: {
        details: expect.arrayContaining([
          expect.stringMatching(/^"Meeting 4\\" \(m4\): from \\"a\\n\\u\{202e\}b" \(evil\): from "Inbox"/),
        ]),
      },
    });
  });

  test("is not asked when nothing was selected, or nothing can be moved", async () => {
    expect(await begun(meetings("y2026", "Budget")).task.end()).toMatchObject({
      status: "blocked",
      code: "nothing_selected",
    });
    const { model, task } = begun(meetings("y2026", "Shopping"));
    model.clone({ note_id: "shop", to: "archive" });
    expect(await task.end()).toMatchObject({
      status: "blocked",
      code: "nothing_to_move",
      message: expect.stringContaining('"Shopping" (shop) is shown in 2 places'),
    });
  });

  test("is not asked when all is in place already: that is verified, and ok", async () => {
    const { notes, task } = begun(meetings("inbox"));
    expect(await task.end()).toMatchObject({ status: "ok", code: "already_in_place", result: { done: [] } });
    expect(notes.writes()).toBe(0);
  });
});

describe("an approved plan [4.notes.execute_move_plan] [4.skill.approval]", () => {
  test("is applied in its order, a step for each move, and verified by one list of the target", async () => {
    const one = begun();
    const ended = await approved(one);
    expect(ended).toMatchObject({ status: "ok", code: "moved", message: "3 notes moved and verified." });
    expect(ended.result).toEqual({
      done: [1, 2, 3].map((n) => ({ note_id: `m${n}`, title: `Meeting ${n}`, from: "inbox", to: "y2026" })),
      left_out: [],
      failed: null,
      not_done: [],
      reverse_plan: [1, 2, 3].map((n) => ({ note_id: `m${n}`, target_parent_note_id: "inbox" })),
    });
    expect(one.model.childrenOf("y2026")).toEqual(["m1", "m2", "m3"]);
    expect(one.model.childrenOf("inbox")).toEqual(["shop", "folder"]);
    expect(one.task.stepNames().slice(2)).toEqual([
      'move "Meeting 1" (m1) to "2026" (y2026)',
      'move "Meeting 2" (m2) to "2026" (y2026)',
      'move "Meeting 3" (m3) to "2026" (y2026)',
      "verify where the notes and their targets are",
    ]);
    expect(one.notes.callsOf("children")).toEqual([["inbox"], ["y2026"]]);
    expect(one.task.progress.at(-1)).toMatchObject({ done: 3, total: 3 });
  });

  test("is carried out when a note of it has been moved to its target meanwhile", async () => {
    const one = begun();
    const move = { note_id: "m2", from: "inbox", to: "y2026" };
    expect(await approved(one, (model) => model.move(move))).toMatchObject({
      status: "ok",
      code: "moved",
      message: "2 notes moved and verified, 1 in place already.",
    });
    expect(one.notes.writes()).toBe(2);
  });

  test("has failed when a note is not where it was put, and names those that are missing", async () => {
    const hiding = begun(meetings("y2026", "Meeting "), (plain) => ({
      children: async (note_id) =>
        note_id === "inbox"
          ? plain.children(note_id)
          : { notes: [{ note_id: "m1", title: "Meeting 1", type: "text" }], gaps: [] },
    }));
    expect(await approved(hiding)).toMatchObject({
      status: "failed",
      code: "not_placed",
      message: expect.stringContaining("2 notes could not be found where the plan has put them: m2 under y2026"),
      result: { done: [{}, {}, {}], missing: [{ note_id: "m2" }, { note_id: "m3" }] },
    });
  });

  test("that cannot be verified has failed, with what was done", async () => {
    const one = begun(meetings("y2026", "Meeting "), (plain) => ({
      children: (note_id) =>
        note_id === "inbox" ? plain.children(note_id) : Promise.reject(new NotesFault("incomplete", "10 of 12")),
    }));
    expect(await approved(one)).toMatchObject({
      status: "failed",
      code: "incomplete",
      message: expect.stringContaining("10 of 12"),
      result: { done: [{}, {}, {}], reverse_plan: [{}, {}, {}] },
    });
  });
});
