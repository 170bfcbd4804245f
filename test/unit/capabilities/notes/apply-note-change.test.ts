import { describe, expect, test } from "vitest";
import { NotesFault, type NotesServer, type Written } from "../../../../capabilities/notes/notes-server.ts";
import { type Json, sha256 } from "../../../../src/domain/json.ts";
import { createMutex } from "../../../../src/domain/mutex.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

type SetContent = (plain: NotesServer, change: Parameters<NotesServer["setContent"]>[0]) => Promise<Written>;

function begun(change: Record<string, Json>, setContent: SetContent = (plain, one) => plain.setContent(one)) {
  const model = someNotes();
  const notes = memoryNotes((plain) => ({ setContent: (one) => setContent(plain, one) }), model);
  const payload = { operation: "apply_note_change", note_id: "m1", ...change };
  return { model, notes, task: undertake(payload, notes.server) };
}

const BEFORE = "About meeting 1";
const replacing = (content: string) => ({ mode: "replace", content });
const appending = (content: string) => ({ mode: "append", content });
const replace = replacing("New words");
const append = appending("One more line");
const says = (words: string) => expect.stringContaining(words);
const become = (model: NotesModel, over: object) => Object.assign(model.note("m1") ?? {}, over);

describe("a change [4.notes.apply_note_change]", () => {
  test.each([
    [replace, "New words", 'replace the content of "Meeting 1" (m1)'],
    [append, `${BEFORE}\nOne more line`, 'append to "Meeting 1" (m1)'],
  ])("%j is made in a step of its own, verified by reading, and not kept in the journal", async (change, now, step) => {
    const { model, task } = begun(change);
    expect(await task.end()).toEqual({
      status: "ok",
      code: "changed",
      message: '"Meeting 1" (m1) was changed, and reads as it was written.',
      result: { note_id: "m1", mode: change.mode, digest_before: sha256(BEFORE), digest_after: sha256(now) },
    });
    expect(model.note("m1")?.content).toBe(now);
    expect(task.stepNames()).toEqual(["read the note as it is", step]);
    expect(JSON.stringify(task.stepValues())).not.toMatch(/About meeting|New words|One more/);
  });

  test.each([
    ["that replaces is not made", replace, "changed_meanwhile", 0],
    ["that appends follows it", append, "changed", 1],
    ["that expects a digest is not made", { ...append, expected_digest: sha256(BEFORE) }, "changed_meanwhile", 0],
  ])("%s when the content has changed since an interrupted task read it", async (_, change, code, writes) => {
    const { model, notes, task } = begun(change);
    await task.run((point) => point.startsWith(`before:${change.mode}`));
    become(model, { content: "Somebody else's words" });
    expect(await task.end()).toMatchObject({ code });
    expect(model.note("m1")?.content.startsWith("Somebody else's words")).toBe(true);
    expect(notes.writes()).toBe(writes);
  });

  test("that says what the note says already is a success, and unchanged", async () => {
    expect(await begun(replacing(BEFORE)).task.end()).toMatchObject({
      status: "ok",
      code: "unchanged",
      message: '"Meeting 1" (m1) says what was sent already; nothing of it is different.',
      result: { digest_before: sha256(BEFORE), digest_after: sha256(BEFORE) },
    });
  });

  test.each<[string, (model: NotesModel) => unknown, string]>([
    ["is not there", (model) => model.delete("m1"), "not_found"],
    ["is protected", (model) => become(model, { is_protected: true }), "protected"],
    ["is a file", (model) => become(model, { type: "file" }), "not_text"],
    ["is a collection", (model) => become(model, { type: "book" }), "not_text"],
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

describe("what a server makes of a change [4.notes.apply_note_change]", () => {
  const LOST = { is: "unknown", message: "the connection was cut" } as const;
  const STALE = { is: "refused", message: "stale hash" } as const;
  const answers =
    (written: Written): SetContent =>
    async () =>
      written;
  /** Stores this in place of what was sent, and answers so. */
  const stores =
    (content: string, written: Written = { is: "done" }): SetContent =>
    async (plain, change) => {
      await plain.setContent({ ...change, mode: "replace", content });
      return written;
    };
  const gives = (content: string, answer = content) => stores(content, { is: "done", answer });
  const footnote = 'a fact<sup><a href="#fn1">[1]</a></sup>\n\n1.  **[^](#fnref1)** its source';
  const source = "a fact[^1]\n\n[^1]: its source";
  const TWICE =
    "the note HAS been changed: do not send it again; look at the note in the application, where the revision before the change is kept";
  const ours = "theirs\n\nOne more line";

  test.each<[string, Record<string, Json>, SetContent, object]>([
    ["an unknown outcome that is there", append, stores(`${BEFORE}\nOne more line`, LOST), { code: "changed" }],
    ["an unknown outcome that is not", append, answers(LOST), { status: "failed", code: "not_applied" }],
    [
      "a success that is not there",
      replace,
      answers({ is: "done" }),
      { code: "not_applied", message: says("the notes server says that it was changed") },
    ],
    ["a refusal", replace, answers(STALE), { code: "refused", message: says("stale hash") }],
    [
      "a refusal after another writer",
      replace,
      stores("theirs", STALE),
      { status: "failed", code: "changed_meanwhile", result: { digest_after: sha256("theirs") } },
    ],
    ["an append that replaces", append, stores("One more line"), { status: "failed", code: "not_verified" }],
    [
      "a word that is lost",
      replacing("done & <ok>"),
      stores("done &"),
      { status: "failed", code: "not_verified", message: says("not in it: ok"), next: TWICE },
    ],
    ["an answer without a word of it", replacing("done & <ok>"), gives("done &"), { message: says("not in it: ok") }],
    ["what was sent in another form", replacing(source), gives(footnote), { code: "changed" }],
    ["an appended text in another form", appending(source), gives(`${BEFORE}\n\n${footnote}`), { code: "changed" }],
    [
      "nothing that it keeps",
      appending("<script>x</script>"),
      gives(BEFORE),
      { code: "not_applied", message: expect.stringMatching(/^(?!.*says that it was changed).*keeps nothing of what/) },
    ],
    [
      "another writer's text since",
      replacing("ours"),
      gives("theirs", "ours"),
      { code: "changed_meanwhile", message: says("again by somebody else since") },
    ],
    ["an append among other writers'", append, gives(`${ours}\n\nand theirs`, ours), { code: "changed" }],
    ["an append that another replaces", append, gives("theirs again", ours), { code: "changed_meanwhile" }],
    ["an append that is all that is left", append, gives("One more line"), { code: "not_verified" }],
    ["what was there before", replacing("About **meeting** 1"), gives(BEFORE), { status: "ok", code: "unchanged" }],
  ])("is reported as it is read, after one write: %s", async (_, change, setContent, wanted) => {
    const { notes, task } = begun(change, setContent);
    expect(await task.end()).toMatchObject(wanted);
    expect(notes.writes()).toBe(1);
  });

  test("is unknown when the note can no longer be read", async () => {
    let isGone = false;
    const { server } = memoryNotes(
      (plain) => ({
        setContent: async () => {
          isGone = true;
          return LOST;
        },
        content: async (id) => (isGone ? Promise.reject(new NotesFault("unreachable", "no route")) : plain.content(id)),
      }),
      someNotes(),
    );
    const end = await undertake({ operation: "apply_note_change", note_id: "m1", ...replace }, server).end();
    expect(end).toMatchObject({ status: "failed", code: "outcome_unknown" });
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

test("concurrent appends to one note all get through", async () => {
  const model = someNotes();
  const notes = memoryNotes(undefined, model, { delay_ms: 2 });
  const mutex = createMutex();
  const contents = Array.from({ length: 10 }, (_, n) => `words of ${n}`);
  const ended = await Promise.all(
    contents.map((content) =>
      undertake({ operation: "apply_note_change", note_id: "m1", ...appending(content) }, notes.server, mutex).end(),
    ),
  );
  expect(ended.map(({ code }) => code)).toEqual(contents.map(() => "changed"));
  expect(model.note("m1")?.content).toBe([BEFORE, ...contents].join("\n"));
});
