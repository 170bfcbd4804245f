// What is kept of an output stream.
import { describe, expect, test } from "vitest";
import { createOutputRing } from "../../../src/execution/output-ring.ts";

const HALF = 32 * 1024;

function read(...chunks: readonly (string | Buffer)[]) {
  const ring = createOutputRing();
  for (const chunk of chunks) ring.push(Buffer.from(chunk));
  return ring.read();
}

/** The definition, on the whole stream at once. */
function expected(stream: string) {
  if (stream.length <= 2 * HALF) return { text: stream, bytes: stream.length, truncated: false };
  const gap = `\n[... ${stream.length - 2 * HALF} bytes left out ...]\n`;
  return { text: stream.slice(0, HALF) + gap + stream.slice(-HALF), bytes: stream.length, truncated: true };
}

const numbers = (length: number) => Array.from({ length }, (_, n) => String.fromCharCode(33 + (n % 89))).join("");

describe("an output ring", () => {
  test("is empty when nothing was written", () => {
    expect(read()).toEqual({ text: "", bytes: 0, truncated: false });
  });

  test.each([1, HALF - 1, HALF, HALF + 1, 2 * HALF - 1, 2 * HALF, 2 * HALF + 1, 3 * HALF, 5 * HALF + 17])(
    "keeps head and tail of %i bytes, whatever the size of the chunks",
    (length) => {
      const stream = numbers(length);
      for (const size of [7, 1000, HALF, HALF + 1, 3 * HALF, length]) {
        const chunks = stream.match(new RegExp(`.{1,${Math.min(size, 60_000)}}`, "g")) ?? [];
        expect(read(...chunks)).toEqual(expected(stream));
      }
      expect(read(stream)).toEqual(expected(stream));
    },
  );

  test("joins a character that was split between two chunks", () => {
    const bytes = Buffer.from("日本");
    expect(read(bytes.subarray(0, 4), bytes.subarray(4)).text).toBe("日本");
  });

  test("replaces what is not UTF-8 and leaves NUL out, and counts both", () => {
    expect(read(Buffer.from([0x61, 0xff, 0x00, 0x62]))).toEqual({ text: "a\ufffdb", bytes: 4, truncated: false });
  });
});
