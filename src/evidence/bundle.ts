// What a task's evidence holds, and which part of it is read from the journal: the server reads it there when it makes a
// bundle, and whoever checks one reads it there again.
import { z } from "zod";
import { AgentCall, agentCallsOf, stepsOf } from "../agent/agent-calls.ts";
import type { AgentStep } from "../domain/agent-step.ts";
import { Approval } from "../domain/approval.ts";
import { TaskContract } from "../domain/contract.ts";
import { Finding } from "../domain/finding.ts";
import { wasTaken } from "../domain/job.ts";
import { EVENT_BODIES, EventRecord, eventsOf, type JournalEvent, lastOf, Procedure } from "../domain/journal.ts";
import { Outcome, TASK_STATUSES } from "../domain/outcome.ts";
import { SkillEnd } from "../domain/skill.ts";
import { StepResult } from "../domain/step.ts";
import { commandText } from "../domain/step-words.ts";
import { Verification } from "../domain/task.ts";
import { Verdict } from "../domain/verdict.ts";
import { attemptsOf, procedureOf, stepResultsOf } from "../tasks/progress.ts";
import { SkillStep, skillStepsOf } from "../tasks/skill-steps.ts";

export const Evidence = z.strictObject({
  bundle_version: z.literal(1),
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
  skill_steps: z.array(SkillStep).describe("the last word on every step that a skill took"),
  skill_end: SkillEnd.nullable(),
  agent_turns: z.array(EVENT_BODIES.agent_replied).describe("what the agent model said, turn by turn"),
  agent_calls: z.array(AgentCall).describe("every call of an agent with policy's verdict and what became of it"),
  agent_end: z.union([EVENT_BODIES.agent_finished, EVENT_BODIES.agent_stopped]).nullable(),
  executed_commands: z.array(z.string()),
  verdict: Verdict.nullable(),
  verification: Verification.nullable(),
  journal: z.array(EventRecord),
  broken_link: z
    .int()
    .nullable()
    .describe("first journal entry that does not follow from the one before; null when intact"),
});
export type Evidence = z.infer<typeof Evidence>;

/** A wait runs nothing. */
const commandsIn = (step: AgentStep | undefined): readonly string[] =>
  step === undefined || step.kind === "wait" ? [] : [commandText(step)];

/** Everything in a bundle that the journal alone tells. */
export function readings(journal: readonly JournalEvent[]) {
  const procedure = procedureOf(journal) ?? null;
  const agent_calls = agentCallsOf(journal);
  const steps: readonly (AgentStep | undefined)[] = procedure?.steps ?? stepsOf(agent_calls);
  const started = eventsOf(journal, "step_started");
  const ends = eventsOf(journal, "job_ended");
  // An id that was refused once may have been taken later.
  const taken = new Set(ends.filter(({ code }) => wasTaken(code)).map(({ job_id }) => job_id));
  const refused = new Set(ends.map(({ job_id }) => job_id).filter((job_id) => !taken.has(job_id)));
  const skill_steps = skillStepsOf(journal);
  return {
    procedure,
    findings: lastOf(journal, "policy_judged")?.findings ?? [],
    gate_answers: eventsOf(journal, "gate_answered"),
    step_results: stepResultsOf(journal, steps),
    attempts: attemptsOf(journal),
    skill_steps,
    skill_end: lastOf(journal, "skill_ended") ?? null,
    agent_turns: eventsOf(journal, "agent_replied"),
    agent_calls,
    agent_end: lastOf(journal, "agent_finished") ?? lastOf(journal, "agent_stopped") ?? null,
    executed_commands: [
      ...started.flatMap(({ index, job }) =>
        job !== undefined && refused.has(job.job_id) ? [] : commandsIn(steps[index]),
      ),
      ...eventsOf(journal, "skill_step_finished").flatMap(({ calls }) => calls),
    ],
    verdict: lastOf(journal, "verdict_reached") ?? null,
  };
}
