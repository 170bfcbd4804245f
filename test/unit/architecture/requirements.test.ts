// Keeps the requirements and the titles of the tests in step: every one is cited, and no other id.
import { describe, expect, test } from "vitest";
import { NOT_YET } from "../../requirements/not-yet.ts";
import { REQUIREMENTS } from "../../requirements.ts";
import { filesIn, textOf } from "./source-files.ts";
import { titlesIn } from "./test-titles.ts";

const citationsIn = (source: string): string[] =>
  titlesIn(source).flatMap(({ path }) =>
    [...(path.at(-1) ?? "").matchAll(/\[([1-8]\.[^\]\s]*)\]/g)].map((match) => match[1] ?? ""),
  );

/** Whether a citation means this id: exactly, or as part of the table it cites with a star. */
const cites = (citation: string, id: string): boolean =>
  citation.endsWith(".*") ? id.startsWith(citation.slice(0, -1)) : citation === id;

const cited = filesIn("test").flatMap((path) => citationsIn(textOf(path)).map((citation) => ({ path, citation })));

const citersOf = (id: string): string[] => cited.filter(({ citation }) => cites(citation, id)).map(({ path }) => path);

describe("the list of requirements", () => {
  test("has each id once", () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("has ids that a title can cite", () => {
    const odd = REQUIREMENTS.filter(({ id }) => !/^[1-8](\.\w+)+$/.test(id));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });
});

describe("the titles of the tests", () => {
  test("cite only requirements that exist", () => {
    const unknown = cited.filter(({ citation }) => !REQUIREMENTS.some(({ id }) => cites(citation, id)));
    expect(unknown).toEqual([]);
  });

  test("cite every requirement that is not listed as not shown yet", () => {
    const uncited = REQUIREMENTS.filter(({ id }) => citersOf(id).length === 0 && !(id in NOT_YET));
    expect(uncited).toEqual([]);
  });

  test("cite none that is listed as not shown yet: the change that shows it removes it from not-yet.ts", () => {
    expect(Object.keys(NOT_YET).filter((id) => cited.some(({ citation }) => citation === id))).toEqual([]);
    expect(Object.keys(NOT_YET).filter((id) => !REQUIREMENTS.some((one) => one.id === id))).toEqual([]);
  });
});

describe("a citation", () => {
  test("is read from the title of a test, a table test or a group", () => {
    const source = `
      describe("a group [3.rule.1]", () => {
        test.each([[1.5]])("a row " + "[3.rule.2] [3.rule.3]", () => {});
        it.each\`a\`(\`a table [2.intent.*]\`, () => {});
      });`;
    expect(citationsIn(source)).toEqual(["3.rule.1", "3.rule.2", "3.rule.3", "2.intent.*"]);
  });

  test("is not read from comments, other strings or tests that are not run", () => {
    const source = `
      // test("[3.rule.1]")
      const text = "[3.rule.2]";
      /a/.test("[3.rule.3]");
      test("[not an id] [9.1] [1.5, 2]", () => {});
      test.todo("[3.rule.4]");
      describe.skip("later", () => { test("[3.rule.5]", () => {}); });`;
    expect(citationsIn(source)).toEqual([]);
  });

  test("with a star means every id of that table and no other", () => {
    expect(cites("2.sop.*", "2.sop.status")).toBe(true);
    expect(cites("2.sop.*", "2.sop")).toBe(false);
    expect(cites("2.step.*", "2.sop.status")).toBe(false);
    expect(cites("7.1", "7.10.wrong")).toBe(false);
  });
});
