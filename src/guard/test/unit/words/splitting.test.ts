// How text is split at IFS, as bash does it: each expectation is what bash prints.
import { describe, expect, test } from "vitest";
import { fieldsOf, fieldsOfLine } from "../../../words/fields.ts";
import { UNKNOWN } from "../../../words/symbols.ts";

describe("a line that read gives to names", () => {
  test.each([
    ["x:y:", ":", ["x", "y"]],
    ["x:y:z:", ":", ["x", "y:z:"]],
    ["x:y::", ":", ["x", "y::"]],
    [":x", ":", ["", "x"]],
    ["x:tcp://h", ":", ["x", "tcp://h"]],
    ["  x   y  z ", " \t\n", ["x", "y  z"]],
    [" x : y ", ": ", ["x", "y"]],
    ["x", ":", ["x", ""]],
    [`${UNKNOWN}`, ":", [UNKNOWN, UNKNOWN]],
    [`a ${UNKNOWN} c`, " ", ["a", `${UNKNOWN} c`]],
  ])("%j at %j is %j", (line, ifs, fields) => {
    expect(fieldsOfLine(line, ifs, 2)).toEqual(fields);
  });

  test.each([
    [" x: ", ":", " x: "],
    ["x:", ":", "x"],
    ["x::", ":", "x::"],
    ["  a b ", "", "  a b "],
    ["  a b ", " ", "a b"],
  ])("%j at %j is %j for one name", (line, ifs, text) => {
    expect(fieldsOfLine(line, ifs, 1)).toEqual([text]);
  });
});

describe("text outside quotes", () => {
  test.each([
    [":a::b:", ":", ["", "a", "", "b"]],
    [" a : : b : ", " :", ["a", "", "b"]],
    ["  a  b ", " \t\n", ["a", "b"]],
    ["", ":", []],
  ])("%j at %j is %j", (text, ifs, fields) => {
    expect(fieldsOf([{ text, split: true }], ifs)).toEqual(fields);
  });

  test("is joined to the text before it", () => {
    const x = { text: "x", split: false };
    expect(fieldsOf([x, { text: ":a", split: true }], ":")).toEqual(["x", "a"]);
  });
});
