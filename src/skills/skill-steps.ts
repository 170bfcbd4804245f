// The steps of a skill: each runs once, and gives what it gave then whenever its handler is started again (design: journal).
// What is known of a step that was cut off decides whether it runs again, is looked into, or is asked about.
import { z } from "zod";
import type { Json } from "../domain/json.ts";
import type { SkillStep } from "../domain/skill-step.ts";
import type { SkillContext } from "../ports.ts";
import type { Departure, Handling } from "./handling.ts";
import type { SkillApprovals } from "./skill-approvals.ts";
import { type End, type Run, skillStepRuns } from "./skill-step-run.ts";

const StepName = z
  .string("a step needs a name")
  .min(1, "a step needs a name")
  .max(500, "the name of a step has at most 500 characters");

/** A step fails by throwing, or by giving something that says so. */
function failed({ value, message }: Pick<SkillStep, "value" | "message">): Json {
  if (value !== null) return value;
  throw new Error(message ?? "the step failed");
}

type Permits = Pick<SkillApprovals, "permit" | "holds">;

export function skillSteps(handling: Handling, { permit, holds }: Permits) {
  const { thread, leave, hasLeft, isSealed, redact } = handling;
  const known = new Map(thread.journal.projection.skill.steps.map((step) => [step.name, step]));
  const named = new Set<string>();
  const asked = new Set<Promise<unknown>>();
  const { carryOut, current } = skillStepRuns(handling);
  let next = known.size;

  const claim = (given: string): string => {
    const name = redact(StepName.parse(given));
    if (current() !== undefined) throw new Error(`step ${JSON.stringify(name)} stands inside another step`);
    if (named.has(name)) throw new Error(`two steps of the skill have the name ${JSON.stringify(name)}`);
    named.add(name);
    return name;
  };

  const placeOf = (before: SkillStep | undefined) =>
    before === undefined
      ? { index: next++, attempt: 1 }
      : { index: before.index, attempt: before.attempt + (before.state === "again" ? 1 : 0) };

  /** The end of the step, or why the handler has to be left over it. */
  async function endOf(name: string, run: Run, cut_off?: "repeat" | Run): Promise<End | Departure> {
    const before = known.get(name);
    if (before?.state === "passed") return { ok: true, value: before.value, message: null };
    if (before?.state === "failed") return { ok: false, value: before.value, message: before.message };
    const repeatable = cut_off === "repeat";
    const isCutOff = before?.state === "cut_off" && !repeatable;
    const work = isCutOff && typeof cut_off === "function" ? cut_off : run;
    for (;;) {
      const permitted = repeatable ? null : permit();
      const refusal = await permitted;
      if (refusal !== null) return refusal;
      if (hasLeft() || isSealed() || thread.draining()) return { is: "suspended" };
      if (thread.cancel.aborted) return { is: "cancelled" };
      if (isCutOff && cut_off === undefined) return { is: "outcome_unknown", step_index: before.index };
      const mayStart = () => permitted === null || holds(permitted);
      const end = await carryOut({ name, repeatable }, { work, mayStart, place: () => placeOf(before) });
      if (end === "cut_off") return { is: thread.draining() ? "suspended" : "cancelled" };
      if (end !== "not_started") return end;
    }
  }

  async function step(given: string, run: Run, cut_off?: "repeat" | Run): Promise<Json> {
    const end = await kept(asked, endOf(claim(given), run, cut_off));
    if ("is" in end) return leave(end);
    return end.ok ? end.value : failed(end);
  }

  return {
    // The port types a step by what its work gives; here it is JSON all along.
    step: step as SkillContext["step"],
    current,
    /** Resolves once every step that was asked for has ended, and is on record with its end. */
    ended: async () => {
      while (asked.size > 0) await Promise.allSettled(asked);
    },
    running: () => asked.size,
  };
}

/** In the set for as long as it is not settled. */
function kept<T>(set: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  set.add(work);
  return work.finally(() => set.delete(work));
}
