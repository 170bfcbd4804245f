// Describes the evidence bundle of a task, and derives the part of it that the journal alone determines.
import { z } from "zod";
import { AgentCall, type AgentStep } from "../../domain/agent-events.ts";
import { EvidenceAnchor, Restore } from "../../domain/anchor.ts";
import { Approval } from "../../domain/approval.ts";
import { TaskContract } from "../../domain/contract.ts";
import { Finding } from "../../domain/finding.ts";
import { EVENT_BODIES, EventRecord } from "../../domain/journal.ts";
import { Outcome, TASK_STATUSES } from "../../domain/outcome.ts";
import { Reconciliation } from "../../domain/reconcile.ts";
import { wasAccepted } from "../../domain/run-request.ts";
import { SkillEnd, SkillStep } from "../../domain/skill.ts";
import { Procedure } from "../../domain/sop.ts";
import { type Step, StepResult } from "../../domain/step.ts";
import { commandText, isPause, lastWords, sentStep } from "../../domain/step-run.ts";
import { Verdict, Verification } from "../../domain/verification.ts";
import type { Projection } from "../tasks/projection.ts";
import { stepResultsOf } from "../tasks/steps-fold.ts";

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

// The part of an evidence bundle that is derived from the journal. The server derives it when it makes a bundle, and an
// offline check derives it again.

type BundleVersion = Evidence["bundle_version"];
type JournalSteps = readonly (AgentStep | undefined)[];

export function readings(state: Projection, version: BundleVersion = 2) {
  const { procedure, findings, gate, steps, skill, agent, verdict } = state;
  const planned: JournalSteps = stepsOf(state, version) ?? agent.calls.map(({ step }) => step ?? undefined);
  const step_results = stepResultsOf(steps, planned);
  return {
    procedure,
    findings: [...findings],
    gate_answers: [...gate.answers],
    step_results,
    attempts: [...steps.attempts],
    reconciliations: steps.reconciliations.length === 0 ? undefined : [...steps.reconciliations],
    skill_steps: [...skill.steps],
    skill_end: skill.end,
    agent_turns: [...agent.turns],
    agent_calls: [...agent.calls],
    agent_end: agent.finished ?? agent.stopped,
    executed_commands: [...commandsStarted(state, planned), ...skill.calls],
    key_outputs: version === 1 ? undefined : step_results.map(lastWords).filter((line) => line !== ""),
    verdict,
  };
}

/** The steps of the procedure as they were sent; version 1 named their parameters. Null without a procedure. */
function stepsOf({ procedure, accepted }: Projection, version: BundleVersion): Step[] | null {
  if (procedure === null) return null;
  if (accepted === null || version === 1) return procedure.steps;
  return procedure.steps.map((step) => sentStep(step, accepted.contract));
}

/** An id that the engine refused once may have been accepted later. */
function commandsStarted({ steps, jobs }: Projection, planned: JournalSteps): string[] {
  const accepted = new Set(jobs.ends.filter(({ code }) => wasAccepted(code)).map(({ job_id }) => job_id));
  const refused = new Set(jobs.ends.map(({ job_id }) => job_id).filter((job_id) => !accepted.has(job_id)));
  const ran = steps.starts.filter(({ job }) => job === undefined || !refused.has(job.job_id));
  return ran.flatMap(({ index }) => commandIn(planned[index]) ?? []);
}

/** A wait runs nothing. */
const commandIn = (step: AgentStep | undefined): string | null =>
  step === undefined || isPause(step) ? null : commandText(step);

// Finds the first difference between two JSON values, so that a message can name the field.

/** The path of the first difference, for example `steps.0.value`. Empty if the values differ as a whole, null if equal. */
export function firstDifference(one: unknown, other: unknown): string | null {
  return pathOf(one, other)?.join(".") ?? null;
}

function pathOf(one: unknown, other: unknown): string[] | null {
  if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) {
    return one === other ? null : [];
  }
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const path = pathOf(left.get(key), right.get(key));
    if (path !== null) return [key, ...path];
  }
  return null;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
