// What is known of a task, as a model reads it: how it ended, what failed with the end of its output, what the checks say, and how to
// get the rest. The prompt read_failed_task shows the same.
import { z } from "zod";
import { Approval } from "../../../domain/approval.ts";
import { OrchError } from "../../../domain/errors.ts";
import { quotedLine } from "../../../domain/output-lines.ts";
import { counted } from "../../../domain/printable.ts";
import type { SkillStep } from "../../../domain/skill.ts";
import { StepResult } from "../../../domain/step.ts";
import { Evidence } from "../../../engine/evidence/bundle.ts";
import { type Asked, Cut, picked, viewOf, withCutMark } from "./view.ts";

const MAX_STEPS = 40;
const MAX_ITEMS = 20;
const MAX_LINE = 120;
const MAX_COMMAND = 1_000;

/** Of each output of a step that failed, and of a step that is asked for. */
const TAIL_BYTES = 2_000;
const TAIL_BYTES_OF_STEP = 6_000;
const MAX_TAIL_BYTES = 131_072;

const StepFields = StepResult.pick({ index: true, kind: true, status: true, exit_code: true, duration_ms: true });
const StepRow = StepFields.extend({
  last_line: z.string().describe("of its output"),
  left_processes: StepResult.shape.left_processes,
});

const TriedStep = StepResult.extend({ step: z.unknown().optional().describe("what ran") });

const { contract, outcome, verdict, findings, gate_answers, agent_end, skill_end, verification } = Evidence.shape;

const ApprovalRow = Approval.pick({ approval_id: true, kind: true, reason: true, status: true, decision: true });
const ContractFields = contract.pick({ intent: true, target: true, success_criteria: true, constraints: true });

export const EvidenceDigest = z.strictObject({
  task_id: z.string(),
  status: Evidence.shape.status,
  outcome,
  verdict,
  findings,
  gate_answers,
  contract: ContractFields,
  sop: z.strictObject({ sop_id: z.string().nullable(), version: z.int().nullable(), steps: z.int() }).nullable(),
  failed_steps: z.array(TriedStep).describe("what did not pass, with the end of what it wrote"),
  steps: z.array(StepRow),
  skill_steps: z.array(z.strictObject({ index: z.int(), name: z.string(), state: z.string() })).optional(),
  skill_end: skill_end.optional(),
  agent_calls: z
    .array(
      z.strictObject({
        index: z.int(),
        name: z.string(),
        state: z.string(),
        reason: z.string().nullable(),
        arguments: z.string(),
      }),
    )
    .optional()
    .describe("calls that were not made"),
  agent_end: agent_end.optional(),
  approvals: z.array(ApprovalRow),
  verification,
  broken_link: Evidence.shape.broken_link,
  cut: Cut,
});
export type EvidenceDigest = z.infer<typeof EvidenceDigest>;

export function digestOfEvidence(evidence: Evidence, tail_bytes = TAIL_BYTES): EvidenceDigest {
  const { task_id, status, procedure, step_results, approvals } = evidence;
  const failed = step_results.filter((result) => result.status !== "passed");
  return {
    task_id,
    status,
    outcome: evidence.outcome,
    verdict: evidence.verdict,
    contract: picked(ContractFields, evidence.contract),
    sop: procedure && { sop_id: procedure.sop_id, version: procedure.sop_version, steps: procedure.steps.length },
    failed_steps: failed.slice(0, MAX_ITEMS).map((result) => tried(evidence, result, tail_bytes)),
    findings: evidence.findings.slice(0, MAX_ITEMS),
    steps: step_results.slice(0, MAX_STEPS).map(rowOf),
    gate_answers: evidence.gate_answers.slice(-MAX_ITEMS),
    ...(evidence.skill_steps.length > 0 && factsOfSkill(evidence)),
    ...(evidence.agent_turns.length > 0 && factsOfAgent(evidence)),
    approvals: approvals.slice(-MAX_ITEMS).map((approval) => picked(ApprovalRow, approval)),
    verification: evidence.verification,
    broken_link: evidence.broken_link,
    cut: cutsOf(evidence, failed, tail_bytes),
  };
}

const rowOf = (result: StepResult): EvidenceDigest["steps"][number] => ({
  ...(result.left_processes !== undefined && { left_processes: result.left_processes }),
  ...picked(StepFields, result),
  last_line: withCutMark(quotedLine(result), MAX_LINE),
});

function tried(evidence: Evidence, result: StepResult, tail_bytes: number): z.infer<typeof TriedStep> {
  const step = stepOf(evidence, result.index);
  const { stdout, stderr } = result;
  return {
    ...(step !== undefined && { step }),
    ...result,
    stdout: tail(stdout, tail_bytes),
    stderr: tail(stderr, tail_bytes),
  };
}

function stepOf({ procedure, agent_calls }: Evidence, index: number): unknown {
  const step = procedure?.steps[index] ?? agent_calls[index]?.step ?? undefined;
  if (step === undefined || step.kind === "mcp_call" || step.kind === "skill_tool") return step;
  return { ...step, value: withCutMark(step.value, MAX_COMMAND) };
}

/** An error is usually at the end. */
function tail(output: string, most: number): string {
  const bytes = Buffer.from(output);
  if (bytes.length <= most) return output;
  let from = bytes.length - most;
  // A character begins at the first byte that continues none.
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return `[the beginning is left out] ${bytes.subarray(from).toString()}`;
}

const factsOfSkill = ({ skill_steps, skill_end: end }: Evidence): Partial<EvidenceDigest> => ({
  skill_steps: skill_steps.slice(-MAX_STEPS).map(({ index, name, state }) => ({ index, name, state })),
  skill_end: end,
});

/** The calls that were not made, and why. */
const factsOfAgent = ({ agent_calls, agent_end: end }: Evidence): Partial<EvidenceDigest> => ({
  agent_calls: agent_calls
    .filter(({ state }) => UNMADE.has(state))
    .slice(-MAX_ITEMS)
    .map(({ index, name, state, reason, arguments: given }) => ({
      index,
      name,
      state,
      reason,
      arguments: tail(JSON.stringify(given), TAIL_BYTES),
    })),
  agent_end: end,
});

const UNMADE: ReadonlySet<Evidence["agent_calls"][number]["state"]> = new Set(["refused", "faulty", "rejected"]);

function cutsOf(
  { step_results, skill_steps, journal }: Evidence,
  failed: readonly StepResult[],
  tail_bytes: number,
): string[] {
  const long = failed.filter((result) => keptBytes(result) > tail_bytes);
  const passed = step_results.length - failed.length;
  const last = journal.at(-1)?.seq ?? 0;
  const rows = Math.max(step_results.length, skill_steps.length) - MAX_STEPS;
  return [
    ...long
      .slice(0, MAX_ITEMS)
      .map(
        ({ index, stdout_bytes, stderr_bytes }) =>
          `step ${index} wrote ${stdout_bytes} bytes to stdout and ${stderr_bytes} to stderr: get_evidence with step ${index} and tail_bytes, at most ${MAX_TAIL_BYTES}`,
      ),
    ...(passed > 0 ? [`what ${counted(passed, "passed step")} wrote: get_evidence with step`] : []),
    ...(rows > 0 ? [`${rows} more steps: get_task`] : []),
    `${last} events of the journal: read_journal`,
    'the whole bundle, which can be verified offline: get_evidence with view "full"',
  ];
}

const keptBytes = ({ stdout, stderr }: StepResult): number =>
  Math.max(Buffer.byteLength(stdout), Buffer.byteLength(stderr));

const OneStep = z.strictObject({
  task_id: z.string(),
  status: Evidence.shape.status,
  attempts: z.array(TriedStep).optional().describe("every attempt of the step, with the end of what it wrote"),
  skill_step: z.unknown().optional(),
});

function oneStep(evidence: Evidence, index: number, tail_bytes = TAIL_BYTES_OF_STEP): z.infer<typeof OneStep> {
  const { task_id, status, attempts, step_results, skill_steps } = evidence;
  const of = <T extends StepResult | SkillStep>(steps: readonly T[]) => steps.filter((step) => step.index === index);
  const [ended, unended, [skill_step]] = [of(attempts), of(step_results), of(skill_steps)];
  const results = ended.length > 0 ? ended : unended;
  if (results.length === 0 && skill_step === undefined) {
    const issues = [{ path: "step", message: "is no step that was started" }];
    throw new OrchError("input_invalid", `Task ${task_id} has not started a step ${index}.`, { issues });
  }
  return {
    task_id,
    status,
    ...(results.length > 0 && { attempts: results.map((result) => tried(evidence, result, tail_bytes)) }),
    ...(skill_step !== undefined && { skill_step }),
  };
}

export const evidenceView = viewOf(Evidence, {
  fields: {
    step: z.int().min(0).optional().describe("Only this step (from 0), with all its attempts."),
    tail_bytes: z.int().min(0).max(MAX_TAIL_BYTES).optional().describe("How much of the end of each output."),
  },
  output: z.looseObject({ task_id: z.string(), status: Evidence.shape.status }),
  show: (evidence, { step, tail_bytes }: Asked) =>
    step === undefined
      ? EvidenceDigest.parse(digestOfEvidence(evidence, tail_bytes))
      : OneStep.parse(oneStep(evidence, step, tail_bytes)),
});
