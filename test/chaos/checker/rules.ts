// What the checker of journals finds: a rule that an entry breaks. The rules are those of the specification and the decisions, and are
// written here a second time, without a line of orch.
import { z } from "zod";
import type { Entry } from "./history.ts";

/**
 * `chain`: an entry does not follow from the one before. `claim`: work without a claim, or a claim that nothing allows. `answer`: an
 * answer that nothing waits for. `end`: an end twice, or what may not follow one. `cancel`: a start after a request to cancel. `twice`: a
 * start without a licence to repeat. `order`: a start before the steps before it have passed, or beside another. `stray end`: the end of a
 * step that the holder of the claim has not started. `licence`: a licence that nothing justifies. `hold`: two tasks with one target.
 * `epoch`: a claim of a server that others have taken over from. `living owner`: a claim of what a living server works on. `outside`: what steps have written themselves says something else.
 */
export type Rule =
  | ("chain" | "claim" | "answer" | "end" | "cancel" | "twice" | "order" | "stray end" | "licence")
  | ("hold" | "epoch" | "living owner" | "outside");

export type Fault = { readonly rule: Rule; readonly text: string };
export type Breach = Fault & { readonly thread_id: string; readonly seq: number };

/** Is given the entries of one thread in their order, and says what is wrong with each. */
export type Watch = (entry: Entry) => readonly Fault[];

export const fault = (rule: Rule, text: string): readonly Fault[] => [{ rule, text }];
export const NONE: readonly Fault[] = [];

export const ENDED: readonly unknown[] = ["ok", "failed", "blocked", "cancelled"];

/** Of the bodies, what the rules are about. A body without a field that has to be there is a mistake of the checker's input. */
export const StepAt = z.looseObject({
  index: z.int(),
  attempt: z.int(),
  repeatable: z.boolean().optional(),
  job: z.looseObject({ job_id: z.string() }).optional(),
});
export const Claim = z.looseObject({
  owner: z.string(),
  recovery: z.boolean(),
  cleared: z.boolean().optional(),
  crashed: z.boolean().optional(),
});
export const Report = z.looseObject({ status: z.string(), reason_code: z.string() });
