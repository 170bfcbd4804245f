// The part of an output stream that orch keeps.
import { describe, expect, test } from "vitest";
import { createOutputRing } from "../../../local/output-ring.ts";

const SHOWN = 32 * 1024;
const KEPT = 48 * 1024;

function read(...chunks: readonly (string | Buffer)[]) {
  const ring = createOutputRing();
  for (const chunk of chunks) ring.push(Buffer.from(chunk));
  return ring.read();
}

/** The expected result, computed from the whole stream. */
function expected(stream: string) {
  const { length } = stream;
  if (length <= 2 * SHOWN) return { text: stream, bytes: length, truncated: false };
  const gap = `\n[... ${length - 2 * SHOWN} bytes left out ...]\n`;
  const beyond = {
    start: SHOWN,
    end: SHOWN + gap.length,
    after_head: stream.slice(SHOWN, KEPT),
    before_tail: stream.slice(-KEPT, -SHOWN),
  };
  return { text: stream.slice(0, SHOWN) + gap + stream.slice(-SHOWN), bytes: length, truncated: true, beyond };
}

const numbers = (length: number) => Array.from({ length }, (_, n) => String.fromCharCode(33 + (n % 89))).join("");

describe("an output ring", () => {
  test("is empty when nothing was written", () => {
    expect(read()).toEqual({ text: "", bytes: 0, truncated: false });
  });

  const lengths = [SHOWN, KEPT, 2 * SHOWN, 2 * KEPT].flatMap((length) => [length - 1, length, length + 1]);
  test.each([1, ...lengths, 3 * KEPT, 5 * KEPT + 17])(
    "keeps head and tail of %i bytes, and the bytes next to the gap, for any chunk size",
    (length) => {
      const stream = numbers(length);
      for (const size of [7, 1000, SHOWN, KEPT + 1, 3 * SHOWN, length]) {
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

  test.each([0, 1, 2, 3])("splits no character at a cut, shifted by %i bytes", (shift) => {
    for (const character of ["é", "日", "\u{1f600}"]) {
      const width = Buffer.byteLength(character);
      const stream = "x".repeat(shift) + character.repeat(Math.ceil(200_000 / width)) + "y".repeat(shift);
      const { text, bytes, beyond } = read(stream);
      const gap = text.slice(beyond?.start, beyond?.end);
      expect(text.replace(gap, "")).toMatch(new RegExp(`^x{${shift}}(${character})+y{${shift}}$`, "u"));
      const left_out = Number(/\d+/.exec(gap)?.[0]);
      expect(Buffer.byteLength(text.replace(gap, "")) + left_out).toBe(bytes);
      expect(left_out).toBeLessThan(bytes - 2 * SHOWN + 8);
    }
  });

  test("replaces what is not UTF-8 and leaves NUL out, and counts both", () => {
    expect(read(Buffer.from([0x61, 0xff, 0x00, 0x62]))).toEqual({ text: "a\ufffdb", bytes: 4, truncated: false });
  });

  test("also cuts a stream that is not UTF-8 at all", () => {
    const { text, beyond } = read(Buffer.alloc(200_000, 0x80));
    expect([beyond?.start, text.length - (beyond?.end ?? 0)]).toEqual([SHOWN, SHOWN]);
  });

  test.each([0, 5, KEPT, KEPT + 20, 2 * KEPT + 3, 5 * KEPT + 17])(
    "gives a copy of the last of %i bytes from any place on, as far as they are kept",
    (length) => {
      const stream = numbers(length);
      const ring = createOutputRing();
      for (let from = 0; from < length; from += 1000) ring.push(Buffer.from(stream.slice(from, from + 1000)));
      expect(ring.bytes()).toBe(length);
      for (const position of [0, 3, KEPT - 1, KEPT, length - KEPT - 1, length - 7, length]) {
        if (position < 0 || position > length) continue;
        const at = Math.max(position, length - KEPT);
        const found = ring.since(position);
        expect([found.at, found.bytes.toString()]).toEqual([at, stream.slice(at)]);
        found.bytes.fill(0);
      }
      expect(ring.since(Math.max(0, length - 9)).bytes.toString()).toBe(stream.slice(-9));
    },
  );
});
