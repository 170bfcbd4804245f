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
