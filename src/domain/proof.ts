// What a check is worth. A check proves nothing until it has been seen to fail (D-193): on the real target before the change,
// with a decoy in the place of the target, or in a world where nothing of the target exists. Two statements are kept apart: what
// the check is worth, and whether its answer changed in this run.
import { z } from "zod";
import { JsonValue } from "./json.ts";

// The two statements on a check in one line: what it is worth, and whether its answer changed (D-193).

type Worth = {
  readonly proof: CheckProof["class"] | null;
  readonly seen_red: CheckProof["seen_red"] | null;
  readonly change: CheckProof["change"] | null;
};

/** `proof` is null where nothing was looked at. */
export function checkWorth({ proof, seen_red, change }: Worth): string {
  if (proof === null) return "not looked at";
  const seen = seen_red === null || seen_red.length === 0 ? "never seen to fail" : `seen red: ${seen_red.join(", ")}`;
  return [proof.replaceAll("_", " "), seen, (change ?? "not_looked_at").replaceAll("_", " ")].join("; ");
}

export const PROOF_CLASSES = ["proved", "sensitive", "unproved", "cannot_tell", "not_possible"] as const;

const StepIndex = z.int().min(0).describe("of the step, or of the call of an agent");

/** The answer of a check that was run away from the task's steps. */
export const Look = z.strictObject({
  answer: z.enum(["red", "green", "cannot_tell", "not_possible"]),
  exit_code: z.int().nullable(),
  reason: z.string().nullable().describe("why there is no colour"),
});
export type Look = z.infer<typeof Look>;

/** On the real target, before the first step that changes something. */
export const BeforeLook = z.strictObject({
  step_index: StepIndex,
  ...Look.shape,
  duration_ms: z.number().min(0),
  printed: z
    .string()
    .max(4096)
    .nullable()
    .describe("ORCH_BEFORE of the run after; null when the output was longer or contained a secret"),
});
export type BeforeLook = z.infer<typeof BeforeLook>;

/** Everything that is known of a check on its target apart from the runs of its task. */
export const Examination = z.strictObject({
  constant: z.string().nullable().describe("why its exit code does not depend on the machine"),
  chance: z.string().nullable().describe("what of chance decides it"),
  by_time: z.literal(true).exactOptional().describe("time alone may turn it from red to green"),
  names_target: z.boolean().describe("by its text, or by its working directory"),
  reads_before: z.boolean().describe("compares with ORCH_BEFORE, so it has no answer of its own before the change"),
  control: Look.extend({
    world: z.enum(["empty", "bare"]),
    wrote: z.boolean().describe("it wrote something, so it may have made its own answer"),
  }),
  decoy: Look.nullable().describe("null where policy does not know the check to look only"),
  joined: z
    .boolean()
    .describe("no part of it fails both in the empty world and with the decoy, though all parts together do"),
  red_at: z.iso.datetime().nullable().describe("when a run of the same check on the same key was red"),
});
export type Examination = z.infer<typeof Examination>;

/** What is kept of a check apart from the tasks that ran it: its examination, or that a run of it was red. */
export const CheckLook = z.strictObject({
  kind: z.enum(["examination", "red"]),
  digest: z.string(),
  body: JsonValue,
  looked_at: z.iso.datetime(),
});
export type CheckLook = z.infer<typeof CheckLook>;

export const CheckProof = z.strictObject({
  class: z.enum(PROOF_CLASSES),
  seen_red: z
    .array(z.enum(["before", "history", "decoy", "control"]))
    .describe("where the check has been seen to fail"),
  change: z.enum(["became_true", "was_true_already", "not_looked_at", "compared"]),
  reason: z.string().nullable().describe("why it is not proved"),
});
export type CheckProof = z.infer<typeof CheckProof>;

const Count = z.int().min(0);

/** The checks of a task that is done, at a glance: how many there are of each class. */
export const ProofSummary = z.strictObject({
  checks: z.int().min(1).describe("all checks of the verdict"),
  proved: Count,
  sensitive: Count,
  unproved: Count,
  cannot_tell: Count,
  not_possible: Count,
  became_true: Count.describe("red on the target before the change, of all classes"),
});
export type ProofSummary = z.infer<typeof ProofSummary>;

/** Null where none of the checks was examined. */
export function proofSummary(checks: readonly { readonly proof?: CheckProof | undefined }[]): ProofSummary | null {
  const proofs = checks.flatMap(({ proof }) => proof ?? []);
  if (proofs.length === 0) return null;
  const of = (name: CheckProof["class"]) => proofs.filter((proof) => proof.class === name).length;
  const became_true = proofs.filter(({ change }) => change === "became_true").length;
  return {
    checks: checks.length,
    proved: of("proved"),
    sensitive: of("sensitive"),
    unproved: of("unproved"),
    cannot_tell: of("cannot_tell"),
    not_possible: of("not_possible"),
    became_true,
  };
}
