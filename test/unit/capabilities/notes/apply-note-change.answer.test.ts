// A change of content where the server answers with the resulting content, and where several come at once.
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/domain/json.ts";
import { createMutex } from "../../../../src/domain/mutex.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

const BEFORE = "About meeting 1";
const append = { mode: "append", content: "One more line" };

describe("a change on a server that answers with the result [4.notes.apply_note_change]", () => {
  /** The server stores `stored`, and says that it has stored `answer`. */
  const answered = (change: Record<string, Json>, stored: string, answer = stored) =>
    undertake(
      { operation: "apply_note_change", note_id: "m1", ...change },
      memoryNotes(
        (plain) => ({
          setContent: async (written) => {
            await plain.setContent({ ...written, mode: "replace", content: stored });
            return { is: "done", answer };
          },
        }),
        someNotes(),
      ).server,
    ).end();

  test("is verified when what was sent is in what it answers and gives back", async () => {
    const content = "a fact[^1]\n\n[^1]: its source";
    const stored = 'a fact<sup><a href="#fn1">[1]</a></sup>\n\n1.  **[^](#fnref1)** its source';
    expect(await answered({ mode: "replace", content }, stored)).toMatchObject({ code: "changed" });
    expect(await answered({ mode: "append", content }, `${BEFORE}\n\n${stored}`)).toMatchObject({ code: "changed" });
  });

  test("is not verified when a word of it is in neither", async () => {
    const end = await answered({ mode: "replace", content: "done & <ok>" }, "done &");
    expect(end).toMatchObject({ code: "not_verified", message: expect.stringContaining("not in it: ok") });
  });

  test("is not_applied, in words of their own, when the server keeps nothing of it", async () => {
    const end = await answered({ mode: "append", content: "<script>x</script>" }, BEFORE);
    expect(end).toMatchObject({
      code: "not_applied",
      message: expect.stringContaining("keeps nothing of what was sent"),
    });
    expect(end.message).not.toContain("says that it was changed");
  });

  test("is changed_meanwhile when another writer has replaced it since", async () => {
    const end = await answered({ mode: "replace", content: "ours" }, "theirs", "ours");
    expect(end).toMatchObject({
      code: "changed_meanwhile",
      message: expect.stringContaining("again by somebody else since"),
    });
  });

  test("that appends stays verified when others write before and after it", async () => {
    const answer = "theirs\n\nOne more line";
    expect(await answered(append, `${answer}\n\nand theirs`, answer)).toMatchObject({ code: "changed" });
    expect(await answered(append, "theirs again", answer)).toMatchObject({ code: "changed_meanwhile" });
  });

  test("that appends is not verified when it is all that is left", async () => {
    expect(await answered(append, "One more line")).toMatchObject({ code: "not_verified" });
  });

  test("is unchanged when it gives back what was there, and that is what was sent", async () => {
    const end = await answered({ mode: "replace", content: "About **meeting** 1" }, BEFORE);
    expect(end).toMatchObject({ status: "ok", code: "unchanged" });
  });
});

test("concurrent appends to one note all get through", async () => {
  const model = someNotes();
  const notes = memoryNotes(undefined, model, { delay_ms: 2 });
  const mutex = createMutex();
  const contents = Array.from({ length: 10 }, (_, n) => `words of ${n}`);
  const ended = await Promise.all(
    contents.map((content) =>
      undertake({ operation: "apply_note_change", note_id: "m1", mode: "append", content }, notes.server, mutex).end(),
    ),
  );
  expect(ended.map(({ code }) => code)).toEqual(contents.map(() => "changed"));
  expect(model.note("m1")?.content).toBe([BEFORE, ...contents].join("\n"));
});
