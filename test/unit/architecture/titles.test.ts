// The titles of tests: with the groups around it, a title is a sentence. What can be checked without reading it is checked.
import { describe, expect, test } from "vitest";
import { TESTS, textOf } from "./source-files.ts";
import { type TestTitle, titlesIn } from "./test-titles.ts";

/** Words that continue a sentence that the group has not begun. */
const FRAGMENT = /^(not|of|nor|but|and|or)\b/i;
const CITATIONS = /\[[1-8]\.[^\]]*\] ?/g;

const own = ({ path }: TestTitle): string => (path.at(-1) ?? "").replaceAll(CITATIONS, "").trim();
const whole = ({ path }: TestTitle): string => path.join(" ").replaceAll(CITATIONS, "").trim();

const titles = TESTS.flatMap((file) =>
  titlesIn(textOf(file))
    .filter(({ path }) => path.at(-1) !== "")
    .map((title) => ({ ...title, at: `${file}:${title.line} ${title.path.join(" > ")}` })),
);
const breaking = (breaks: (title: TestTitle) => boolean): string[] => titles.filter(breaks).map(({ at }) => at);

describe("the title of a test", () => {
  test("is read from every file of tests", () => {
    expect(titles.length).toBeGreaterThan(2_000);
  });

  test("ends without a full stop", () => {
    expect(breaking((title) => own(title).endsWith("."))).toEqual([]);
  });

  test("has at least three words together with the groups around it", () => {
    expect(breaking((title) => !title.is_group && !/\S+ \S+ \S+|%s|\$\{/.test(whole(title)))).toEqual([]);
  });

  test("does not begin as the rest of a sentence that nothing has begun", () => {
    const EXCEPTIONS = /^(src\/guard\/test|test\/unit\/engine\/policy)\//;
    expect(breaking((title) => FRAGMENT.test(own(title))).filter((at) => !EXCEPTIONS.test(at))).toEqual([]);
  });
});
