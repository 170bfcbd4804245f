import { describe, expect, test } from "vitest";
import { NotesFault, type NotesServer } from "../../../../capabilities/notes/notes-server.ts";
import { type Json, sha256 } from "../../../../src/domain/json.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

type Over = (plain: NotesServer, model: NotesModel) => Partial<NotesServer>;

function begun(change: Record<string, Json>, over: Over = () => ({})) {
  const model = someNotes();
  const notes = memoryNotes((plain) => over(plain, model), model);
  const payload = { operation: "apply_note_change", note_id: "m1", ...change };
  return { model, notes, task: undertake(payload, notes.server) };
}

const BEFORE = "About meeting 1";
const replace = { mode: "replace", content: "New words" };
const append = { mode: "append", content: "One more line" };

describe("a change [4.notes.apply_note_change]", () => {
  test("replaces the content, and is verified by reading", async () => {
    const { model, task } = begun(replace);
    expect(await task.end()).toEqual({
      status: "ok",
      code: "changed",
      message: '"Meeting 1" (m1) was changed, and reads as it was written.',
      result: { note_id: "m1", mode: "replace", digest_before: sha256(BEFORE), digest_after: sha256("New words") },
    });
    expect(model.note("m1")?.content).toBe("New words");
  });

  test("appends to the content, which stays", async () => {
    const { model, task } = begun(append);
    expect(await task.end()).toMatchObject({ status: "ok", code: "changed" });
    expect(model.note("m1")?.content).toBe(`${BEFORE}\nOne more line`);
  });

  test.each([
    [replace, 'replace the content of "Meeting 1" (m1)'],
    [append, 'append to "Meeting 1" (m1)'],
  ])("is recorded as its own step: %j", async (change, name) => {
    const { task } = begun(change);
    await task.end();
    expect(task.stepNames()).toEqual(["read the note as it is", name]);
  });

  test("keeps no content in the journal", async () => {
    const { task } = begun(replace);
    await task.end();
    expect(JSON.stringify(task.stepValues())).not.toMatch(/About meeting|New words/);
  });

  test("that replaces is not made when the content has changed since an interrupted task read it", async () => {
    const { model, notes, task } = begun(replace);
    await task.run((point) => point.startsWith("before:replace"));
    Object.assign(model.note("m1") ?? {}, { content: "Somebody else's words" });
    expect(await task.end()).toMatchObject({ status: "failed", code: "changed_meanwhile" });
    expect(notes.writes()).toBe(0);
  });

  test("that appends follows what another writer has put there, unless a digest is expected", async () => {
    for (const [expected, code] of [
      [{}, "changed"],
      [{ expected_digest: sha256(BEFORE) }, "changed_meanwhile"],
    ] as const) {
      const { model, task } = begun({ ...append, ...expected });
      await task.run((point) => point.startsWith("before:append"));
      Object.assign(model.note("m1") ?? {}, { content: "Somebody else's words" });
      expect(await task.end()).toMatchObject({ code });
      expect(model.note("m1")?.content.startsWith("Somebody else's words")).toBe(true);
    }
  });

  test("that says what the note says already is a success, and unchanged", async () => {
    const { task } = begun({ mode: "replace", content: BEFORE });
    expect(await task.end()).toMatchObject({
      status: "ok",
      code: "unchanged",
      message: '"Meeting 1" (m1) says what was sent already; nothing of it is different.',
      result: { digest_before: sha256(BEFORE), digest_after: sha256(BEFORE) },
    });
  });

  test.each<[string, (model: NotesModel) => unknown, string]>([
    ["is not there", (model) => model.delete("m1"), "not_found"],
    ["is protected", (model) => Object.assign(model.note("m1") ?? {}, { is_protected: true }), "protected"],
    ["is a file", (model) => Object.assign(model.note("m1") ?? {}, { type: "file" }), "not_text"],
    ["is a collection", (model) => Object.assign(model.note("m1") ?? {}, { type: "book" }), "not_text"],
  ])("is not made to a note that %s", async (_, prepare, code) => {
    const { model, notes, task } = begun(replace);
    prepare(model);
    expect(await task.end()).toMatchObject({ status: "blocked", code });
    expect(notes.writes()).toBe(0);
  });

  test("is not made to a system note", async () => {
    expect(await begun({ ...replace, note_id: "_hidden" }).task.end()).toMatchObject({ code: "system_note" });
  });
});

describe("a change with an unknown outcome [4.notes.apply_note_change]", () => {
  const lost = { is: "unknown", message: "the connection was cut" } as const;

  test("is verified by reading, and not repeated", async () => {
    const done = begun(append, (plain) => ({
      setContent: async (change) => {
        await plain.setContent(change);
        return lost;
      },
    }));
    expect(await done.task.end()).toMatchObject({ status: "ok", code: "changed" });
    const undone = begun(append, () => ({ setContent: async () => lost }));
    expect(await undone.task.end()).toMatchObject({ status: "failed", code: "not_applied" });
    expect([done.notes.writes(), undone.notes.writes()]).toEqual([1, 1]);
  });

  test("fails when the server reports success but the content did not change", async () => {
    const { task } = begun(replace, () => ({ setContent: async () => ({ is: "done" }) }));
    expect(await task.end()).toMatchObject({
      status: "failed",
      code: "not_applied",
      message: expect.stringContaining("the notes server says that it was changed"),
      result: { digest_after: sha256(BEFORE) },
    });
  });

  test("fails when the note holds other content afterwards", async () => {
    const { task } = begun(append, (plain) => ({
      setContent: (change) => plain.setContent({ ...change, mode: "replace" }),
    }));
    expect(await task.end()).toMatchObject({ status: "failed", code: "not_verified" });
  });

  test("that is not verified says that the note has changed, what is not in it, and that it must not be sent again", async () => {
    const { task } = begun({ mode: "replace", content: "done & <ok>" }, (plain) => ({
      setContent: (change) => plain.setContent({ ...change, content: "done &" }),
    }));
    const end = await task.end();
    expect(end).toMatchObject({
      status: "failed",
      code: "not_verified",
      message: expect.stringContaining("not in it: ok"),
    });
    expect(end.next).toBe(
      "the note HAS been changed: do not send it again; look at the note in the application, where the revision before the change is kept",
    );
  });

  test("is changed_meanwhile when it is refused and another writer changed the note", async () => {
    const { task } = begun(replace, (plain) => ({
      setContent: async (change) => {
        await plain.setContent({ ...change, content: "theirs" });
        return { is: "refused", message: "stale hash" };
      },
    }));
    expect(await task.end()).toMatchObject({
      status: "failed",
      code: "changed_meanwhile",
      result: { digest_after: sha256("theirs") },
    });
  });

  test("fails with the server's message when the server refuses it", async () => {
    const { task } = begun(replace, () => ({ setContent: async () => ({ is: "refused", message: "stale hash" }) }));
    expect(await task.end()).toMatchObject({ code: "refused", message: expect.stringContaining("stale hash") });
  });

  test("fails when the note can no longer be read", async () => {
    let isGone = false;
    const { task } = begun(replace, (plain) => ({
      setContent: async () => {
        isGone = true;
        return lost;
      },
      content: async (id) => (isGone ? Promise.reject(new NotesFault("unreachable", "no route")) : plain.content(id)),
    }));
    expect(await task.end()).toMatchObject({ status: "failed", code: "outcome_unknown" });
  });
});

test.each([replace, append])("a change that is killed at any point is made at most once: %j", async (change) => {
  const points: string[] = [];
  await begun(change).task.run((point) => {
    points.push(point);
    return false;
  });
  expect(points).toHaveLength(6);
  for (const fatal of points) {
    const { notes, task } = begun(change);
    expect(await task.run((point) => point === fatal)).toEqual({ is: "killed" });
    // A change killed after its recorded start and before the write is not_applied: it is never written again.
    const isBegun = fatal.startsWith("begun:") && !fatal.includes("as it is");
    expect(await task.end()).toMatchObject({ code: isBegun ? "not_applied" : "changed" });
    expect(notes.writes()).toBe(isBegun ? 0 : 1);
  }
});
