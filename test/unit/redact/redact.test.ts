// What holds for all of redaction: it comes before cutting, is idempotent, and takes linear time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact/find-secrets.ts";
import { cpuTimeOf } from "../../support/cpu-time.ts";

const SECRET = 'sécret/"with" +odd=chars\\and%(more)';
const TOKEN = "0123456789abcdef/+=~";

describe("a text of which a part is shown", () => {
  const redact = createRedactor([TOKEN]);
  const before = "before ";
  const after = " after";
  const text = before + TOKEN + after;
  const start = before.length;
  const end = start + TOKEN.length;

  test("loses a secret that reaches into the part, and nothing else around it", () => {
    for (let cut = 0; cut <= text.length; cut += 1) {
      const upTo = redact(text, { start: 0, end: cut });
      const from = redact(text, { start: cut, end: text.length });
      expect(upTo).toBe(
        cut <= start ? text.slice(0, cut) : `${before}[redacted]${text.slice(end, Math.max(end, cut))}`,
      );
      expect(from).toBe(cut >= end ? text.slice(cut) : `${text.slice(Math.min(cut, start), start)}[redacted]${after}`);
    }
  });

  test("loses a private key that begins before the part or ends after it", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIE\n".repeat(50)}-----END PRIVATE KEY-----`;
    expect(redact(`a ${key} b`, { start: 0, end: 60 })).toBe("a [redacted]");
    expect(redact(`a ${key} b`, { start: 60, end: key.length + 4 })).toBe("[redacted] b");
  });

  test("loses a value whose name is not in the part", () => {
    expect(redact("password=hunter2 b", { start: 12, end: 18 })).toBe("[redacted] b");
  });
});

const FRAGMENTS = [
  ..."aA \\\n\"':=@/;,&?.<{[",
  ...[
    "password=",
    "passwd",
    "authorization: ",
    "bearer ",
    "digest ",
    "://",
    "://u:",
    "cookie: a=",
    "'cookie'",
    "TOKEN=",
  ],
  ...["-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "-----END PRIVATE KEY-----", "-----END ", "access_token", "?key="],
  ...["ghp_", "eyJ", "eyJaaaaaaaa.", "sk-", "xoxb-", "AKIA0123456789ABCDEF", "aaaaaaaaaaaaaaaaaaaaaaaa", "aws4-"],
  ...[
    "[redacted]",
    "[redacted",
    "redacted]",
    "\u{1f600}",
    '\\"',
    'password="\\',
    'password=\\"',
    "password='password=\"",
  ],
  ...[SECRET, TOKEN, TOKEN.slice(0, -1), Buffer.from(`u:${TOKEN}`).toString("base64"), encodeURIComponent(SECRET)],
];

describe("redaction", () => {
  const redact = createRedactor([SECRET, TOKEN]);

  test("changes nothing the second time, and makes no text much longer", () => {
    const texts = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(3 * text.length);
        expect(once.isWellFormed()).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  const expectLinearTime = (unit: string): void => {
    const text = unit.repeat(Math.ceil(262_144 / unit.length));
    expect(cpuTimeOf(() => redact(text))).toBeLessThan(600);
  };

  test.each(FRAGMENTS)("takes no more than linear time for 256 KiB of %j", expectLinearTime);

  test("takes no more than linear time for 256 KiB of any few of them, again and again", () => {
    const units = fc
      .array(fc.constantFrom(...FRAGMENTS), { minLength: 2, maxLength: 5 })
      .map((parts) => parts.join(""));
    fc.assert(fc.property(units, expectLinearTime), { numRuns: 25 });
  });
});
