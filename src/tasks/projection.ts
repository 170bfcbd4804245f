// Folds the state of a task from the events of its journal. The owner of a thread updates it with every event that it
// writes; every other reader folds the events that it reads. The parts with rules of their own are in projection/.
import type { Finding } from "../domain/finding.ts";
import type { EventBody, EventKind, JournalEvent, Procedure } from "../domain/journal.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { BoundTool, Script } from "../domain/script.ts";
import type { SetBack } from "../domain/set-back.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import type { Verdict } from "../domain/verdict.ts";
import { type AgentState, evolveAgent, noAgent } from "./projection/agent.ts";
import { evolveProof, noProof, type ProofState } from "./projection/looks.ts";
import {
  type ApprovalsState,
  evolveApprovals,
  evolveGate,
  type GateState,
  noAnswers,
  noApprovals,
} from "./projection/questions.ts";
import { evolveSkill, noSkill, type SkillState } from "./projection/skill-run.ts";
import {
  evolveJobs,
  evolveSteps,
  type JobsState,
  noJobs,
  noSteps,
  type ReadOnly,
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
