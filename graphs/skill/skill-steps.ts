// The steps of a skill: each runs once, and gives what it gave then whenever its handler is started again (design: journal).
// What is known of a step that was cut off decides whether it runs again, is looked into, or is asked about.
import type { Json } from "../../src/domain/json.ts";
import { type SkillStep, skillStepsOf } from "../../src/domain/skill-steps.ts";
import type { SkillContext } from "../../src/ports.ts";
import type { Handling } from "./handling.ts";
import type { SkillApprovals } from "./skill-approvals.ts";
import { type Run, skillStepRuns } from "./skill-step-run.ts";

/** A step fails by throwing, or by giving something that says so. */
function failed({ value, message }: Pick<SkillStep, "value" | "message">): Json {
  if (value !== null) return value;
  throw new Error(message ?? "the step failed");
}

export function skillSteps(handling: Handling, { permit }: Pick<SkillApprovals, "permit">) {
  const { thread, leave, hasLeft } = handling;
  const known = new Map(skillStepsOf(thread.journal.events).map((step) => [step.name, step]));
  const named = new Set<string>();
  const { carryOut, current, recorded, ended } = skillStepRuns(handling);
  let next = known.size;

  const claim = (name: string): void => {
    if (current() !== undefined) throw new Error(`step ${JSON.stringify(name)} stands inside another step`);
    if (named.has(name)) throw new Error(`two steps of the skill have the name ${JSON.stringify(name)}`);
    named.add(name);
  };

  const outside =
    <In, Out>(what: (given: In) => Promise<Out>) =>
    async (given: In): Promise<Out> => {
      if (current() !== undefined) throw new Error("an approval stands inside a step; ask before the step");
      return what(given);
    };

  const placeOf = (before: SkillStep | undefined) =>
    before === undefined
      ? { index: next++, attempt: 1 }
      : { index: before.index, attempt: before.attempt + (before.state === "again" ? 1 : 0) };

  async function step(name: string, run: Run, cut_off?: "repeat" | Run): Promise<Json> {
    claim(name);
    const before = known.get(name);
    if (before?.state === "passed") return before.value;
    if (before?.state === "failed") return failed(before);
    const repeatable = cut_off === "repeat";
    if (!repeatable) await permit();
    if (hasLeft() || thread.draining()) return leave({ is: "suspended" });
    if (thread.cancel.aborted) return leave({ is: "cancelled" });
    const isCutOff = before?.state === "cut_off" && !repeatable;
    if (isCutOff && cut_off === undefined) return leave({ is: "outcome_unknown", step_index: before.index });
    const work = isCutOff && typeof cut_off === "function" ? cut_off : run;
    const end = await carryOut({ name, repeatable, ...placeOf(before) }, work);
    if (end === null) return leave({ is: thread.draining() ? "suspended" : "cancelled" });
    return end.ok ? end.value : failed(end);
  }

  // The port types a step by what its work gives; here it is JSON all along.
  return { step: step as SkillContext["step"], current, recorded, ended, outside };
}
