// The steps of a skill: each runs once, and returns its recorded value whenever its handler restarts. A step without a
// recorded end runs again, is looked into by the handler, or is asked about.
import { z } from "zod";
import type { Json } from "../domain/json.ts";
import type { SkillStep } from "../domain/skill.ts";
import type { SkillContext } from "../ports.ts";
import type { Handling, Suspension } from "./handling.ts";
import type { SkillApprovals } from "./skill-approvals.ts";
import { type End, type StepWork, skillStepRuns } from "./skill-step-run.ts";

const StepName = z
  .string("a step needs a name")
  .min(1, "a step needs a name")
  .max(500, "the name of a step has at most 500 characters");

/** A step fails when it throws, or when its value says so. */
function failed({ value, message }: Pick<SkillStep, "value" | "message">): Json {
  if (value !== null) return value;
  throw new Error(message ?? "the step failed");
}

const LOST: End = { ok: false, value: null, message: "the handler ended within the step" };

type Permits = Pick<SkillApprovals, "permit" | "holds">;

export function skillSteps(handling: Handling, { permit, holds }: Permits) {
  const { thread, suspend, isSuspended, isSealed, redact } = handling;
  const known = new Map(thread.journal.projection.skill.steps.map((step) => [step.name, step]));
  const named = new Set<string>();
  const asked = new Set<Promise<unknown>>();
  const { carryOut, current } = skillStepRuns(handling);
  let next = known.size;

  const claim = (given: string): string => {
    const name = redact(StepName.parse(given));
    if (current() !== undefined) throw new Error(`step ${JSON.stringify(name)} is inside another step`);
    if (named.has(name)) throw new Error(`two steps of the skill have the name ${JSON.stringify(name)}`);
    named.add(name);
    return name;
  };

  const placeOf = (before: SkillStep | undefined) =>
    before === undefined
      ? { index: next++, attempt: 1 }
      : { index: before.index, attempt: before.attempt + (before.state === "again" ? 1 : 0) };

  /** The end of the step, or why it suspends the handler. */
  async function endOf(name: string, run: StepWork, cut_off?: "repeat" | StepWork): Promise<End | Suspension> {
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
      if (isSuspended() || isSealed() || thread.draining()) return { is: "suspended" };
      if (thread.cancel.aborted) return { is: "cancelled" };
      if (isCutOff && cut_off === undefined) return { is: "outcome_unknown", step_index: before.index };
      const mayStart = () => permitted === null || holds(permitted);
      const end = await carryOut({ name, repeatable }, { work, mayStart, place: () => placeOf(before) });
      if (end === "cut_off") return { is: thread.draining() ? "suspended" : "cancelled" };
      if (end === "not_started") continue;
      if (!("lost" in end)) return end;
      // What only reads leaves nothing open: the handler has failed, and with it the task.
      return repeatable ? LOST : { is: "outcome_unknown", step_index: end.lost };
    }
  }

  async function step(given: string, run: StepWork, cut_off?: "repeat" | StepWork): Promise<Json> {
    const end = await kept(asked, endOf(claim(given), run, cut_off));
    if ("is" in end) return suspend(end);
    return end.ok ? end.value : failed(end);
  }

  return {
    // The port types a step by the value of its work; here that is any JSON.
    step: step as SkillContext["step"],
    current,
    /** Resolves once every requested step has ended and its end is recorded. */
    ended: async () => {
      while (asked.size > 0) await Promise.allSettled(asked);
    },
    running: () => asked.size,
  };
}

/** Keeps the promise in the set until it settles. */
function kept<T>(set: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  set.add(work);
  return work.finally(() => set.delete(work));
}
