import { expect, test } from "vitest";
import { byTitle } from "../../../../../capabilities/notes/servers/read-tree.ts";

const NOTHING = { found: [], truncated: false };
const one = (note_id: string) => ({
  found: [{ note_id, title: note_id, type: "text", parent_title: null }],
  truncated: true,
});

test.each([
  ["Work", 'note.title %= "^Work$"'],
  ["cats or dogs", 'note.title %= "^cats or dogs$"'],
  ["#1 (draft)", 'note.title %= "^#1 \\\\(draft\\\\)$"'],
  ['say "x"', 'note.title %= "^say \\"x\\"$"'],
])("the title %s is first searched as a whole: %s", async (title, query) => {
  const asked: string[] = [];
  const end = await byTitle(title, async (said) => {
    asked.push(said);
    return one("a");
  });
  expect(asked).toEqual([query]);
  expect(end).toEqual(one("a"));
});

test.each(["Work", "a.b*c?[d]{e}|f^$g+", "back\\slash", 'a\\" or #x', "(", "tab\tand\nline", "É ß", "😀"])(
  "the search pattern matches the title %j, and no longer title",
  async (title) => {
    const [pattern = /never/] = await patternsFor(title);
    expect(pattern.test(title)).toBe(true);
    expect(pattern.test(`${title}x`) || pattern.test(`x${title}`)).toBe(false);
  },
);

/** Reads the patterns as the server does: a quoted string in which a backslash escapes the next character. */
async function patternsFor(title: string): Promise<RegExp[]> {
  const patterns: RegExp[] = [];
  await byTitle(title, async (query) => {
    const [, quoted] = /^note\.title %= "(.*)"$/s.exec(query) ?? [];
    if (quoted !== undefined) patterns.push(new RegExp(quoted.replace(/\\(.)/gs, "$1")));
    return NOTHING;
  });
  return patterns;
}

test("a phrase is searched only when no note has the title", async () => {
  const asked: string[] = [];
  const end = await byTitle("Work", async (query) => {
    asked.push(query);
    return query === '"Work"' ? one("Homework") : NOTHING;
  });
  expect(asked).toEqual(['note.title %= "^Work$"', '"Work"']);
  expect(end).toEqual(one("Homework"));
});

test("a failed search rejects", async () => {
  await expect(byTitle("Work", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
});
