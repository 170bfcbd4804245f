import fc from "fast-check";
import { expect, test } from "vitest";
import { sopKey, Target, targetSignature } from "../../../src/domain/target.ts";

test("the signature sorts the attributes and joins key=value with semicolons [2.key.signature]", () => {
  expect(targetSignature({ service: "web", environment: "prod" })).toBe("environment=prod;service=web");
});

test("the key is the intent, a bar and the signature [2.key.format]", () => {
  expect(sopKey("deploy", "service=web")).toBe("deploy|service=web");
});

test("the empty target has the empty signature", () => {
  expect(targetSignature({})).toBe("");
});

test("separators, escapes and control characters in values are percent-encoded", () => {
  expect(targetSignature({ a: "x;b=1|%\n" })).toBe("a=x%3Bb=1%7C%25%0A");
});

test("non-Latin text stays readable", () => {
  expect(targetSignature({ service: "サーバー" })).toBe("service=サーバー");
});

test("two targets share a signature only when they are equal [2.key.exact]", () => {
  const value = fc.oneof(fc.string(), fc.constantFrom(";", "a=b", "%3B", "|", "\n", "a;b=c"));
  const target = fc.dictionary(fc.constantFrom("a", "b", "c"), value);
  fc.assert(
    fc.property(target, target, (one, other) => {
      const [first, second] = [Target.safeParse(one), Target.safeParse(other)];
      fc.pre(first.success && second.success);
      const same = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
      expect(targetSignature(one) === targetSignature(other)).toBe(same);
    }),
  );
});
