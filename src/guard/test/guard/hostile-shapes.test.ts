// Texts that are made to cost end within the time of one judgement, as a question, and hide no command that is written out.
import { describe, expect, test } from "vitest";
import { inspect } from "../../guard.ts";
import { HOSTILE_SHAPES } from "./hostile-shapes.ts";

const CONTEXT = { home: "/home/op", cwd: "/srv/app", env: {} };
const BROKEN = "parse.error";

const judged = (text: string) => {
  const { verdict, findings } = inspect(text, CONTEXT);
  return { verdict, codes: findings.map(({ code }) => code) };
};

describe(`${HOSTILE_SHAPES.length} texts that are made to cost`, () => {
  test("hide no deletion that comes after them", () => {
    const hidden = HOSTILE_SHAPES.filter(([, text]) => {
      const { verdict, codes } = judged(`${text}\nrm -rf /usr`);
      return verdict === "allow" || (verdict === "ask" && !codes.includes(BROKEN));
    });
    expect(hidden.map(([name]) => name)).toEqual([]);
  });
});
