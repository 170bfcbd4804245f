// A target of the service [8.target.T1], and the three answers to it. A ratio of few cases meets nothing and misses nothing: it is
// unproven (D-289).
import { z } from "zod";
import { type Bounds, wilson } from "./wilson.ts";

const TARGET_IDS = ["T1", "T2", "T3", "T4", "T5", "T6"] as const;
export type TargetId = (typeof TARGET_IDS)[number];

export const TargetState = z.enum(["met", "missed", "unproven"]);
export type TargetState = z.infer<typeof TargetState>;

const Worst = z.strictObject({
  about: z.string().describe("a procedure as intent and target, a reason_code, a rule or a group"),
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  count: z.number().describe("what it cost"),
  operation: z.string().describe("the operation that mends it, or shows more"),
});
export type Worst = z.infer<typeof Worst>;

export const ScoreTarget = z.strictObject({
  id: z.enum(TARGET_IDS),
  wording: z.string().describe("of the specification, section 8 unless it says another"),
  state: TargetState,
  value: z.number().nullable().describe("null where there is nothing to count"),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  wanted: z.string(),
  message: z.string().describe("the numbers as a sentence, and what would decide"),
  worst: z.array(Worst).describe("what costs most, worst first: correct it before you change the model"),
});
export type ScoreTarget = z.infer<typeof ScoreTarget>;

/** Of a ratio that has to reach `wanted`. */
const stateOf = ({ lower, upper }: Bounds, wanted: number): TargetState =>
  lower >= wanted ? "met" : upper < wanted ? "missed" : "unproven";

export type Ratio = Pick<ScoreTarget, "state" | "value" | "lower" | "upper">;

export const ratioTarget = (good: number, all: number, wanted: number): Ratio => {
  const bounds = wilson(good, all);
  return { state: all === 0 ? "unproven" : stateOf(bounds, wanted), value: quotient(good, all), ...bounds };
};

export const quotient = (part: number, all: number): number | null => (all === 0 ? null : part / all);

export const percent = (ratio: number | null): string => (ratio === null ? "-" : `${Math.round(ratio * 1000) / 10} %`);
