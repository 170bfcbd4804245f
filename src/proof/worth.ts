// Decides what a check is worth. A check proves nothing until it has been seen to fail: on the real target before the change, with
// a decoy in the place of the target, or in a world where nothing of the target exists.

/** The answer of a check that was run away from the steps of its task. */
export type Look = {
  answer: "red" | "green" | "cannot_tell" | "not_possible";
  exit_code: number | null;
  /** Why there is no colour. */
  reason: string | null;
};

/** `bare`: a world of programs that only compute. `wrote`: it may have made its own answer. */
export type Control = Look & { world: "empty" | "bare"; wrote: boolean };

/** What the text of a check says by itself. */
export type TextFacts = {
  /** Why its exit code does not depend on the machine. */
  constant: string | null;
  /** What of chance decides it. */
  chance: string | null;
  /** Time alone may turn it from red to green. */
  by_time?: true;
  /** By its text, or by its working directory. */
  names_target: boolean;
  /** It compares with what it printed before the change, so it has no answer of its own before. */
  reads_before: boolean;
};

/** Everything that is known of a check on its target apart from the runs of its task. */
export type Examination = TextFacts & {
  control: Control;
  /** Null where the check is not known to look only. */
  decoy: Look | null;
  /** No part of it is red both in the empty world and with the decoy, though all parts together are. */
  joined: boolean;
  /** When an earlier run of the same check was red. */
  red_at: string | null;
};

export type CheckProof = {
  class: "proved" | "sensitive" | "unproved" | "cannot_tell" | "not_possible";
  /** Where the check has been seen to fail. */
  seen_red: ("before" | "history" | "decoy" | "control")[];
  change: "became_true" | "was_true_already" | "not_looked_at" | "compared";
  /** Why it is not proved. */
  reason: string | null;
};

type Before = { readonly answer: Look["answer"] } | null;

/** `before` is null where the check was not run before the change. */
export function proofOf(examination: Examination, before: Before): CheckProof {
  const seen_red = redLooks(examination, before);
  const worth = classOf(examination, seen_red);
  const reason = worth.class === "proved" ? null : because(examination, before, worth.reason);
  return { class: worth.class, reason, seen_red, change: changeOf(examination, before) };
}

type SeenRed = CheckProof["seen_red"];

/** A red answer counts only when the check did not make it itself and chance did not, and what came after is no work of time. */
function redLooks(
  { constant, chance, by_time, reads_before, control, decoy, red_at }: Examination,
  before: Before,
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
  before: Before,
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

function changeOf({ reads_before }: Examination, before: Before): CheckProof["change"] {
  if (reads_before) return "compared";
  if (before?.answer === "red") return "became_true";
  return before?.answer === "green" ? "was_true_already" : "not_looked_at";
}
