import { describe, expect, test } from "vitest";
import { counted, excerpt, listed, named, quoted, shortly } from "../../../../capabilities/notes/readable.ts";

describe("a title in a sentence", () => {
  test("is quoted, and cannot close the quotes", () => {
    expect(quoted('a" (b): from "c')).toBe('"a\\" (b): from \\"c"');
  });

  test("cannot begin a line, move the cursor or change the writing direction", () => {
    expect(quoted("a\nb\u001b[2J\u202ec\u2028d\u0085")).toBe('"a\\nb\\u001b[2J\\u{202e}c\\u{2028}d\\u{85}"');
  });

  test("keeps letters of every language and joined emoji as they are", () => {
    expect(quoted("日記 – Überblick 👩‍💻")).toBe('"日記 – Überblick 👩‍💻"');
  });

  test("is cut at 80 characters in its short form, never within a character", () => {
    expect(shortly("x".repeat(80))).toBe(`"${"x".repeat(80)}"`);
    expect(shortly("😀".repeat(81))).toBe(`"${"😀".repeat(79)}…"`);
  });

  test("is omitted when it is unknown", () => {
    expect([named({ note_id: "a1", title: "A" }), named({ note_id: "a1", title: null })]).toEqual(['"A" (a1)', "a1"]);
  });
});

test("an excerpt of a server's message is short and printable", () => {
  expect(excerpt(`no\u0007${"!".repeat(600)}`)).toBe(`no\\u{7}${"!".repeat(496)}…`);
});

test("a counted noun agrees with its number", () => {
  expect([counted(0), counted(1), counted(2)]).toEqual(["0 notes", "1 note", "2 notes"]);
});

test("a long list is shown as its first entries and the number of the others", () => {
  expect(listed(["a", "b"])).toBe("a, b");
  expect(listed(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});
