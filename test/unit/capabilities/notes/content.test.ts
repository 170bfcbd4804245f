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
  ])("matches the text as its server formats it: %j", (content, now) => {
    expect(replaced(content, "old", now)).toBe(true);
    expect(appended(content, "old", `old\n\n${now}`)).toBe(true);
    expect(replaced(content, "old", `${now} more`)).toBe(false);
  });

  test("does not match an unchanged note that has the same letters, unless it is identical", () => {
    expect(replaced("15", "-1.5", "-1.5")).toBe(false);
    expect(replaced("the same", "the same", "the same")).toBe(true);
  });

  test("does not match when a link address or a number differs", () => {
    expect(replaced("[a](https://example.org)", "old", "[a](https://example.com)")).toBe(false);
    expect(replaced("[a](https://example.org)", "old", "a")).toBe(false);
    expect(replaced("in 5 days", "old", "in 6 days")).toBe(false);
    expect(replaced("1.5 kg", "old", "2.5 kg")).toBe(false);
  });

  test.each(["# Log\n\nbody", "Log\n===\n\nbody", "intro\n\n# Log\n\nbody"])(
    "may lose the heading that equals the title of its note, and no other: %j",
    (content) => {
      const now = content.startsWith("intro") ? "intro\n\nbody" : "body";
      const told = (title: string) => changedAs({ mode: "replace", content, title }, textOf("old"), now);
      expect(told("Log")).toBe(true);
      expect(told("Other")).toBe(false);
      expect(changedAs({ mode: "append", content, title: "Log" }, textOf("old"), `old\n\n${now}`)).toBe(true);
    },
  );

  test("that is only the title heading does not match an empty or unchanged note", () => {
    const change = { mode: "replace", content: "# Log", title: "Log" } as const;
    expect(changedAs(change, textOf("old"), "")).toBe(false);
    expect(changedAs(change, textOf("old"), "old")).toBe(false);
  });

  test("does not match another text, a part of it, or a longer text", () => {
    expect(replaced("one two", "old", "one")).toBe(false);
    expect(replaced("one", "old", "old")).toBe(false);
    expect(replaced("one", "old", "old one")).toBe(false);
  });

  test("may be empty", () => {
    expect(replaced("", "old", "")).toBe(true);
    expect(replaced("", "old", "old")).toBe(false);
  });

  test("may equal the previous text", () => {
    expect(replaced("same", "same", "same")).toBe(true);
  });

  test("without letters matches any changed text", () => {
    expect(replaced("---", "...", "* * *")).toBe(true);
    expect(replaced("---", "...", "...")).toBe(false);
  });
});

describe("an appended text", () => {
  test("follows the previous text", () => {
    expect(appended("two", "one", "one\n\ntwo")).toBe(true);
    expect(appended("two", "", "two")).toBe(true);
  });

  test("does not match when the note already ended with it and nothing was added", () => {
    expect(appended("two", "one two", "one two")).toBe(false);
    expect(appended("two", "one two", "one two\n\ntwo")).toBe(true);
  });

  test("must not replace the previous text", () => {
    expect(appended("two", "one", "two")).toBe(false);
    expect(appended("two", "one", "eno two")).toBe(false);
  });

  test("without letters matches any changed text", () => {
    expect(appended("---", "one", "one")).toBe(false);
    expect(appended("---", "one", "one\n\n---")).toBe(true);
  });
});

test("the record of a text does not reveal it", () => {
  expect(textOf("a1!")).toEqual({
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    length: 2,
    letters_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
