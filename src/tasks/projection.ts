// Folds the state of a task from the events of its journal. The owner of a thread updates it with every event that it
// writes; every other reader folds the events that it reads. The parts with rules of their own are in projection/.
import type { Decided } from "../domain/approval.ts";
import type { Finding } from "../domain/finding.ts";
import type { EventBody, EventKind, JournalEvent } from "../domain/journal.ts";
import type { Json } from "../domain/json.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Procedure } from "../domain/procedure.ts";
import { type BeforeLook, type CheckProof, type Examination, proofOf } from "../domain/proof.ts";
import type { BoundTool, Script } from "../domain/script.ts";
import type { SetBack } from "../domain/set-back.ts";
import type { SkillEnd, SkillProgress, SkillStep } from "../domain/skill.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import type { Verdict } from "../domain/verdict.ts";
import { type AgentState, evolveAgent, noAgent } from "./projection/agent.ts";
import {
  evolveJobs,
  evolveSteps,
  type JobsState,
  noJobs,
  noSteps,
  type ReadOnly,
  resolvedBySupervisor,
  type StepsState,
} from "./projection/steps.ts";

type Parts = {
  gate: GateState;
  approvals: ApprovalsState;
  steps: StepsState;
  jobs: JobsState;
  skill: SkillState;
  agent: AgentState;
  proof: ProofState;
};

type TaskState = {
  accepted: EventBody<"task_accepted"> | null;
  /** True when the journal contains an event other than a claim. */
  has_begun: boolean;
  /** The steps that the supervisor taught to this task, else those of the pinned SOP. */
  procedure: Procedure | null;
  is_taught: boolean;
  findings: Finding[];
  scripts: readonly Script[];
  tools: readonly BoundTool[];
  sop_changes: EventBody<"sop_changed">[];
  sop_proof: SopProof | null;
  set_back: SetBack | null;
  /** The last message that the version of a promotion fails and stays in use. */
  failing: EventBody<"sop_failing"> | null;
  verdict: Verdict | null;
  /** The last word of the supervisor on a step whose outcome was not known. */
  resolved: EventBody<"step_resolved"> | null;
  unparked: EventBody<"unparked"> | null;
  /** How often a server crashed in it since its last progress, and since the supervisor let it go on. */
  crashes: number;
  all_crashes: number;
  /** The first request. */
  cancel_requested: EventBody<"cancel_requested"> | null;
  verification: EventBody<"verification_recorded"> | null;
  /** Why the procedure that should have verified it gave no verdict. */
  verification_missed: EventBody<"verification_missed"> | null;
  /** Whether the supervisor knows that it waits for a server, and that there was none. */
  is_without_server: boolean;
  /** The last pause or end. */
  reported: Outcome | null;
};

/** `evolve` changes the state in place, so that the cost of an event does not grow with the length of the journal. */
export type ProjectionState = TaskState & Parts;

export type Projection = ReadOnly<TaskState> & { readonly [P in keyof Parts]: ReadOnly<Parts[P]> };

export const initial = (): ProjectionState => ({
  accepted: null,
  has_begun: false,
  procedure: null,
  is_taught: false,
  findings: [],
  scripts: [],
  tools: [],
  sop_changes: [],
  sop_proof: null,
  set_back: null,
  failing: null,
  verdict: null,
  resolved: null,
  unparked: null,
  crashes: 0,
  all_crashes: 0,
  cancel_requested: null,
  verification: null,
  verification_missed: null,
  is_without_server: false,
  reported: null,
  gate: noAnswers(),
  approvals: noApprovals(),
  steps: noSteps(),
  jobs: noJobs(),
  skill: noSkill(),
  agent: noAgent(),
  proof: noProof(),
});

export function evolve(state: ProjectionState, event: JournalEvent): ProjectionState {
  state.has_begun ||= event.kind !== "taken_up";
  state.is_without_server ||= event.kind === "no_server";
  state.crashes = isProgress(event) ? 0 : state.crashes + crashesIn(event);
  state.all_crashes = isLetGoOn(event) ? 0 : state.all_crashes + crashesIn(event);
  evolveTask(state, event);
  evolveGate(state.gate, event);
  evolveApprovals(state.approvals, event);
  evolveSteps(state.steps, event);
  evolveJobs(state.jobs, event);
  evolveSkill(state.skill, event);
  evolveAgent(state.agent, event);
  evolveProof(state.proof, event);
  return state;
}

export const projection = (events: readonly JournalEvent[]): Projection => events.reduce(evolve, initial());

function evolveTask(task: TaskState, event: JournalEvent): void {
  switch (event.kind) {
    case "task_accepted":
      task.accepted = event.body;
      break;
    case "sop_pinned":
      if (!task.is_taught) task.procedure = event.body;
      break;
    case "taught":
      task.procedure = event.body;
      task.is_taught = true;
      break;
    case "policy_judged":
      task.findings = event.body.findings;
      task.scripts = event.body.scripts ?? [];
      task.tools = event.body.tools ?? [];
      break;
    case "sop_changed":
      task.sop_changes.push(event.body);
      break;
    case "sop_examined":
      task.sop_proof = event.body;
      break;
    case "sop_set_back":
      task.set_back = event.body.set_back;
      break;
    case "sop_failing":
      task.failing = event.body;
      break;
    case "step_resolved":
      task.resolved = event.body;
      break;
    case "unparked":
      task.unparked = event.body;
      break;
    case "verdict_reached":
      task.verdict = event.body;
      break;
    case "cancel_requested":
      task.cancel_requested ??= event.body;
      break;
    case "verification_recorded":
      task.verification = event.body;
      break;
    case "verification_missed":
      task.verification_missed = event.body;
      break;
    case "reported":
      task.reported = event.body;
      break;
  }
}

/** A server that takes the task up again starts after it. What every start repeats is not among them. */
const PROGRESS: ReadonlySet<EventKind> = new Set([
  "taught",
  "gate_answered",
  "approval_decided",
  "checks_looked_at",
  "checks_examined",
  "step_finished",
  "job_progressed",
  "job_ended",
  "step_resolved",
  "step_reconciled",
  "unparked",
  "skill_step_finished",
  "skill_ended",
  "agent_replied",
  "agent_call_judged",
  "agent_finished",
  "agent_stopped",
  "retry_granted",
  "verdict_reached",
  "reported",
]);

export const isProgress = ({ kind }: Pick<JournalEvent, "kind">): boolean => PROGRESS.has(kind);

/** The supervisor has looked at the task and lets it go on, so the count of crashes begins anew. */
const isLetGoOn = ({ kind }: Pick<JournalEvent, "kind">): boolean => kind === "unparked" || kind === "step_resolved";

/** How often a server crashed while it worked on the task is counted since the task last made progress (D-258). */
const crashesIn = (event: JournalEvent): number => (event.kind === "taken_up" && event.body.crashed === true ? 1 : 0);

export type SkillState = {
  /** By index, which is the order of their first starts. */
  steps: SkillStep[];
  /** Whether a step started that may have changed something. */
  has_acted: boolean;
  /** The tool calls of the steps that ended, in order. */
  calls: string[];
  progress: SkillProgress | null;
  end: SkillEnd | null;
};

const noSkill = (): SkillState => ({ steps: [], has_acted: false, calls: [], progress: null, end: null });

function evolveSkill(skill: SkillState, event: JournalEvent): void {
  switch (event.kind) {
    case "skill_step_started":
      skill.steps[event.body.index] = started(event.body, event.at);
      skill.has_acted ||= event.body.repeatable !== true;
      break;
    case "skill_step_finished":
      skill.calls.push(...event.body.calls);
      change(skill.steps, event.body.index, finished(event.body));
      break;
    case "step_resolved":
      change(skill.steps, event.body.index, resolved(event.body));
      break;
    case "skill_progressed":
      skill.progress = event.body;
      break;
    case "skill_ended":
      skill.end = event.body;
      break;
  }
}

const RUNNING = { state: "cut_off", value: null, message: null, duration_ms: null } as const;

function started({ index, name, attempt, repeatable }: EventBody<"skill_step_started">, started_at: string): SkillStep {
  return { index, name, attempt, repeatable: repeatable === true, started_at, ...RUNNING, calls: [] };
}

function change(steps: SkillStep[], index: number, changed: Partial<SkillStep>): void {
  const step = steps[index];
  if (step !== undefined) steps[index] = { ...step, ...changed };
}

function finished({ ok, value, message, calls, duration_ms }: EventBody<"skill_step_finished">): Partial<SkillStep> {
  return { state: ok ? "passed" : "failed", value, message, calls, duration_ms };
}

const STATE_OF = { succeeded: "passed", failed: "failed", retry: "again" } as const;

function resolved({ resolution, reason }: EventBody<"step_resolved">): Partial<SkillStep> {
  return { state: STATE_OF[resolution], message: resolvedBySupervisor(resolution, reason) };
}

/** By the index of the step, or of the call of an agent. */
export type ProofState = {
  /** Null until the checks have been looked at before the change. */
  before: Map<number, BeforeLook> | null;
  examinations: Map<number, Examination>;
};
type ProofProjection = ReadOnly<ProofState>;

export const noProof = (): ProofState => ({ before: null, examinations: new Map() });

export function evolveProof(proof: ProofState, event: JournalEvent): void {
  switch (event.kind) {
    case "checks_looked_at":
      proof.before = new Map(event.body.looks.map((look) => [look.step_index, look]));
      break;
    case "checks_examined":
      for (const { step_index, ...examination } of event.body.checks) proof.examinations.set(step_index, examination);
      break;
  }
}

/** Undefined for a check that was not examined, as in journals from before there were examinations. */
export function proofAt({ before, examinations }: ProofProjection, step_index: number): CheckProof | undefined {
  const examination = examinations.get(step_index);
  return examination && proofOf(examination, before?.get(step_index) ?? null);
}

export type ApprovalsState = {
  /** By approval id, oldest first. */
  requests: Map<string, EventBody<"approval_requested">>;
  last: EventBody<"approval_requested"> | null;
  /** By approval id. The first decision counts. */
  decisions: Map<string, Decided>;
};
type ApprovalsProjection = ReadOnly<ApprovalsState>;

const noApprovals = (): ApprovalsState => ({ requests: new Map(), last: null, decisions: new Map() });

function evolveApprovals(approvals: ApprovalsState, event: JournalEvent): void {
  switch (event.kind) {
    case "approval_requested":
      approvals.requests.set(event.body.approval_id, event.body);
      approvals.last = event.body;
      break;
    case "approval_decided":
      if (!approvals.decisions.has(event.body.approval_id)) approvals.decisions.set(event.body.approval_id, event.body);
      break;
  }
}

/** What was asked last and is not decided yet. */
export const openRequestOf = ({ last, decisions }: ApprovalsProjection) =>
  last === null || decisions.has(last.approval_id) ? null : last;

export type GateState = {
  answers: EventBody<"gate_answered">[];
  /** The answers about approvals, by command. */
  categories: Map<string, Json>;
  failures: Set<string>;
};

const noAnswers = (): GateState => ({ answers: [], categories: new Map(), failures: new Set() });

function evolveGate(gate: GateState, event: JournalEvent): void {
  if (event.kind !== "gate_answered") return;
  const { question, about, answer } = event.body;
  gate.answers.push(event.body);
  if (question === "approval") gate.categories.set(about, answer);
  else gate.failures.add(about);
}
