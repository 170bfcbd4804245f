// Texts reach the provider's decoder unchanged, except for what no voice can speak.
import fc from "fast-check";
import { expect, test } from "vitest";
import { heard } from "../../simulators/voice-provider/preview.ts";
import { startReady } from "../../support/voice/voice-server.ts";

const PIECES = fc.oneof(
  fc.constantFrom(..."あいうえおかがきぎ漢字日本語葛飾区。、！？「」『』・ー〜", "葛󠄀", "か゚", "ｶﾞ", "㍿", "𠮷", "\u3000"),
  fc.constantFrom("🐟", "👨‍👩‍👧‍👦", "🇯🇵", "👍🏽", "1️⃣", "e\u0301"),
  fc.constantFrom(
    "<speak>",
    "</speak>",
    "<break time='3s'/>",
    "&amp;",
    "&",
    "&#10;",
    "]]>",
    '"',
    "'",
    "<!--",
    "%s",
    "$" + "{x}",
    "\\u0041",
    "\\",
  ),
  fc.constantFrom("3.5", "v1.2.3", "Mr. Smith", "10:30", " ", "\n", "\r\n", "\t", ". ", "…"),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const TEXT = fc.array(PIECES, { minLength: 1, maxLength: 120 }).map((pieces) => pieces.join(""));

/** The expected lines, without white space and what no voice can speak. */
const linesOf = (text: string): string[] =>
  text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (unit) => (/\s/.test(unit) ? unit : ""))
    .split(/[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\s/g, ""))
    .filter((line) => line !== "");

/** What is heard beyond the lines of a text. Between two lines there may be a mark for the pause. */
function beyond(text: string, parts: readonly string[]): string {
  let rest = parts.join("").replace(/\s/g, "");
  for (const line of linesOf(text)) {
    const after = rest.startsWith(line) ? rest : rest.replace(/^[。.]/, "");
    if (!after.startsWith(line)) return `${line} is not heard in ${after}`;
    rest = after.slice(line.length);
  }
  return rest;
}

test("120 texts of Japanese, emoji and markup reach the decoder unchanged, in parts that are spoken", async () => {
  await using both = await startReady({ LOG_LEVEL: "error" });
  const texts = fc
    .sample(TEXT, { numRuns: 150, seed: 20_260_101 })
    .filter((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && text.length <= 1_900)
    .slice(0, 120);
  expect(texts).toHaveLength(120);
  for (const text of texts) {
    const { status } = await both.voice.speak(text);
    expect({ text, status }).toEqual({ text, status: 200 });
    expect(beyond(text, both.upstream.spoken.at(-1)?.nodes.map(heard) ?? [])).toBe("");
  }
  const bytes = both.upstream.previews().flatMap((preview) => [...preview.bytes]);
  expect(bytes.filter((byte) => byte >= 0x80)).toEqual([]);
}, 120_000);

test("a text of one part without white space reaches the decoder byte for byte", async () => {
  await using both = await startReady({ LOG_LEVEL: "error" });
  const text = "「葛󠄀飾区」で🐟を3.5匹＆<b>'釣った\"！👨‍👩‍👧‍👦 Ａ１　半角ｶﾞ";
  await both.voice.speak(text);
  const heard = both.upstream.spoken.at(-1)?.text ?? "";
  expect(Buffer.from(heard)).toEqual(Buffer.from(text));
});
