// The judgement of policy on one step. A step without a finding may run. The strictest finding wins [1.A.5.policy].
import { z } from "zod";
import { CONSEQUENCES, GUARD_CODES } from "../guard/codes.ts";

/** The codes are stable: first those of the command guard, then those of the contract and the SOP. */
const FINDING_CODES = [
  ...GUARD_CODES,
  "agent.own_keys",
  "agent.runs_later",
  "scope.server",
  "scope.program",
  "parameter.unknown",
  "parameter.too_large",
  "engine.reference",
  "read_only.changes_state",
  "read_only.unknown_effect",
  "reconcile.changes_state",
  "reconcile.unknown_effect",
  "tool.changes_state",
  "tool.unknown_effect",
  "tool.list_unread",
  "safety.approval_required",
  "safety.on_trial",
  "safety.not_as_promoted",
  "category.matched",
  "category.undecided",
] as const;

const Names = z.array(z.string());

export const Blast = z.strictObject({
  paths: Names,
  containers: Names,
  hosts: Names,
  more: z.int().describe("how many are left out"),
});
export type Blast = z.infer<typeof Blast>;

const RuleFinding = z.strictObject({
  verdict: z.enum(["block", "ask"]),
  code: z.enum(FINDING_CODES),
  reason: z.string().describe("what policy detected, and what the supervisor can do instead"),
  command: z.string().nullable().describe("the resolved command that the finding is about"),
});
/** What a rule says of a step, which it does not place in the plan. */
export type RuleFinding = z.infer<typeof RuleFinding>;

export const Finding = z.strictObject({
  step_index: z.int().min(0),
  ...RuleFinding.shape,
  category: z.string().nullable(),
  change: z.enum(["looks", "changes", "cannot_tell"]).optional(),
  consequences: z.array(z.enum(CONSEQUENCES)).optional(),
  blast: Blast.optional().describe("what the whole step reaches; absent for a step that is no command"),
});
export type Finding = z.infer<typeof Finding>;
