// The patterns that are published of texts accept what their readers accept, and nothing else.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { durationMs } from "../../../src/domain/duration.ts";
import { CheckStep, WaitStep } from "../../../src/domain/step.ts";
import { Every, intervalMs } from "../../../src/features/schedules/schedule.ts";

const Published = z.object({ pattern: z.string(), not: z.object({ pattern: z.string() }).optional() });

function isPublished(schema: z.ZodType): (text: string) => boolean {
  const { pattern, not } = Published.parse(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }));
  const [fits, refused] = [new RegExp(pattern, "u"), not && new RegExp(not.pattern, "u")];
  return (text) => fits.test(text) && refused?.test(text) !== true;
}

const numbers = fc.oneof(
  fc.nat(4_000).map(String),
  fc.nat(40_000_000).map(String),
  fc.constantFrom("0", "00", "1", "9", "10", "60", "61", "3600", "3601", "3600000", "3600001", "366", "367", "8784"),
  fc.constantFrom("31622400", "31622401", "527040", "527041", "0000001", "00000001", "0003600", "000000010"),
);
const fractions = fc.constantFrom("", ".0", ".000", ".4", ".5", ".49", ".001", ".0000", ".");
const units = fc.constantFrom("ms", "s", "m", "h", "d", "", "S", " s");
const texts = fc.tuple(numbers, fractions, units).map((parts) => parts.join(""));

describe("the pattern of", () => {
  test.each<[name: string, schema: z.ZodType, isRead: (text: string) => boolean]>([
    ["a pause", WaitStep.shape.value, (text) => durationMs(text) !== null],
    ["a polled check", CheckStep.shape.within.unwrap(), (text) => (durationMs(text) ?? 0) !== 0],
    ["an interval", Every, (text) => intervalMs(text) !== null],
  ])("%s says what is read", (_name, schema, isRead) => {
    const fits = isPublished(schema);
    fc.assert(
      fc.property(texts, (text) => {
        expect([text, fits(text)]).toEqual([text, isRead(text)]);
      }),
      { numRuns: 5_000, seed: 7 },
    );
  });
});
