// What can be made to go wrong in the simulated notes servers: each switch, in every profile.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { startNotes } from "../../support/notes/notes-client.ts";

function forest() {
  const model = createNotesModel();
  for (const note_id of ["a", "box", "other"]) model.add({ note_id, title: note_id });
  return model;
}

/** How `a` is moved to the box, and what a server says that will not. */
const MOVE = {
  native: ["move_note", { noteId: "a", newParentNoteId: "box" }],
  git: ["organize_note", { action: "move", noteId: "a", newParentNoteId: "box" }],
  npm: ["move_note", { noteId: "a", newParentNoteId: "box" }],
} as const;

describe.each(["native", "git", "npm"] as const)("%s", (profile) => {
  const [tool, args] = MOVE[profile];
  const start = () => startNotes(profile, { model: forest() });

  test("loses the answer to a write that is done, so often and no more", async () => {
    await using notes = await start();
    notes.switches.lose_reply_after_write = 1;
    expect(await notes.json("get_note", { noteId: "a" })).toMatchObject({ noteId: "a" });
    await expect(notes.ask(tool, args)).rejects.toThrow("fetch failed");
    expect(notes.model.parentsOf("a")).toEqual(["box"]);
    await notes.json(tool, { ...args, newParentNoteId: "other" });
    expect(notes.model.parentsOf("a")).toEqual(["other"]);
    expect(notes.writes()).toEqual([
      { tool, args },
      { tool, args: { ...args, newParentNoteId: "other" } },
    ]);
  });

  test("lets somebody else come first", async () => {
    await using notes = await start();
    const seen: unknown[] = [];
    notes.switches.before_write = async (call) => {
      await sleep(5);
      seen.push(call);
      notes.model.move({ note_id: "a", from: "root", to: "other" });
    };
    await notes.json("get_note", { noteId: "a" });
    await notes.json(tool, args);
    expect(seen).toEqual([{ tool, args }]);
    expect(notes.model.snapshot()).toEqual(["box > a", "none > root", "root > box", "root > other"]);
  });
});
