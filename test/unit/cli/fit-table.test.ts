import { styleText } from "node:util";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { cut, fitTable } from "../../../src/cli/fit-table.ts";

const columns = ["TASK", "STATUS", cut("TARGET"), cut("WHAT")];
const LONG = "it goes on and on and on and on and on and on and on and on and on and on";
const rows = [
  ["a-task-with-a-name", "DONE", "service=web", LONG],
  ["t-2", "FAILED", "service=a-rather-long-name", "short"],
];

const widest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));

describe("a table", () => {
  test("on no terminal is not cut", () => {
    const lines = fitTable(columns, rows, null);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe(`a-task-with-a-name  DONE    service=web                 ${LONG}`);
  });

  test.each([120, 100, 80, 60, 50])("fits %i columns, and no identifier in it is cut", (width) => {
    const lines = fitTable(columns, rows, width);
    expect(widest(lines)).toBeLessThanOrEqual(width);
    expect(lines.join("\n")).toContain("a-task-with-a-name  DONE");
  });

  test("that is cut says so with an ellipsis, the widest column first", () => {
    const [, first = "", second = ""] = fitTable(columns, rows, 90);
    expect(first).toMatch(/service=web {2,}it goes on and on an.*…$/);
    expect(second).toContain("service=a-rather-long-name");
  });

  test("becomes lines of names and values where its identifiers leave no room", () => {
    expect(fitTable(columns, rows, 24)).toEqual([
      "TASK",
      "  a-task-with-a-name",
      "STATUS  DONE",
      "TARGET  service=web",
      "",
      "TASK    t-2",
      "STATUS  FAILED",
      "TARGET  service=a-rathe…",
    ]);
  });

  test("loses its last column before it is too wide", () => {
    const [head = "", ...rest] = fitTable(columns, rows, 40);
    expect(head).not.toContain("WHAT");
    expect(rest.join("\n")).not.toContain("it goes");
    expect(widest([head, ...rest])).toBeLessThanOrEqual(40);
  });

  test.each([
    ["two places wide", "サービス名がとても長い場合の表示を確認するための文字列"],
    ["made of several code points", "é".normalize("NFD").repeat(60)],
    ["pictures", "🚀".repeat(30)],
  ])("counts what characters take on a terminal: %s", (_what, text) => {
    const lines = fitTable(columns, [["t-1", "DONE", `service=${text}`, text]], 50);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(50);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("…");
  });

  test("counts no marks of colours", () => {
    const paint = (text: string) => styleText("red", text, { validateStream: false });
    const [, painted = ""] = fitTable(["S", "X"], [[paint("FAILED"), "y"]], 80);
    expect(painted).toBe(`${paint("FAILED")}  y`);
  });

  test("fits with wide characters too", () => {
    const lines = fitTable(["A", cut("B")], [["x", "漢字".repeat(40)]], 40);
    for (const line of lines)
      expect([...line].reduce((sum, one) => sum + (/\p{Script=Han}/u.test(one) ? 2 : 1), 0)).toBeLessThanOrEqual(40);
  });
});
