// A secret at the place where long output is cut.
import { describe, expect, test } from "vitest";
import { createRedactor, withoutMargin } from "../../../../redact/find-secrets.ts";
import { createOutputRing } from "../../../local/output-ring.ts";

const SHOWN = 32 * 1024;
const SECRET = "0123456789-the-secret-9876543210";
const redact = createRedactor([SECRET]);

/** What is given of a stream of so many bytes with these pieces at their places. */
function shown(length: number, ...pieces: readonly (readonly [string, number])[]): string {
  const stream = Buffer.alloc(length, ".");
  for (const [piece, at] of pieces) stream.write(piece, at < 0 ? length + at : at);
  const ring = createOutputRing();
  ring.push(stream);
  const output = withoutMargin(ring.read(), redact);
  expect(output).toEqual({ text: output.text, bytes: length, truncated: true });
  return output.text;
}

/** Six characters of it in a row, which the marks and the dots are not. */
const pieceOf = (secret: string) =>
  new RegExp(Array.from({ length: secret.length - 5 }, (_, n) => secret.slice(n, n + 6)).join("|"));

describe("a secret in output that is cut", () => {
  test.each([2 * SHOWN + 40, 80_000, 96_000, 100_000, 300_000])(
    "is not shown, not even in part, in output of %i bytes",
    (length) => {
      for (let shift = 0; shift <= SECRET.length; shift += 1) {
        const text = shown(length, [SECRET, SHOWN - shift], [SECRET, -SHOWN - shift]);
        expect(text).not.toMatch(pieceOf(SECRET));
        expect(text.length).toBeLessThan(2 * SHOWN + 100);
      }
    },
  );

  test("is hidden in base64 as well", () => {
    const encoded = Buffer.from(`u:${SECRET}`).toString("base64");
    for (let shift = 4; shift < encoded.length - 4; shift += 1) {
      const text = shown(200_000, [encoded, SHOWN - shift], [encoded, -SHOWN - shift]);
      expect(text).not.toMatch(pieceOf(encoded.slice(4, -4)));
    }
  });

  test("is hidden when it is a private key that the gap cuts off at either side", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADAN\n".repeat(200)}-----END PRIVATE KEY-----\n`;
    const text = shown(200_000, [key, SHOWN - 1000], [key, -SHOWN - 1000]);
    expect(text).not.toMatch(/PRIVATE|MIIE/);
    expect(text).toMatch(/^\.+\[redacted\]\n\[\.\.\. 134464 bytes left out \.\.\.\]\n\[redacted\]\n\.+$/);
  });

  test("leaves what is around it", () => {
    expect(shown(200_000, [SECRET, SHOWN - SECRET.length])).toMatch(/^\.{32736}\[redacted\]\n\[\.\.\. /);
    expect(shown(200_000, [SECRET, SHOWN])).toMatch(/^\.{32768}\n\[\.\.\. /);
  });
});

test("output that is not cut is given as it is", () => {
  const output = { text: SECRET, bytes: 32, truncated: false };
  expect(withoutMargin(output, redact)).toEqual(output);
});
