// The beginning and the end of an output, in bounded memory.
import { describe, expect, test } from "vitest";
import { createKeptOutput } from "../../../src/cli/look-with-command.ts";

const kept = (chunks: readonly string[], most: number) => {
  const output = createKeptOutput(most);
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  return output.read();
};

describe("what is kept of an output", () => {
  test.each([
    [[], { head: "", tail: "", left_out: 0 }],
    [["abc"], { head: "abc", tail: "", left_out: 0 }],
    [["abcdef"], { head: "abcdef", tail: "", left_out: 0 }],
    [["abcdefg"], { head: "abc", tail: "efg", left_out: 1 }],
    [["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"], { head: "abc", tail: "jkl", left_out: 6 }],
    [["ab\0cd"], { head: "abcd", tail: "", left_out: 0 }],
  ])("is as much as fits: %j", (chunks, expected) => {
    expect(kept(chunks, 3)).toEqual(expected);
  });

  test("is the same, however it comes in chunks", () => {
    const text = Array.from({ length: 1_000 }, (_, nth) => `${nth},`).join("");
    const whole = kept([text], 100);
    expect(kept([...text], 100)).toEqual(whole);
    expect([whole.head, whole.tail]).toEqual([text.slice(0, 100), text.slice(-100)]);
  });
});
