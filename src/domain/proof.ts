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

/** `before` is null where the check was not run before the change. */
export function proofOf(examination: Examination, before: Pick<BeforeLook, "answer"> | null): CheckProof {
  const seen_red = redLooks(examination, before);
  const worth = classOf(examination, seen_red);
  const reason = worth.class === "proved" ? null : because(examination, before, worth.reason);
  return { class: worth.class, reason, seen_red, change: changeOf(examination, before) };
}

type SeenRed = CheckProof["seen_red"];

/** A red answer counts only when the check did not make it itself and chance did not, and what came after is no work of time. */
function redLooks(
  { constant, chance, by_time, reads_before, control, decoy, red_at }: Examination,
  before: Pick<BeforeLook, "answer"> | null,
): SeenRed {
  if (constant !== null || chance !== null || control.wrote) return [];
  const changes = !reads_before && by_time !== true;
  return [
    ...(before?.answer === "red" && changes ? (["before"] as const) : []),
    // A check that may write could have been red once and have made itself green.
    ...(red_at !== null && decoy !== null && changes ? (["history"] as const) : []),
    ...(decoy?.answer === "red" ? (["decoy"] as const) : []),
    ...(control.answer === "red" ? (["control"] as const) : []),
  ];
}

function classOf(examination: Examination, seen_red: SeenRed): Pick<CheckProof, "class" | "reason"> {
  const { constant, chance, names_target, control, joined } = examination;
  if (constant !== null) return { class: "unproved", reason: constant };
  if (chance !== null) return { class: "cannot_tell", reason: `chance decides it: ${chance}` };
  if (control.wrote) return { class: "cannot_tell", reason: "it writes, so it may make its own answer" };
  if (seen_red.includes("before") || seen_red.includes("history")) return { class: "proved", reason: null };
  const [control_red, decoy_red] = [seen_red.includes("control"), seen_red.includes("decoy")];
  const on_empty = control_red && control.world === "empty";
  if (on_empty && decoy_red && names_target && !joined) return { class: "proved", reason: null };
  if (control_red || decoy_red) return { class: "sensitive", reason: weakness(examination) };
  if (control.answer !== "green")
    return { class: control.answer === "not_possible" ? "not_possible" : "cannot_tell", reason: control.reason };
  return { class: "unproved", reason: "it also passes on an empty machine" };
}

/** Why it is not proved, where it was red earlier and time alone may have turned it green. */
function because(
  { constant, chance, by_time, red_at }: Examination,
  before: Pick<BeforeLook, "answer"> | null,
  reason: string | null,
): string | null {
  const was_red = before?.answer === "red" || red_at !== null;
  if (by_time !== true || !was_red || constant !== null || chance !== null) return reason;
  return ["it was red, but time alone may have turned it green", ...(reason === null ? [] : [reason])].join("; ");
}

function weakness({ names_target, control, decoy, joined }: Examination): string {
  if (!names_target) return "it does not name the target, and it has not been seen to fail before the change";
  if (control.answer !== "red" || control.world === "bare")
    return control.reason ?? "it also passes on an empty machine";
  if (joined) return "one part of it fails on an empty machine, and another for a target that does not exist";
  if (decoy === null) return "it was not tried on a target that does not exist: policy does not know it to look only";
  return decoy.reason ?? "it also passes for a target that does not exist";
}

function changeOf({ reads_before }: Examination, before: Pick<BeforeLook, "answer"> | null): CheckProof["change"] {
  if (reads_before) return "compared";
  if (before?.answer === "red") return "became_true";
  return before?.answer === "green" ? "was_true_already" : "not_looked_at";
}
