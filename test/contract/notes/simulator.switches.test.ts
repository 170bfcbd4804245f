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

  test("loses them for ever", async () => {
    await using notes = await start();
    notes.switches.lose_reply_after_write = true;
    await expect(notes.ask(tool, args)).rejects.toThrow("fetch failed");
    await expect(notes.ask(tool, { ...args, newParentNoteId: "other" })).rejects.toThrow("fetch failed");
  });

  test("crashes in the middle of a move, and the note is in two places", async () => {
    await using notes = await start();
    notes.switches.crash_in_move = 1;
    await expect(notes.ask(tool, args)).rejects.toThrow("fetch failed");
    expect(notes.model.parentsOf("a")).toEqual(["root", "box"]);
    expect(notes.switches.crash_in_move).toBe(0);
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

  test("refuses a write, in its own way", async () => {
    await using notes = await start();
    notes.switches.refuse_write = true;
    const asked = notes.ask(tool, args);
    if (profile === "npm") await expect(asked).rejects.toMatchObject({ code: -32_603 });
    if (profile === "git") expect(await asked).toMatchObject({ isError: true });
    if (profile === "native") expect((await asked).texts[0]).toMatch(/^\{"error":"[^"]+"\}$/);
    expect(notes.model.snapshot()).toEqual(forest().snapshot());
  });

  test("says that a write is done that is not, in the words of one that is", async () => {
    await using notes = await start();
    notes.switches.lying_success = 1;
    const lie = await notes.json(tool, args);
    expect(notes.model.snapshot()).toEqual(forest().snapshot());
    expect(await notes.json(tool, args)).toEqual(lie);
    expect(notes.model.parentsOf("a")).toEqual(["box"]);
  });

  test("answers what cannot be parsed, and has done it", async () => {
    await using notes = await start();
    notes.switches.garbage = 2;
    await expect(notes.json("get_note", { noteId: "a" })).rejects.toThrow(SyntaxError);
    await expect(notes.json(tool, args)).rejects.toThrow(SyntaxError);
    expect(notes.model.parentsOf("a")).toEqual(["box"]);
    expect(await notes.json("get_note", { noteId: "a" })).toMatchObject({ noteId: "a" });
  });

  test("is slow, and does what it was asked when nobody waits any more", async () => {
    await using notes = await start();
    notes.switches.delay_ms = 300;
    const options = { timeout: 50 };
    const asked = notes.client.callTool({ name: tool, arguments: { ...args } }, undefined, options);
    await expect(asked).rejects.toThrow("Request timed out");
    expect(notes.model.parentsOf("a")).toEqual(["root"]);
    await expect.poll(() => notes.model.parentsOf("a"), { timeout: 5_000 }).toEqual(["box"]);
  });
});
