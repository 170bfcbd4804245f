// Where a task is in the pipeline, and the way that it came, from its journal alone: so it is the same for a task that has ended, and
// for one of another server. Nodes leave no events of their own; what they record shows which of them ran (D-346).
import type { EventBody, JournalEvent } from "../journal.ts";
import { hasEnded } from "../outcome.ts";
import type { ReasonCode } from "../reason-code.ts";
import type { PipelineNode } from "./edges.ts";
import { noFacts, pathOf, type WayFacts } from "./facts.ts";
import { lastBefore } from "./last-before.ts";
import { createWalk, type NodeAnswers, type PipelineWalk, type Visit } from "./walk.ts";

export type TaskPlace = {
  /** Null before the task has begun, and after its end. */
  readonly current: PipelineNode | null;
  readonly way: readonly Visit[];
};

export function placeOf(events: readonly JournalEvent[]): TaskPlace {
  const walk = createWalk();
  const facts = noFacts();
  for (const event of events) {
    evolve(facts, walk, event);
    facts.cancelled_at = event.kind === "cancel_requested" ? event.at : null;
  }
  const last = events.at(-1);
  if (last !== undefined) goOn(facts, walk, last);
  const has_ended = events.some((event) => event.kind === "reported" && hasEnded(event.body.status));
  return { current: has_ended ? null : walk.at(), way: walk.way };
}

function evolve(facts: WayFacts, walk: PipelineWalk, event: JournalEvent): void {
  const reach = (node: PipelineNode) => {
    goOn(facts, walk, event);
    walk.reach(node, facts, event);
  };
  switch (event.kind) {
    case "task_accepted":
      facts.contract = event.body.contract;
      facts.names_categories = event.body.contract.constraints.require_approval_for.length > 0;
      break;
    case "taken_up":
      facts.runs = true;
      facts.goes_on = event.body.recovery || walk.way.length === 0 ? "at_first_node" : "with_answer";
      facts.in_flight = null;
      break;
    case "held_back":
      facts.runs = false;
      facts.goes_on = null;
      break;
    case "sop_pinned":
      facts.has_procedure = true;
      reach("look_up_sop");
      break;
    case "taught":
      facts.has_procedure = true;
      break;
    case "policy_judged":
      judged(facts, walk, event, reach);
      break;
    case "gate_answered":
      reach(answeredIn(facts, event.body));
      break;
    case "approval_requested":
      facts.is_of_skill ||= event.body.kind === "skill";
      reach(ASKING[pathOf(facts)]);
      break;
    case "approval_decided":
      facts.decision = event.body.decision;
      break;
    case "verdict_reached":
      facts.execution = executionOf(event.body);
      reach(facts.contract?.delegation_mode === "agent" ? "verify_finish" : "verify");
      break;
    case "reported":
      reported(facts, walk, event, reach);
      break;
    default:
      ran(facts, event, reach);
  }
}

type Reach = (node: PipelineNode) => void;
type Of<K extends JournalEvent["kind"]> = Extract<JournalEvent, { kind: K }>;

/** A node that waited returns at once when its task was answered and claimed. */
function goOn(facts: WayFacts, walk: PipelineWalk, sign: JournalEvent): void {
  const { goes_on } = facts;
  facts.goes_on = null;
  if (goes_on === null) return;
  if (goes_on === "at_first_node") walk.begin();
  if (goes_on === "at_first_node") walk.reach("admit", facts, sign);
  else if (walk.at() === "await_approval") walk.leave(facts.decision ?? "approve", sign);
  else walk.leave("", sign);
}

function judged(facts: WayFacts, walk: PipelineWalk, event: Of<"policy_judged">, reach: Reach): void {
  const { findings } = event.body;
  // What no procedure is pinned for is a skill's.
  facts.is_of_skill ||= !facts.has_procedure;
  if (pathOf(facts) !== "procedure") {
    reach(ASKING[pathOf(facts)]);
    return;
  }
  const isMatched = walk.at() === "match_categories";
  if (!isMatched) reach("check_policy");
  facts.permission = findings.some(({ verdict }) => verdict === "block")
    ? "deny"
    : findings.length > 0
      ? "ask"
      : "allow";
  // Where categories are asked about, the judgement is that of the node that asks, or comes directly before it.
  if (!isMatched && facts.names_categories && facts.permission !== "deny") reach("match_categories");
}

const FAILED: ReadonlySet<string> = new Set(["verified", "nothing_verified", "already_done"]);

const executionOf = ({ reason_code }: EventBody<"verdict_reached">): NodeAnswers["execution"] =>
  reason_code === "already_done" ? "already_done" : FAILED.has(reason_code) ? "completed" : "broken";

const ASKING = {
  procedure: "request_approval",
  replacement: "replace_sop",
  skill: "run_skill",
  agent: "run_agent",
} as const;

function answeredIn(facts: WayFacts, { question }: EventBody<"gate_answered">): PipelineNode {
  facts.is_of_skill ||= !facts.has_procedure;
  if (pathOf(facts) !== "procedure") return ASKING[pathOf(facts)];
  return question === "error" ? "classify_error" : "match_categories";
}

/** What the work itself records. */
function ran(facts: WayFacts, event: JournalEvent, reach: Reach): void {
  switch (event.kind) {
    case "step_started":
      facts.in_flight = event.body.index;
      reach(working(facts));
      break;
    case "step_finished":
      if (facts.in_flight === event.body.index) facts.in_flight = null;
      reach(working(facts));
      break;
    case "checks_looked_at":
    case "job_progressed":
    case "job_waits":
    case "job_ended":
      reach(working(facts));
      break;
    case "step_reconciled":
      reach("reconcile_step");
      break;
    case "skill_step_started":
    case "skill_step_finished":
    case "skill_progressed":
    case "skill_ended":
      facts.is_of_skill = true;
      reach("run_skill");
      break;
    case "agent_equipped":
      facts.agent_backend = event.body.agent_backend;
      reach("run_agent");
      break;
    case "agent_replied":
    case "agent_call_judged":
    case "agent_finished":
    case "agent_stopped":
      reach("run_agent");
      break;
  }
}

const working = (facts: WayFacts): PipelineNode => (pathOf(facts) === "agent" ? "run_agent" : "run_steps");

function reported(facts: WayFacts, walk: PipelineWalk, event: Of<"reported">, reach: Reach): void {
  const { status, reason_code } = event.body;
  if (hasEnded(status)) end(facts, walk, event);
  else {
    const node = waitingIn(facts, reason_code);
    if (node !== null) reach(node);
    if (node !== null) facts.decision = null;
  }
  facts.runs = false;
  facts.goes_on = null;
}

const UNSOLVED = { procedure: "await_resolution", skill: "await_skill_resolution", agent: "await_agent_resolution" };
const UNDECIDED = {
  procedure: "await_approval",
  replacement: "await_replacement",
  skill: "await_skill_approval",
  agent: "await_agent_approval",
} as const;

/** Null where orch asks outside of the pipeline: of a task that it could not carry on, or that is parked. */
function waitingIn(facts: WayFacts, code: ReasonCode): PipelineNode | null {
  const kind = pathOf(facts);
  // The ReAct loop has nodes of its own that wait.
  const isInLoop = kind === "agent" && facts.agent_backend === "react";
  if (code === "sop_unknown") return "await_teaching";
  if (code === "approval_required" || code === "replacement_pending") return isInLoop ? "run_agent" : UNDECIDED[kind];
  if (code !== "step_outcome_unknown" || kind === "replacement") return null;
  if (kind !== "skill" && facts.in_flight !== null) return null;
  return isInLoop ? "run_agent" : (UNSOLVED[kind] as PipelineNode);
}

function end(facts: WayFacts, walk: PipelineWalk, event: Of<"reported">): void {
  const isByCaller = facts.cancelled_at === event.at;
  // The task was ended outside of the pipeline.
  if (!facts.runs || event.body.reason_code === "internal_error") return;
  if (event.body.status === "cancelled" && isByCaller) return;
  goOn(facts, walk, event);
  const last = lastBefore(facts, walk.at(), event.body);
  if (last === null) return;
  walk.reach(last.node, facts, event);
  if (walk.at() === last.node) walk.leave(last.answer, event);
}
