// What a human has to know first about a version that asks for its promotion (D-200), each as a sentence.
import type { Sop } from "../domain/sop.ts";
import type { SopProof } from "../domain/sop-proof.ts";

type Known = Pick<SopProof, "level" | "proved_on" | "checks" | "runs" | "steps">;

export function proofWarnings({ level, proved_on, checks, runs, steps }: Known): string[] {
  const passed = runs.filter((run) => run.passed);
  const unseen = level === "proved" || passed.length > 0 ? [] : [neverRun(proved_on)];
  const weak = checks.flatMap(({ step_index, class: worth, reason }) =>
    worth === "proved" || worth === null
      ? []
      : [`Check step ${step_index} is ${worth}: ${reason ?? "it is not proved"}.`],
  );
  const unknown = steps
    .filter(({ change }) => change === "cannot_tell")
    .map(({ step_index }) => `Policy cannot tell whether step ${step_index} changes something.`);
  const failing = runs.filter((run) => !run.passed).map(({ task_id }) => `Its run in task ${task_id} failed.`);
  const wrong = runs
    .filter(({ verified }) => verified === false)
    .map(({ task_id }) => `Task ${task_id} was found wrong outside of orch.`);
  const isTrue = checks.length > 0 && checks.every(({ now }) => now === "green");
  const already = isTrue && runs.length === 0 ? ["All its checks are true on the target before it has run there."] : [];
  return [...unseen, ...wrong, ...failing, ...weak, ...unknown, ...already];
}

const UNSHOWN = "cannot be seen to fail, so the first run cannot prove this version.";

/** As the promotion has said it; null where it did not. */
export const firstRunWarningIn = (warnings: readonly string[]): string | null =>
  warnings.find((warning) => warning.includes(UNSHOWN)) ?? null;

/** A check that cannot be run before the change is not seen to fail there, and a version that is proved does not give way to it. */
export function firstRunWarnings(
  checks: SopProof["checks"],
  { level, version }: Pick<Sop, "level" | "version">,
): string[] {
  const unshown = checks.filter(
    (check) => check.now === null && check.class !== "proved" && check.class !== "not_possible",
  );
  if (level !== "proved" || unshown.length === 0) return [];
  const which = unshown.map(({ step_index }) => step_index).join(", ");
  return [
    `Check step ${which} ${UNSHOWN} Version ${version} is proved: after that run you are asked whether to keep this one.`,
  ];
}

const neverRun = (proved_on: string | null): string =>
  proved_on === null
    ? "No run of it has passed yet."
    : `No run of it has passed on this target; it is a copy of a procedure that was proved on "${proved_on}".`;
