import { describe, expect, test } from "vitest";
import { changedAs, textOf } from "../../../../capabilities/notes/content.ts";

const replaced = (content: string, before: string, now: string) =>
  changedAs({ mode: "replace", content }, textOf(before), now);
const appended = (content: string, before: string, now: string) =>
  changedAs({ mode: "append", content }, textOf(before), now);

describe("a replaced text", () => {
  test("is compared by letters and digits, since servers convert Markdown", () => {
    expect(replaced("# Plan\n\n* one\n* two", "old", "Plan\n====\n\n-   one\n-   two\n")).toBe(true);
    expect(replaced("e\u0301tude", "old", "étude")).toBe(true);
  });

  test.each([
    ["see https://example.org/a_b", "see [https://example.org/a\\_b](https://example.org/a_b)"],
    ["see www.example.org", "see [www.example.org](http://www.example.org)"],
    ["to a@example.org", "to [a@example.org](mailto:a@example.org)"],
    ["1. one\n1. two\n1. three", "1. one\n2. two\n3. three"],
    ["> 3) one\n> 3) two", "> 3. one\n> 4. two"],
  ])("is the same as its server writes it: %j", (content, now) => {
    expect(replaced(content, "old", now)).toBe(true);
    expect(appended(content, "old", `old\n\n${now}`)).toBe(true);
    expect(replaced(content, "old", `${now} more`)).toBe(false);
  });

  test("has not been written when nothing has changed, however alike its letters are", () => {
    expect(replaced("15", "-1.5", "-1.5")).toBe(false);
    expect(replaced("the same", "the same", "the same")).toBe(true);
  });

  test("is another one with another address behind its words, or another number in them", () => {
    expect(replaced("[a](https://example.org)", "old", "[a](https://example.com)")).toBe(false);
    expect(replaced("[a](https://example.org)", "old", "a")).toBe(false);
    expect(replaced("in 5 days", "old", "in 6 days")).toBe(false);
    expect(replaced("1.5 kg", "old", "2.5 kg")).toBe(false);
  });

  test.each(["# Log\n\nbody", "Log\n===\n\nbody", "intro\n\n# Log\n\nbody"])(
    "may have lost the heading that is the title of its note, and no other: %j",
    (content) => {
      const now = content.startsWith("intro") ? "intro\n\nbody" : "body";
      const told = (title: string) => changedAs({ mode: "replace", content, title }, textOf("old"), now);
      expect(told("Log")).toBe(true);
      expect(told("Other")).toBe(false);
      expect(changedAs({ mode: "append", content, title: "Log" }, textOf("old"), `old\n\n${now}`)).toBe(true);
    },
  );

  test("that is nothing but that heading is not there when nothing is", () => {
    const change = { mode: "replace", content: "# Log", title: "Log" } as const;
    expect(changedAs(change, textOf("old"), "")).toBe(false);
    expect(changedAs(change, textOf("old"), "old")).toBe(false);
  });

  test("is not there when another is, or only a part", () => {
    expect(replaced("one two", "old", "one")).toBe(false);
    expect(replaced("one", "old", "old")).toBe(false);
    expect(replaced("one", "old", "old one")).toBe(false);
  });

  test("may be empty", () => {
    expect(replaced("", "old", "")).toBe(true);
    expect(replaced("", "old", "old")).toBe(false);
  });

  test("may be the one that was there", () => {
    expect(replaced("same", "same", "same")).toBe(true);
  });

  test("without letters shows by any difference", () => {
    expect(replaced("---", "...", "* * *")).toBe(true);
    expect(replaced("---", "...", "...")).toBe(false);
  });
});

describe("an appended text", () => {
  test("follows what was there", () => {
    expect(appended("two", "one", "one\n\ntwo")).toBe(true);
    expect(appended("two", "", "two")).toBe(true);
  });

  test("is not there when it was at the end before and nothing was added", () => {
    expect(appended("two", "one two", "one two")).toBe(false);
    expect(appended("two", "one two", "one two\n\ntwo")).toBe(true);
  });

  test("must not have taken the place of what was there", () => {
    expect(appended("two", "one", "two")).toBe(false);
    expect(appended("two", "one", "eno two")).toBe(false);
  });

  test("without letters shows by any difference", () => {
    expect(appended("---", "one", "one")).toBe(false);
    expect(appended("---", "one", "one\n\n---")).toBe(true);
  });
});

test("what is kept of a text tells nothing of it", () => {
  expect(textOf("a1!")).toEqual({
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    length: 2,
    letters_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
