import { expect, test } from "vitest";
import { z } from "zod";
import { parseInput } from "../../../src/schema/parse-input.ts";

const Kinds = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("cmd"), value: z.string() }),
  z.strictObject({ kind: z.literal("wait") }),
]);

test.each<[string, z.ZodType, unknown, string]>([
  ["a string", z.string(), 1, "must be a string"],
  ["a number", z.coerce.number(), "many", "must be a number"],
  ["a whole number", z.int(), 1.5, "must be a whole number"],
  ["a boolean", z.boolean(), "yes", "must be true or false"],
  ["an array", z.array(z.string()), {}, "must be an array"],
  ["an object", z.strictObject({}), [], "must be an object"],
  ["a missing field", z.string(), undefined, "is required"],
  ["a missing choice", z.enum(["a", "b"]), undefined, "is required"],
  ["a missing union", z.union([z.string(), z.null()]), undefined, "is required"],
  ["one value", z.literal("x"), "y", "must be x"],
  ["one of several values", z.enum(["a", "b"]), "c", "must be one of a, b"],
  ["a lower bound", z.number().min(2), 1, "must be at least 2"],
  ["an open lower bound", z.number().gt(0), 0, "must be more than 0"],
  ["an open upper bound", z.number().lt(5), 5, "must be less than 5"],
  ["an empty string", z.string().min(1), "", "must not be empty"],
  ["a short string", z.string().min(3), "a", "must have at least 3 characters"],
  ["a long array", z.array(z.int()).max(1), [1, 2], "must have at most 1 items"],
  ["a pattern", z.string().regex(/^a+$/), "b", "must match /^a+$/"],
  ["a format", z.uuid(), "b", "must be a valid uuid"],
  [
    "a union",
    z.union([z.string(), z.int()]),
    true,
    "has none of the accepted forms: must be a string; must be a number",
  ],
  ["words of the schema's own", z.string().min(1, "say something"), "", "say something"],
])("%s is explained as %s", (_title, schema, input, message) => {
  expect(parseInput(z.object({ field: schema }), { field: input })).toEqual({
    ok: false,
    issues: [{ path: "field", message }],
  });
});

test("paths are dotted, with array indexes and names of keys", () => {
  const schema = z.strictObject({ steps: z.array(Kinds), target: z.record(z.string().regex(/^[a-z]+$/), z.string()) });
  const input = { steps: [{ kind: "wait" }, { kind: "fly" }, { kind: "cmd", valu: 1 }], target: { A: "x" }, more: 1 };
  expect(parseInput(schema, input)).toEqual({
    ok: false,
    issues: [
      { path: "steps.1.kind", message: "must be one of cmd, wait" },
      { path: "steps.2.value", message: "is required" },
      { path: "steps.2.valu", message: "is not a known field" },
      { path: "target.A", message: "is not a valid name: must match /^[a-z]+$/" },
      { path: "more", message: "is not a known field" },
    ],
  });
});

test("what is right is returned as the schema makes it", () => {
  expect(parseInput(z.object({ n: z.coerce.number().default(5) }), {})).toEqual({ ok: true, value: { n: 5 } });
});

test("a path made of a very long key is cut", () => {
  const parsed = parseInput(z.strictObject({}), { ["k".repeat(10_000)]: 1 });
  expect(parsed.ok ? [] : parsed.issues.map(({ path }) => path.length)).toEqual([256]);
});
