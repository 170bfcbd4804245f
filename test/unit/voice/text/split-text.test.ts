import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeSsml, splitText } from "../../../../voice/text/split-text.ts";
import { cpuTimeOf } from "../../../support/cpu-time.ts";
import { CUTS } from "./cuts.ts";

const LIMIT = 250;

test("a text that fits is one part", () => {
  expect(splitText("こんにちは。元気ですか？")).toEqual(["こんにちは。元気ですか？"]);
});

test("parts end where sentences do, and hold as many of them as fit", () => {
  const sentence = `${"あ".repeat(99)}。`;
  expect(splitText(sentence.repeat(5)).map((part) => part.length)).toEqual([200, 200, 100]);
});

test.each([
  ["a closing quote stays with its sentence", `「${"あ".repeat(200)}。」${"い".repeat(100)}。`, 203],
  ["an exclamation ends a sentence", `${"あ".repeat(200)}！${"い".repeat(100)}`, 201],
  ["a line break ends one, and becomes a mark", `${"あ".repeat(200)}\n${"い".repeat(100)}`, 201],
  ["a decimal point does not", `${"あ".repeat(100)}。${"い".repeat(100)}3.5${"う".repeat(100)}`, 101],
  ["a long sentence is cut at its commas", `${"あ".repeat(100)}、${"い".repeat(100)}、${"う".repeat(100)}`, 202],
])("a text is split so that %s", (_what, text, first) => {
  expect(splitText(text)[0]?.length).toBe(first);
});

test.each(["1,000", "12:30:45", "https://example.com/a;b"])("the signs in %s are no place to cut at", (sign) => {
  const text = `${"あ".repeat(100)}、${"い".repeat(120)}${sign}${"う".repeat(60)}`;
  expect(splitText(text)[0]?.length).toBe(101);
});

test("a sentence without commas is cut between words", () => {
  const parts = splitText("東京特許許可局".repeat(60));
  expect(parts.every((part) => /^(東京|特許|許可|局)/.test(part))).toBe(true);
  expect(splitText("word ".repeat(100)).every((part) => /^(word ?)+$/.test(part))).toBe(true);
});

test("what is one character to a reader is not cut, unless it is longer than a part", () => {
  const family = "👨‍👩‍👧‍👦";
  for (const part of splitText(family.repeat(60))) expect(part.replaceAll(family, "")).toBe("");
  expect(splitText(`e${"\u0301".repeat(600)}`).join("")).toBe(`e${"\u0301".repeat(600)}`);
});

describe.each(CUTS)("a split into parts of $limit units $rule", ({ limit, texts }) => {
  test.each(texts)("%s", (wanted) => {
    const given = wanted
      .replaceAll("|", "")
      .replace(/\{[^}]*\}/g, "")
      .replaceAll("⏎", "\n");
    const parts = wanted.replace(/[{}⏎]/g, "").split("|");
    expect(splitText(given, limit)).toEqual(parts.map((part) => part.trim()));
  });
});

test("the table of cuts has 120 texts", () => {
  expect(new Set(CUTS.flatMap(({ texts }) => texts)).size).toBe(120);
});

describe("for any text", () => {
  const piece = fc.oneof(
    fc.constantFrom("あ", "。", "、", " ", "\n", "&", "<", "🐟", "葛󠄀", "3.5"),
    fc.string({ unit: "grapheme" }),
  );
  const text = fc.array(piece, { maxLength: 400 }).map((pieces) => pieces.join(""));
  const said = (all: string) => all.replace(/[\s。.]/g, "");

  test("the parts say it, none is too long when escaped, empty, or half of a character", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const parts = splitText(whole);
        expect(said(parts.join(""))).toBe(said(whole));
        for (const part of parts) {
          expect(escapeSsml(part).length).toBeLessThanOrEqual(LIMIT);
          expect(part.trim()).not.toBe("");
          expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

test.each([
  ["brackets that never close", "（".repeat(5_000) + "」".repeat(5_000)],
  ["brackets that all close", "（「".repeat(2_500) + "」）".repeat(2_500)],
  ["abbreviations", "Mr. ".repeat(2_500)],
  ["marks", "。".repeat(10_000)],
  ["quotes after marks", '!"'.repeat(5_000)],
  ["digits", "1".repeat(10_000)],
  ["lines", "あ\n".repeat(5_000)],
])("10,000 characters of %s are split within a second of the processor", (_what, text) => {
  splitText("あ");
  expect(cpuTimeOf(() => splitText(text))).toBeLessThan(1_000);
});

test("SSML is escaped once, and nothing but it", () => {
  expect(escapeSsml("<b>&amp; 'x' \"y\" ＆＜")).toBe("&lt;b&gt;&amp;amp; 'x' \"y\" ＆＜");
});

// Japanese puts no blank before western text.
test.each([
  ["今日はDr. Smithが来ます。", ["今日は", "Dr. Smithが", "来ます。"]],
  ["コーヒーMr. Itoの分です。", ["コーヒー", "Mr. Itoの", "分です。"]],
  ["歯科医Dr. Satoが来る。", ["歯科医", "Dr. Satoが", "来る。"]],
])("a part does not end after the abbreviation in %s", (text, parts) => {
  expect(splitText(text, 10)).toEqual(parts);
});

test("a line that ends in an opening bracket gets no mark", () => {
  expect(splitText("連絡（\n明日の予定）です。")).toEqual(["連絡（明日の予定）です。"]);
  expect(splitText("（\n明日）")).not.toEqual([expect.stringContaining(".")]);
});
