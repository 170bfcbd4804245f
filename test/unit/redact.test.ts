import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/redact.ts";

const SECRET = 'sécret/"with" +odd=chars\\and%';

describe("a known secret", () => {
  const redact = createRedactor([SECRET]);
  test.each([
    ["itself", SECRET],
    ["URL-encoded", encodeURIComponent(SECRET)],
    ["URL-encoded in lower case", encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
    ["inside JSON", JSON.stringify(SECRET).slice(1, -1)],
  ])("is taken out as %s, wherever it stands and however often", (_title, form) => {
    expect(redact(`a ${form} b${form}${form}`)).toBe("a [redacted] b[redacted][redacted]");
  });

  test("is taken out of base64 and base64url of any text that holds it", () => {
    const secret = "0123456789abcdef";
    const hide = createRedactor([secret]);
    for (const before of ["", "u:", "xyz", "user:", "\n"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const hidden = hide(Buffer.from(`${before}${secret}\n`).toString(encoding));
        expect(hidden).toContain("[redacted]");
        expect(Buffer.from(hidden.replace("[redacted]", ""), encoding).toString("latin1")).not.toMatch(/[0-9a-f]{3}/);
      }
    }
  });

  test("that holds another one leaves nothing of itself behind", () => {
    const both = createRedactor(["password", "my-password-is-long"]);
    expect(both("x my-password-is-long y")).toBe("x [redacted] y");
  });

  test("is text, not a pattern", () => {
    const redactDots = createRedactor(["a.b.c.d.e", "$&$1$`long"]);
    expect(redactDots("aXbXcXdXe $&$1$`long")).toBe("aXbXcXdXe [redacted]");
  });

  test("of fewer than 8 characters is left alone", () => {
    expect(createRedactor(["short", ""])("a short text")).toBe("a short text");
  });

  test("never survives, whatever is around it", () => {
    const secrets = fc
      .string({ minLength: 8, maxLength: 40, unit: "binary" })
      .filter((text) => !"[redacted]".includes(text));
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
        expect(
          createRedactor([secret])(before + secret + after)
            .split("[redacted]")
            .join("\0"),
        ).not.toContain(secret);
      }),
    );
  });
});

describe("a well-known shape", () => {
  const redact = createRedactor([]);
  test.each([
    ["Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"],
    ["authorization: Basic dXNlcjpwYXNz, more", "authorization: Basic [redacted], more"],
    ['{"Authorization":"Bearer abc"}', '{"Authorization":"Bearer [redacted]"}'],
    ["sent bearer 0123456789abcdef0123", "sent bearer [redacted]"],
    ["id AKIAIOSFODNN7EXAMPLE end", "id [redacted] end"],
    [`token ghp_${"a".repeat(36)}.`, "token [redacted]."],
    [`github_pat_${"A1_".repeat(10)}`, "[redacted]"],
    ["DB_PASSWORD=hunter2 next", "DB_PASSWORD=[redacted] next"],
    ["password='two words' next", "password='[redacted]' next"],
    ['{"password": "hun ter2"}', '{"password": "[redacted]"}'],
    ['password="never closed', "password=[redacted] closed"],
    ['{\\"password\\":\\"hunter2', '{\\"password\\":[redacted]'],
    ["?password=a%20b&x=1", "?password=[redacted]&x=1"],
    ["postgres://orch:hunter2@db/orch", "postgres://orch:[redacted]@db/orch"],
    ["a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb", "a\n[redacted]\nb"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE and cut off", "[redacted]"],
  ])("%j becomes %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected), "twice is as good as once").toBe(expected);
  });

  test.each([
    "Bearer tokens are needed",
    "the password was changed",
    "http://host:8080/path and me@example.com",
    "-----BEGIN CERTIFICATE-----",
    "AKIA is a prefix",
  ])("%j stays as it is", (text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY----------END ",
    "password=",
    'password="',
    "password='",
    "authorization: bearer ",
    "bearer ",
    "://",
    "://a:",
    "://:a",
    "ghp_",
    "A",
    " ",
    "\t",
  ])("a megabyte of %j takes no more than linear time", (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const started = performance.now();
    redact(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
