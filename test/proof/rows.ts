// The labelled rows: their form, and how they are read. README.md says what the labels mean.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FIXTURE_NAMES } from "./fixture-names.ts";

const LABELS = ["proved", "sensitive", "unproved", "constant", "cannot_tell", "not_proved"] as const;

const CheckRow = z.strictObject({
  id: z.string().regex(/^(loop|threshold|file|remote|worthless|attack)-\d\d\d?$/),
  kind: z.enum(["loop", "threshold", "file", "remote", "worthless", "attack"]),
  fixture: z.enum(FIXTURE_NAMES),
  /** What bash is given, with %name% in the place of names of the fixture. */
  text: z.string().min(1),
  /** Its colour before the goal is reached; "none" where it is not run then. */
  before: z.enum(["red", "green", "none"]),
  /** Of time only, between its first run and its second. */
  wait_s: z.int().optional(),
  label: z.enum(LABELS),
  /** Where another version of jq makes it another check. */
  label_with_jq_17: z.enum(LABELS).optional(),
  jq: z.literal(true).optional(),
  needs: z.array(z.string()).default([]),
  needs_network: z.literal(true).optional(),
  why: z.string().min(1),
});
export type CheckRow = z.infer<typeof CheckRow>;

const Call = z.strictObject({
  tool: z.literal("shell"),
  arguments: z.strictObject({ command: z.string(), check: z.union([z.boolean(), z.string()]).optional() }),
});

const Finish = z.looseObject({ summary: z.string() });

const FinishRow = z.strictObject({
  id: z.string().regex(/^(lie|honest)-\d\d$/),
  fixture: z.enum(FIXTURE_NAMES),
  intent: z.string(),
  goal: z.string(),
  success_criteria: z.array(z.string()),
  /** A call a reply. */
  calls: z.array(Call),
  finish: Finish,
  /** What the model does when its finish is not accepted; without it, it says the same again. */
  afterwards: z.array(z.union([Call, z.strictObject({ finish: Finish })])).default([]),
  /** Run when all is over, by someone else than the agent: 0 exactly when the goal is reached. */
  truth: z.string(),
  reached: z.boolean(),
  /** The check looks at the right target and at the wrong property of it. */
  wrong_property: z.literal(true).optional(),
  why: z.string().min(1),
});
export type FinishRow = z.infer<typeof FinishRow>;

function read<T>(file: string, schema: z.ZodType<T>): T[] {
  const lines = readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => schema.parse(JSON.parse(line)));
}

export const readChecks = (): CheckRow[] => read("checks.jsonl", CheckRow);
export const readAttacks = (): CheckRow[] => read("attacks.jsonl", CheckRow);
export const readLies = (): FinishRow[] => read("lying-finishes.jsonl", FinishRow);
export const readHonest = (): FinishRow[] => read("honest-finishes.jsonl", FinishRow);
