import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readObject } from "../../../src/ollama/bounded-ollama.ts";

const OBJECT = '{"error_type":"transient"}';
const OTHER = '{"error_type":"unknown"}';

/** A number is a silence of as many milliseconds. */
async function* streamOf(parts: readonly (string | number)[]) {
  for (const part of parts) {
    if (typeof part === "number") await sleep(part);
    else yield { text: part };
  }
}

const blanks = (count: number) => Array.from({ length: count }, () => "\n");

test.each<[string, readonly (string | number)[], string]>([
  ["in pieces", ['{"error_type":', '"transient"}'], OBJECT],
  ["blanks and text follow in one piece", [OBJECT, `\n${OTHER}`], `${OBJECT}\n${OTHER}`],
  ["a piece of blanks and text follow", [OBJECT, "\n", OTHER, " ", "x"], `${OBJECT}\n${OTHER} x`],
  ["the text follows in the eighth piece", [OBJECT, ...blanks(7), OTHER], `${OBJECT}${"\n".repeat(7)}${OTHER}`],
  ["pieces without text do not count", [OBJECT, ...Array(9).fill(""), OTHER], OBJECT + OTHER],
  ["the text follows after a silence", [OBJECT, 600, OTHER], OBJECT + OTHER],
  ["blanks before the object do not count", [...blanks(9), OBJECT], `${"\n".repeat(9)}${OBJECT}`],
  ["the eighth piece of blanks ends it", [OBJECT, ...blanks(8), OTHER], `${OBJECT}${"\n".repeat(7)}`],
])("the text of an answer: %s: clients M1", async (_title, parts, text) => {
  expect(await readObject(streamOf(parts))).toBe(text);
});
