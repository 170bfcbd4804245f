import { expect, test } from "vitest";
import { counted, excerpt, listed, named, quoted, shortly } from "../../../../capabilities/notes/readable.ts";

test.each<[string, unknown, unknown]>([
  ["a title is quoted, and cannot close the quotes", quoted('a" (b): from "c'), '"a\\" (b): from \\"c"'],
  [
    "a title cannot begin a line, move the cursor or change the writing direction",
    quoted("a\nb\u001b[2J\u202ec\u2028d\u0085"),
    '"a\\nb\\u001b[2J\\u{202e}c\\u{2028}d\\u{85}"',
  ],
  [
    "a title keeps letters of every language and joined emoji",
    quoted("日記 – Überblick 👩‍💻"),
    '"日記 – Überblick 👩‍💻"',
  ],
  ["a title of 80 characters is whole in its short form", shortly("x".repeat(80)), `"${"x".repeat(80)}"`],
  ["a longer one is cut within no character", shortly("😀".repeat(81)), `"${"😀".repeat(79)}…"`],
  ["a note is named by its title and id", named({ note_id: "a1", title: "A" }), '"A" (a1)'],
  ["a title that is unknown is omitted", named({ note_id: "a1", title: null }), "a1"],
  ["an excerpt is short and printable", excerpt(`no\u0007${"!".repeat(600)}`), `no\\u{7}${"!".repeat(496)}…`],
  ["a noun agrees with its number", [0, 1, 2].map((n) => counted(n)), ["0 notes", "1 note", "2 notes"]],
  ["a short list is shown whole", listed(["a", "b"]), "a, b"],
  ["a long list is cut, with the number of the others", listed(["a", "b", "c", "d"], 2), "a, b and 2 more"],
])("%s", (_, shown, wanted) => {
  expect(shown).toEqual(wanted);
});
