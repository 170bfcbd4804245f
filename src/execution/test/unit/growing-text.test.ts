// What is released of a text that still grows: no secret, however its pieces are cut, and everything else in time.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, findBeginning } from "../../../redact/find-secrets.ts";
import { createGrowingText } from "../../live-output.ts";

const MARGIN = 16 * 1024;
const SECRETS = ["Zq7-hidden", "Xw3/Yv9+Kj5=Lm1", 'Qé"8 Jö\\4 Vü%6', "Hidden1\nHidden2\nHidden3"];
const redact = createRedactor(SECRETS);
const growing = () => createGrowingText(redact, findBeginning(SECRETS));

/** A text, quiet after it, or so many bytes that are missing. */
type Act = { readonly text: string | Buffer; readonly quiet?: boolean; readonly skip?: number };

function released(acts: readonly Act[]) {
  const { push } = growing();
  let at = 0;
  return acts.map(({ text, quiet = false, skip = 0 }) => {
    const bytes = Buffer.from(text);
    const piece = { at: at + skip, bytes, quiet };
    at += skip + bytes.length;
    return push(piece);
  });
}
const shown = (...acts: readonly Act[]) => released(acts).map(({ text }) => text);

describe("a growing text", () => {
  test("shows complete lines at once, and a line without its end when it is quiet", () => {
    expect(shown({ text: "one\ntwo" }, { text: "", quiet: true }, { text: " and\nthree\n" })).toEqual([
      "one\n",
      "two",
      " and\nthree\n",
    ]);
  });

  test("shows a long line up to the margin before its end", () => {
    const [first = "", second] = shown({ text: "x".repeat(MARGIN + 100) }, { text: "", quiet: true });
    expect([first.length, second]).toEqual([100, "x".repeat(MARGIN)]);
  });

  test("keeps a character whole that two pieces share", () => {
    const bytes = Buffer.from("für\n");
    expect(shown({ text: bytes.subarray(0, 2) }, { text: bytes.subarray(2) })).toEqual(["", "für\n"]);
  });

  test("holds what may be the beginning of a known secret, and shows it when it was none", () => {
    const beginning = { text: "is Zq7-h", quiet: true };
    expect(shown(beginning, { text: "idden\n" })).toEqual(["is ", "[redacted]\n"]);
    expect(shown(beginning, { text: "ello\n" })).toEqual(["is ", "Zq7-hello\n"]);
  });

  test.each(["password=hun", "https://user:pa", "token: ghp_0123", "-----BEGIN PRI", "MIIEpAIBAAKCAQEA"])(
    "holds the line %j until it is complete",
    (line) => {
      expect(shown({ text: line, quiet: true })).toEqual([""]);
      expect(shown({ text: line, quiet: true }, { text: "\n" })[1]).not.toBe("");
    },
  );

  test("holds lines that may be those of a private key, until the line after the next", () => {
    const body = `${"MIIEpAIBAAKCAQEAxY".repeat(4).slice(0, 64)}\n`;
    expect(shown({ text: body, quiet: true }, { text: "x\n" }, { text: "y\n" })).toEqual(["", "", `${body}x\ny\n`]);
    expect(shown({ text: body }, { text: "x=\n" }, { text: "-----END PRIVATE KEY-----\ny\n" }).join("")).toBe(
      "[redacted]\ny\n",
    );
    expect(shown({ text: `${"0123abcd".repeat(8)}\n` })).toEqual([`${"0123abcd".repeat(8)}\n`]);
  });

  test("leaves out both sides of a gap, in which a secret may have been cut, and counts the bytes", () => {
    const line = `${"x".repeat(63)}\n`;
    const [before, after] = released([{ text: "a\nrest" }, { text: line.repeat(512), skip: 1_000 }]);
    expect(before).toEqual({ text: "a\n", missed_bytes: 0 });
    expect(after).toEqual({ text: line.repeat(256), missed_bytes: 4 + 1_000 + MARGIN });
  });
});

/** The parts of a secret that must not be seen. */
const partsOf = (secret: string, length: number): string[] =>
  Array.from({ length: Math.max(0, secret.length - length + 1) }, (_, n) => secret.slice(n, n + length));

/** The same bytes each time, which look random. */
const base64 = (bytes: number) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(bytes / 64) }, (_, n) => createHash("sha512").update(`${bytes} ${n}`).digest()),
  )
    .subarray(0, bytes)
    .toString("base64");
const word = (length: number) =>
  base64(length)
    .replace(/[^A-Za-z0-9]/g, "Q")
    .slice(0, length);
const hidden = (secret: string, text: (secret: string) => string) => [text(secret), partsOf(secret, 16)] as const;

function privateKey(begin: string): readonly [string, readonly string[]] {
  const lines = (base64(600).match(/.{1,64}/g) ?? []).join("\n");
  return [`${begin}${lines}\n-----END PRIVATE KEY-----\n`, partsOf(lines.replaceAll("\n", ""), 40)];
}

/** Text with a secret by its shape, and parts of the secret. */
const SHAPED: readonly (readonly [text: string, parts: readonly string[]])[] = [
  hidden(word(24), (secret) => `password=${secret} `),
  hidden(word(24), (secret) => `DB_PASS="${secret} ${secret}"`),
  hidden(word(36), (secret) => `ghp_${secret}`),
  hidden(word(24), (secret) => `https://admin:${secret}@host/`),
  hidden(word(40), (secret) => `Authorization: Bearer ${secret}`),
  hidden(word(24), (secret) => `bearer ${secret} `),
  hidden(word(24), (secret) => `Cookie: a=${secret}; b=${secret}`),
  hidden(word(24), (secret) => `eyJ${secret}.${secret}.${secret}`),
  hidden(word(24), (secret) => `GET /?x=1&token=${secret}`),
  privateKey("-----BEGIN PRIVATE KEY-----\n"),
  privateKey(""),
];
const KNOWN = SECRETS.flatMap((secret) => [
  [secret, partsOf(secret, 6)] as const,
  [encodeURIComponent(secret), partsOf(encodeURIComponent(secret), 8)] as const,
  [
    Buffer.from(`u:${secret}`).toString("base64"),
    partsOf(Buffer.from(`u:${secret}`).toString("base64").slice(4, -4), 6),
  ] as const,
  [Buffer.from(secret).toString("hex"), partsOf(Buffer.from(secret).toString("hex"), 6)] as const,
]);

const NOISE = [
  "",
  ".",
  "ok\n",
  "a line of output\n",
  "\n",
  "step 3 of 7 ... ",
  `${". ".repeat(200)}\n`,
  "=".repeat(17_000),
];

const noise = fc.constantFrom(...NOISE);
const secret = fc.oneof(fc.constantFrom(...KNOWN), fc.constantFrom(...SHAPED));
/** A place in the secret, whether it is quiet before the next byte, and whether the piece before is missing. */
const cut = fc.record({
  at: fc.integer({ min: 0, max: 1_000 }),
  quiet: fc.boolean(),
  isMissing: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const part = fc.record({ before: noise, secret, cuts: fc.array(cut, { maxLength: 4 }), after: noise });
type Part = typeof part extends fc.Arbitrary<infer P> ? P : never;

/** The text of the part, cut in the middle of its secret. */
function actsOf({ before, secret: [text], cuts, after }: Part): Act[] {
  const bytes = Buffer.from(text);
  const places = cuts
    .toSorted((a, b) => a.at - b.at)
    .map((each) => ({ ...each, to: Math.floor((each.at / 1_000) * bytes.length) }));
  const acts: Act[] = [{ text: before }];
  let from = 0;
  let skip = 0;
  for (const { to, quiet, isMissing } of places) {
    if (isMissing) skip += to - from;
    else acts.push({ text: bytes.subarray(from, to), quiet, skip });
    if (!isMissing) skip = 0;
    from = to;
  }
  return [...acts, { text: bytes.subarray(from), skip }, { text: `${after}\n`, quiet: true }];
}

describe("no secret is shown", () => {
  test("however the pieces are cut, wherever it is quiet, and with pieces missing", () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
        const text = shown(...parts.flatMap(actsOf)).join("");
        for (const hidden of parts.flatMap((each) => each.secret[1])) expect(text).not.toContain(hidden);
      }),
      { numRuns: 400 },
    );
  });

  test("when each byte arrives alone and it is quiet after each", () => {
    for (const [text, parts] of [...KNOWN, ...SHAPED]) {
      const acts = [...Buffer.from(`first\n${text}\nlast\nmore\n`)].map((byte) => ({
        text: Buffer.of(byte),
        quiet: true,
      }));
      const seen = shown(...acts).join("");
      expect(seen).toContain("last\n");
      for (const part of parts) expect(seen).not.toContain(part);
    }
  });
});
