// The JSON text that a model reads.
import { expect, test } from "vitest";
import { jsonText, tooLong, visible } from "../../../../src/api/mcp/fit-answer.ts";

const HIDDEN = ["\u202e", "\u200d", "\u{e0041}", "\u2028", "\u0085", "\u009b", "\u007f", "\u3164", "\ufe0f", "\u00ad"];

test.each(HIDDEN)("an invisible character is escaped, and parses back to itself: %j", (character) => {
  const value = { [`key ${character}`]: `a${character}b` };
  const text = jsonText(value);
  expect(text).not.toContain(character);
  expect(JSON.parse(text)).toEqual(value);
});

test("visible text is unchanged", () => {
  const value = { text: 'zwölf € 漢字 🎉 "quoted" \\ \n' };
  expect(jsonText(value)).toBe(JSON.stringify(value));
  expect(jsonText(value, 1)).toBe(JSON.stringify(value, null, 1));
  expect(visible("a\u202eb")).toBe("a\\u202eb");
});

test("a response over 8 MiB is a fault that says what to do instead", () => {
  expect(tooLong({ text: "x".repeat(8 * 1024 * 1024 - 20) })).toBeNull();
  expect(tooLong({ text: "x".repeat(9 * 1024 * 1024) })).toMatchObject({
    code: "answer_too_long",
    detail: "This answer has 10 MiB; at most 8 MiB are sent over MCP.",
    fix: expect.stringMatching(/^Give a smaller limit/),
  });
  expect(tooLong({ text: "€".repeat(3 * 1024 * 1024) }), "it is bytes that count").not.toBeNull();
});
