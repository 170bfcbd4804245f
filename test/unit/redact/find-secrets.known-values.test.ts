// Values that are known, in the forms in which they travel.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact/find-secrets.ts";

const SECRET = 'sécret/"with" +odd=chars\\and%(more)';
const TOKEN = "0123456789abcdef/+=~";

const strictly = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const inLines = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, "g"), "$&\n");

describe("a known secret", () => {
  const redact = createRedactor([SECRET]);
  test.each([
    ["itself", SECRET],
    ["URL-encoded", encodeURIComponent(SECRET)],
    ["URL-encoded in lower case", encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
    ["URL-encoded with brackets", strictly(SECRET)],
    [
      "URL-encoded but for the slash",
      encodeURIComponent(SECRET)
        .replace("%2F", "/")
        .replace(/[()]/g, (c) => `%${c === "(" ? 28 : 29}`),
    ],
    ["a field of a form", strictly(SECRET).replaceAll("%20", "+")],
    ["inside JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["inside JSON inside JSON", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ["inside JSON with escaped slashes", JSON.stringify(SECRET).slice(1, -1).replaceAll("/", "\\/")],
    ["hexadecimal", Buffer.from(SECRET).toString("hex")],
    ["hexadecimal in capitals", Buffer.from(SECRET).toString("hex").toUpperCase()],
    [
      "a hex dump",
      Buffer.from(SECRET)
        .toString("hex")
        .replace(/..(?!$)/g, "$& "),
    ],
  ])("is redacted as %s, at every occurrence", (_title, form) => {
    expect(redact(`a ${form} b${form}${form}`)).toBe("a [redacted] b[redacted][redacted]");
  });

  test("is redacted as escapes of every byte", () => {
    const bytes = Buffer.from(SECRET).toString("hex");
    for (const sign of ["%", "\\x"]) {
      for (const digits of [bytes, bytes.toUpperCase()]) {
        expect(redact(`a ${digits.replace(/../g, `${sign}$&`)} b`)).toBe(`a ${sign}[redacted] b`);
      }
    }
  });

  test("is redacted in base64 and base64url of any text that holds it", () => {
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

  test.each([7, 20, 64, 76])("is redacted across lines of %i characters", (width) => {
    const hide = createRedactor([TOKEN]);
    const text = `${"x".repeat(70)}${TOKEN}${"y".repeat(70)}`;
    const whole = Buffer.from(text).toString("base64");
    const hidden = hide(inLines(whole, width));
    expect(hidden).toContain("[redacted]");
    expect(Buffer.from(hidden.replace("[redacted]", ""), "base64").toString("latin1")).not.toContain("1234");
    expect(hide(inLines(text, width).replaceAll("\n", "\r\n  "))).not.toContain("1234");
  });

  test("made of blanks and backslashes is redacted where it appears unchanged", () => {
    const hide = createRedactor(["a b c d e", "\\\\\\\\\\\\\\\\"]);
    expect(hide("x a b c d e y abcde \\\\\\\\\\\\\\\\")).toBe("x [redacted] y abcde [redacted]");
  });

  test("that holds another one is redacted completely", () => {
    const both = createRedactor(["password", "my-password-is-long"]);
    expect(both("x my-password-is-long y")).toBe("x [redacted] y");
  });

  test("that overlaps another one is redacted together with it", () => {
    expect(createRedactor(["abcdefgh", "efghijkl"])("x abcdefghijkl y")).toBe("x [redacted] y");
  });

  test("is text, not a pattern", () => {
    const redactDots = createRedactor(["a.b.c.d.e", "$&$1$`long"]);
    expect(redactDots("aXbXcXdXe $&$1$`long")).toBe("aXbXcXdXe [redacted]");
  });

  test("with fewer than 8 characters is not redacted, nor is a part of the mark", () => {
    expect(createRedactor(["short", "", "redacted"])("a short redacted text")).toBe("a short redacted text");
  });

  test("never remains, for any text around it", () => {
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
