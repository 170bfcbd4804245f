// What a human has to know first about a version that asks for its promotion (D-200), each as a sentence.
import type { SopProof } from "../domain/sop-proof.ts";

export function proofWarnings({ level, proved_on, checks, runs, steps }: Omit<SopProof, "warnings">): string[] {
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

const neverRun = (proved_on: string | null): string =>
  proved_on === null
    ? "No run of it has passed yet."
    : `No run of it has passed on this target; it is a copy of a procedure that was proved on "${proved_on}".`;
