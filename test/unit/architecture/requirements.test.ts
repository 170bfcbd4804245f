// Keeps the requirements and the titles of the tests in step: every one is cited, and no other id.
import { describe, expect, test } from "vitest";
import { NOT_YET } from "../../requirements/not-yet.ts";
import type { Requirement } from "../../requirements/requirement.ts";
import { REQUIREMENTS } from "../../requirements.ts";
import { SOURCES, TESTS, textOf } from "./source-files.ts";
import { titlesIn } from "./test-titles.ts";

const citationsIn = (source: string): string[] =>
  titlesIn(source).flatMap(({ path }) =>
    [...(path.at(-1) ?? "").matchAll(/\[([1-8]\.[^\]\s]*)\]/g)].map((match) => match[1] ?? ""),
  );

/** Whether a citation means this requirement: by its id, or as a row of the table that it cites with a star. */
const cites = (citation: string, { id, table }: Pick<Requirement, "id" | "table">): boolean =>
  citation === id || (table !== null && citation === `${table}.*`);

const cited = TESTS.flatMap((path) => citationsIn(textOf(path)).map((citation) => ({ path, citation })));

const isKnown = (citation: string): boolean => REQUIREMENTS.some((one) => cites(citation, one));
const isCited = (one: Requirement): boolean => cited.some(({ citation }) => cites(citation, one));

describe("the list of requirements", () => {
  test("has each id once", () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("has ids that a title can cite", () => {
    const odd = REQUIREMENTS.filter(({ id }) => !/^[1-8](\.\w+)+$/.test(id));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test("has a sentence for each", () => {
    expect(REQUIREMENTS.filter(({ text }) => !/^\S.* .*\.$/.test(text))).toEqual([]);
  });
});

describe("the titles of the tests", () => {
  test("cite only requirements that exist", () => {
    expect(cited.filter(({ citation }) => !isKnown(citation))).toEqual([]);
  });

  test("cite every requirement that is not listed as not shown yet", () => {
    expect(REQUIREMENTS.filter((one) => !isCited(one) && !(one.id in NOT_YET))).toEqual([]);
  });

  test("cite none that is listed as not shown yet: the change that shows it removes it from not-yet.ts", () => {
    expect(REQUIREMENTS.filter((one) => isCited(one) && one.id in NOT_YET)).toEqual([]);
    expect(Object.keys(NOT_YET).filter((id) => !isKnown(id))).toEqual([]);
  });
});

describe("the comments of the code", () => {
  test("cite only requirements that exist", () => {
    const cited_in_code = SOURCES.flatMap((path) =>
      [...textOf(path).matchAll(/^\s*(?:\/\/|\*|\/\*\*).*/gm)].flatMap(([comment]) =>
        [...comment.matchAll(/\[([1-8]\.[\w.*]+)\]/g)].map(([, citation = ""]) => ({ path, citation })),
      ),
    );
    expect(cited_in_code.length).toBeGreaterThan(50);
    expect(cited_in_code.filter(({ citation }) => !isKnown(citation))).toEqual([]);
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
    const row = { id: "2.sop.status", table: "2.sop" };
    expect(cites("2.sop.*", row)).toBe(true);
    expect(cites("2.sop.status", row)).toBe(true);
    expect(cites("2.step.*", row)).toBe(false);
    expect(cites("2.sop.*", { id: "2.sop.of_no_table", table: null })).toBe(false);
    expect(cites("7.1", { id: "7.1.evidence", table: null })).toBe(false);
  });
});
