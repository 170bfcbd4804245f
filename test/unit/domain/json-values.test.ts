import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf } from "../../../src/domain/json.ts";
import { canonicalJson } from "../../../src/domain/json-values.ts";

describe("Canonical JSON", () => {
  test("sorts keys at every level and keeps the order of arrays", () => {
    expect(canonicalJson({ b: 1, a: { d: [3, 1], c: null } })).toBe('{"a":{"c":null,"d":[3,1]},"b":1}');
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }));
  });

  test("sorts keys that look like numbers as text", () => {
    expect(canonicalJson({ b: 1, "10": 1, "9": 1 })).toBe('{"10":1,"9":1,"b":1}');
  });

  test("sorts keys as the example of RFC 8785, section 3.2.3, does", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(Object.keys(JSON.parse(text.replace('"1"', '"one"')))).toEqual([
      ...["\r", "one", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"],
    ]);
  });

  test("writes numbers as the example of RFC 8785, section 3.2.2, does", () => {
    const numbers = [333_333_333.333_333_3, 1e30, 4.5, 2e-3, 1e-27, -0];
    expect(canonicalJson(numbers)).toBe("[333333333.3333333,1e+30,4.5,0.002,1e-27,0]");
  });

  test("leaves out members that are undefined", () => {
    expect(canonicalJson({ a: undefined, b: [undefined], c: 1 })).toBe('{"b":[null],"c":1}');
  });

  test("escapes a lone surrogate", () => {
    expect(canonicalJson(["\ud800"])).toBe('["\\ud800"]');
  });

  test("equals what an independent implementation of RFC 8785 writes", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer({ min: -5, max: 2 ** 32 + 5 }).map(String),
      fc.constantFrom("__proto__", "constructor", "toJSON", "\u0000", "\u007f", "\u2028", "\ufb33", "\ud83d\ude00"),
    );
    const number = fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.integer());
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        ...[fc.constant(null), fc.boolean(), number, text],
        fc.array(tie("json"), { maxLength: 5 }),
        fc.array(fc.tuple(text, tie("json")), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => canonicalJson(value) === canonicalize(value)),
      { numRuns: 100 },
    );
  });
});
