// The part of an evidence bundle that is derived from the journal. The server derives it when it makes a bundle, and an
// offline check derives it again.
import type { AgentStep } from "../domain/agent-events.ts";
import { wasAccepted } from "../domain/job.ts";
import { isPause } from "../domain/polling.ts";
import type { Step } from "../domain/step.ts";
import { commandText, lastWords, sentStep } from "../domain/step-run.ts";
import type { Projection } from "../tasks/projection.ts";
import { stepResultsOf } from "../tasks/steps-fold.ts";
import type { Evidence } from "./bundle.ts";

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
