import { describe, expect, test } from "vitest";
import { mapBounded } from "../../../../../capabilities/notes/notes-server.ts";
import { byTitle } from "../../../../../capabilities/notes/servers/read-tree.ts";
import {
  Brief,
  briefOf,
  distinct,
  foundIn,
  Meta,
  noteOf,
  phraseOf,
} from "../../../../../capabilities/notes/servers/shapes.ts";

test.each(["Meeting notes", "#label", "cats or dogs", "a.b*c?[d]{e}|f^$g+", "back\\slash", 'a\\" or #x', "(", "😀"])(
  "the title %j is searched as a pattern that no longer title matches, and then as one phrase",
  async (title) => {
    const asked: string[] = [];
    await byTitle(title, async (query) => {
      asked.push(query);
      return { found: [], truncated: false };
    });
    // The server reads a quoted string in which a backslash escapes the next character.
    const [, quoted = "never"] = /^note\.title %= "(.*)"$/s.exec(asked[0] ?? "") ?? [];
    const pattern = new RegExp(quoted.replace(/\\(.)/gs, "$1"));
    expect([title, `${title}x`, `x${title}`].map((one) => pattern.test(one))).toEqual([true, false, false]);
    expect([asked[1], JSON.parse(asked[1] ?? "")]).toEqual([phraseOf(title), title]);
  },
);

const META = { noteId: "a", title: "One", type: "text", parentNoteIds: ["p", "q"] };

test.each([
  [{}, false],
  [{ isProtected: false }, false],
  [{ isProtected: null }, false],
  [{ isProtected: true }, true],
  [{ title: "[protected]" }, true],
])("a note with %j is protected: %s", (more, is_protected) => {
  expect(noteOf({ ...META, ...more })).toMatchObject({ note_id: "a", parent_note_ids: ["p", "q"], is_protected });
});

describe("an id that a server gives", () => {
  test.each(["a", "root", "none", "_help_Otzi9La2YAUX", "a-b_C9", "x".repeat(128)])("may be %s", (id) => {
    expect(Meta.safeParse({ ...META, noteId: id, parentNoteIds: [id], childNoteIds: [id] }).success).toBe(true);
  });

  test.each(["", "a b", "m1\nm9: from a to b", "\u001b[2J", "../a", "x".repeat(129), "\u202eab"])("is not %j", (id) => {
    expect(Brief.safeParse({ ...META, noteId: id }).success).toBe(false);
    expect(Meta.safeParse({ ...META, parentNoteIds: ["p", id] }).success).toBe(false);
    expect(Meta.safeParse({ ...META, childNoteIds: [id] }).success).toBe(false);
  });
});

test.each([
  ["encrypted", "jQZQlN2h/4+k"],
  ["in clear text", "Secret plan"],
])("the title of a protected note is not shown, which a server gives %s", (_how, title) => {
  expect(noteOf({ ...META, title, isProtected: true })).toMatchObject({ title: "[protected]", is_protected: true });
  expect(briefOf({ ...META, title, isProtected: true }).title).toBe("[protected]");
  expect(briefOf({ ...META, title }).title).toBe(title);
});

test("the parent none of the root is left out", () => {
  expect(noteOf({ ...META, noteId: "root", parentNoteIds: ["none"] }).parent_note_ids).toEqual([]);
});

test("a list of children that holds a note twice is a fault", () => {
  const brief = (note_id: string) => ({ note_id, title: "", type: "text" });
  expect(distinct([brief("a"), brief("b")], "list")).toHaveLength(2);
  expect(() => distinct([brief("a"), brief("b"), brief("a")], "list")).toThrow(/lists the note a twice/);
});

describe("the results of a search", () => {
  const hits = ["a", "b", "c"].map((noteId) => ({ noteId, title: noteId, type: "text", parentTitle: "P" }));
  const query = { title: "x", ancestor_note_id: null };

  test.each([
    [3, undefined, 3, false],
    [3, 3, 3, false],
    [3, 9, 3, true],
    [2, undefined, 2, true],
  ])("with 3 hits, a limit of %s and a total of %s are %s, truncated: %s", (limit, total, count, truncated) => {
    const end = foundIn(hits, { ...query, limit }, total);
    expect(end.truncated).toBe(truncated);
    expect(end.found).toHaveLength(count);
    expect(end.found[0]).toEqual({ note_id: "a", title: "a", type: "text", parent_title: "P" });
  });
});

describe("bounded concurrent reads", () => {
  test("stay within the bound, and return in order", async () => {
    let under_way = 0;
    let most = 0;
    const doubled = await mapBounded([1, 2, 3, 4, 5, 6, 7], 3, async (n) => {
      under_way += 1;
      most = Math.max(most, under_way);
      await new Promise((done) => setTimeout(done, 8 - n));
      under_way -= 1;
      return n * 2;
    });
    expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(most).toBe(3);
  });

  test("reject with the first failure, and start no read after it", async () => {
    const begun: number[] = [];
    const all = mapBounded([1, 2, 3, 4, 5, 6], 2, async (n) => {
      begun.push(n);
      await new Promise((done) => setTimeout(done, 5));
      if (n === 2) throw new Error("no");
    });
    await expect(all).rejects.toThrow("no");
    await new Promise((done) => setTimeout(done, 30));
    expect(begun).not.toContain(5);
  });
});
