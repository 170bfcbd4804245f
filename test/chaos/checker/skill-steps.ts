// The steps of a skill: one that has an end never starts again, and one that a stop cut off only where it may be repeated, or where the
// supervisor says so.
import { fault, NONE, StepAt, type Watch } from "./rules.ts";

type Record = { readonly claim: number; readonly state: "started" | "ended" | "again"; readonly repeatable: boolean };

export function watchSkillSteps(): Watch {
  const records = new Map<number, Record>();
  let claim = 0;
  return ({ kind, body }) => {
    if (kind === "taken_up") claim += 1;
    if (!kind.startsWith("skill_step_") && kind !== "step_resolved") return NONE;
    const { index, repeatable = false } = StepAt.parse(body);
    const before = records.get(index);
    if (kind === "step_resolved") {
      if (before !== undefined)
        records.set(index, { ...before, state: body["resolution"] === "retry" ? "again" : "ended" });
      return NONE;
    }
    if (kind === "skill_step_finished") {
      const isOwn = before?.state === "started" && before.claim === claim;
      records.set(index, { claim, repeatable, state: "ended" });
      return isOwn ? NONE : fault("stray end", `step ${index} of the skill ends, and was not started under this claim`);
    }
    records.set(index, { claim, repeatable, state: "started" });
    const isCutOff = before?.state === "started" && before.claim !== claim && before.repeatable;
    if (before === undefined || before.state === "again" || isCutOff) return NONE;
    return fault("twice", `step ${index} of the skill starts again after it has ${before.state}`);
  };
}
