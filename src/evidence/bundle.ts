// What a task's evidence bundle holds. readings.ts derives the part that the journal alone determines.
import { z } from "zod";
import { AgentCall } from "../domain/agent-events.ts";
import { EvidenceAnchor, Restore } from "../domain/anchor.ts";
import { Approval } from "../domain/approval.ts";
import { TaskContract } from "../domain/contract.ts";
import { Finding } from "../domain/finding.ts";
import { EVENT_BODIES, EventRecord } from "../domain/journal.ts";
import { Outcome, TASK_STATUSES } from "../domain/outcome.ts";
import { Reconciliation } from "../domain/reconcile.ts";
import { SkillEnd, SkillStep } from "../domain/skill.ts";
import { Procedure } from "../domain/sop.ts";
import { StepResult } from "../domain/step.ts";
import { Verdict } from "../domain/verdict.ts";
import { Verification } from "../domain/verification.ts";

export const Evidence = z.strictObject({
  bundle_version: z
    .literal([1, 2])
    .describe("since 2, `next` is a list of actions and commands are shown as they were sent"),
  task_id: z.string(),
  status: z.enum(TASK_STATUSES),
  outcome: Outcome.nullable(),
  contract: TaskContract,
  contract_digest: z.string(),
  procedure: Procedure.nullable(),
  findings: z.array(Finding),
  approvals: z.array(Approval),
  gate_answers: z.array(EVENT_BODIES.gate_answered),
  step_results: z.array(StepResult).describe("the last word on every step that was started"),
  attempts: z.array(StepResult).describe("every attempt that ended"),
  reconciliations: z
    .array(Reconciliation)
    .optional()
    .describe("what reconcile commands said of steps of unknown outcome; left out where there are none"),
  skill_steps: z.array(SkillStep).describe("the last word on every step that a skill took"),
  skill_end: SkillEnd.nullable(),
  agent_turns: z.array(EVENT_BODIES.agent_replied).describe("what the agent model said, turn by turn"),
  agent_calls: z.array(AgentCall).describe("every call of an agent with policy's verdict and what became of it"),
  agent_end: z.union([EVENT_BODIES.agent_finished, EVENT_BODIES.agent_stopped]).nullable(),
  executed_commands: z.array(z.string()),
  key_outputs: z.array(z.string()).optional().describe("the last line of each step's output; since bundle_version 2"),
  verdict: Verdict.nullable(),
  verification: Verification.nullable(),
  journal: z.array(EventRecord),
  broken_link: z
    .int()
    .nullable()
    .describe("first journal entry that does not follow from the one before; null when intact"),
  anchors: z
    .array(EvidenceAnchor)
    .optional()
    .describe("how the journal leads to the roots of days, the newest first; left out where it is not anchored yet"),
  restores: z
    .array(Restore)
    .optional()
    .describe("when the database went on from a backup, as it says itself; left out where it never did"),
});
export type Evidence = z.infer<typeof Evidence>;
