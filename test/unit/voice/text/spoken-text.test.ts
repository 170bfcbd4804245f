import { expect, test } from "vitest";
import { spokenText } from "../../../../voice/text/split-text.ts";

const spoken = (text: unknown) => spokenText(20).safeParse(text);

test.each([
  ["what surrounds a text goes", " \u3000 こんにちは\n\n ", "こんにちは"],
  ["a run of blanks is one", "a  \t b", "a b"],
  ["a run of line breaks is one", "一\r\n \r\n二\u2028三", "一\n二\n三"],
  ["blanks on either side of a control character are one", "a \u0000 b\n\u0000\n c", "a b\nc"],
  ["control characters go", "a\u0000b\u0007c\u009fd\ufffe", "abcd"],
  ["a full-width blank within stays", "一\u3000二", "一\u3000二"],
  ["joiners, selectors and marks stay", "👨‍👩‍👧葛󠄀か゚", "👨‍👩‍👧葛󠄀か゚"],
  ["width and composition stay", "ｶﾞＡ①㍿e\u0301", "ｶﾞＡ①㍿e\u0301"],
  ["quotes and decimals stay", "\"3.5\" '％'", "\"3.5\" '％'"],
])("a text is prepared so that %s", (_what, text, expected) => {
  expect(spoken(text).data).toBe(expected);
});

test.each([
  ["nothing", "", "something to speak"],
  ["blanks", " \u3000\n", "something to speak"],
  ["control characters", "\u0000\u0001", "something to speak"],
  ["joiners and marks alone", "\u200b\ufe0f\u2060", "something to speak"],
  ["half of a character", "a\udc1f", "half of a character"],
  ["too much", "あ".repeat(21), "at most 20 characters"],
  ["no string", 5, "must be a string"],
])("%s is refused in words", (_what, text, words) => {
  expect(spoken(text).error?.issues[0]?.message).toContain(words);
});

test("the length counts after the blanks have gone", () => {
  expect(spoken(`  ${"あ".repeat(20)}   `).success).toBe(true);
});

test("a text of blanks is done with as fast as it is long", () => {
  expect(spokenText(20).safeParse(`${" ".repeat(1_000_000)}x`).data).toBe("x");
  expect(spokenText(20).safeParse(`y${"\n \u0000".repeat(300_000)}x`).data).toBe("y\nx");
});
