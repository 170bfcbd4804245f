// The part of an evidence bundle that is derived from the journal. The server derives it when it makes a bundle, and an
// offline check derives it again.
import { agentCallsOf, stepsOf } from "../agent/agent-calls.ts";
import type { AgentStep } from "../domain/agent-step.ts";
import { wasAccepted } from "../domain/job.ts";
import { eventsOf, type JournalEvent, lastOf } from "../domain/journal.ts";
import { commandText } from "../domain/step-words.ts";
import { attemptsOf, procedureOf, stepResultsOf } from "../tasks/progress.ts";
import { skillStepsOf } from "../tasks/skill-steps.ts";

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
  const taken = new Set(ends.filter(({ code }) => wasAccepted(code)).map(({ job_id }) => job_id));
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
