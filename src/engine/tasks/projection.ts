// Folds the state of a task from the events of its journal. The owner of a thread updates it with every event that it
// writes; every other reader folds the events that it reads. Each feature folds what it makes of them (src/features/folds.ts).
import type { Finding } from "../../domain/finding.ts";
import { type EventBody, eventOf, type JournalEvent } from "../../domain/journal.ts";
import type { Json } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { BeforeLook, CheckProof, Examination } from "../../domain/proof.ts";
import type { BoundTool, Script } from "../../domain/script.ts";
import type { Procedure } from "../../domain/sop.ts";
import type { Verdict } from "../../domain/verification.ts";
import { FOLDS } from "../../features/folds.ts";
import { proofOf } from "../../proof/proof.ts";
import type { Fold, ReadOnly } from "./fold.ts";
import { evolveSteps, noSteps, type StepsState } from "./steps-fold.ts";

type Parts = FeatureParts & {
  gate: GateState;
  steps: StepsState;
  proof: ProofState;
};

type FeatureParts = { [Name in keyof typeof FOLDS]: ReturnType<(typeof FOLDS)[Name]["initial"]> };

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
  verdict: Verdict | null;
  /** The last word of the supervisor on a step whose outcome was not known. */
  resolved: EventBody<"step_resolved"> | null;
  unparked: EventBody<"unparked"> | null;
  /** How often a server crashed in it since its last progress, and since the supervisor let it go on. */
  crashes: number;
  all_crashes: number;
  /** The first request. */
  cancel_requested: EventBody<"cancel_requested"> | null;
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
  verdict: null,
  resolved: null,
  unparked: null,
  crashes: 0,
  all_crashes: 0,
  cancel_requested: null,
  is_without_server: false,
  reported: null,
  gate: noAnswers(),
  steps: noSteps(),
  proof: noProof(),
  ...initialParts(),
});

const initialParts = () =>
  Object.fromEntries(Object.entries(FOLDS).map(([name, fold]) => [name, fold.initial()])) as FeatureParts;

export function evolve(state: ProjectionState, event: JournalEvent): ProjectionState {
  state.has_begun ||= event.kind !== "taken_up";
  state.is_without_server ||= event.kind === "no_server";
  state.crashes = isProgress(event) ? 0 : state.crashes + crashesIn(event);
  state.all_crashes = isLetGoOn(event) ? 0 : state.all_crashes + crashesIn(event);
  evolveTask(state, event);
  evolveGate(state.gate, event);
  evolveSteps(state.steps, event);
  evolveProof(state.proof, event);
  for (const [name, evolvePart] of EVOLVES) evolvePart(state[name], event);
  return state;
}

// Each fold with the part that it changes, a relation that the type of a list cannot carry.
const EVOLVES = Object.entries(FOLDS).map(([name, { evolve: evolvePart }]) => [name, evolvePart]) as [
  keyof FeatureParts,
  Fold<FeatureParts[keyof FeatureParts]>["evolve"],
][];

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
    case "reported":
      task.reported = event.body;
      break;
  }
}

/** A server that takes the task up again starts after it. What every start repeats is not among them. */
export const isProgress = ({ kind }: Pick<JournalEvent, "kind">): boolean => eventOf(kind)?.is_progress === true;

/** The supervisor has looked at the task and lets it go on, so the count of crashes begins anew. */
const isLetGoOn = ({ kind }: Pick<JournalEvent, "kind">): boolean => kind === "unparked" || kind === "step_resolved";

/** How often a server crashed while it worked on the task is counted since the task last made progress (D-258). */
const crashesIn = (event: JournalEvent): number => (event.kind === "taken_up" && event.body.crashed === true ? 1 : 0);

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
