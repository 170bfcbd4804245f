// A walk over the pipeline: the nodes that a task was in, each with the answer that it left by. From where the walk is to a node that
// an event names, there is one route, because what the nodes on it answer is on record too.
import { nodeAfter, type PipelineNode } from "./edges.ts";

export type Visit = {
  node: PipelineNode;
  /** The answer that it left by; null for the last one, and where the run broke off. */
  answer: string | null;
  /** The event of the journal that shows it. */
  seq: number;
  at: string;
  /** The pipeline began again here, from the journal, after its server had stopped. */
  again: boolean;
};

/** What is on record of the questions that the nodes answer. */
export type NodeAnswers = {
  readonly permission: "allow" | "ask" | "deny";
  readonly names_categories: boolean;
  readonly decision: "approve" | "reject" | null;
  readonly execution: "completed" | "already_done" | "broken";
};

type Sign = { readonly seq: number; readonly at: string };

const OF_PATH: Partial<Record<PipelineNode, string>> = {
  run_skill: "skill",
  await_skill_approval: "skill",
  await_skill_resolution: "skill",
  run_agent: "agent",
  await_agent_approval: "agent",
  await_agent_resolution: "agent",
  verify_finish: "agent",
  replace_sop: "update_sop",
  await_replacement: "update_sop",
  settle_replacement: "update_sop",
};

const UNKNOWN: ReadonlySet<PipelineNode> = new Set(["reconcile_step", "await_resolution"]);

const ASKS: Partial<Record<PipelineNode, string>> = {
  await_skill_approval: "asks",
  await_agent_approval: "asks",
  await_skill_resolution: "outcome_unknown",
  await_agent_resolution: "outcome_unknown",
  verify_finish: "finished",
};

/** What a node answers on the way to a later one; null where no way leads there. */
function answerTowards(from: PipelineNode, to: PipelineNode, known: NodeAnswers): string | null {
  const { permission, decision, execution } = known;
  switch (from) {
    case "admit":
      return OF_PATH[to] ?? "sop";
    case "look_up_sop":
      return to === "await_teaching" ? "teachable" : "known";
    case "check_policy":
      if (to === "match_categories") return "undecided";
      if (known.names_categories && permission !== "deny") return "undecided";
      return permission;
    case "match_categories":
      return permission;
    case "await_approval":
      return decision ?? "approve";
    case "run_steps":
      if (UNKNOWN.has(to)) return "outcome_unknown";
      return to === "classify_error" ? "broken" : execution;
    case "reconcile_step":
      return to === "await_resolution" ? "undecided" : "settled";
    case "classify_error":
      return to === "verify" ? "final" : "worth_a_retry";
    case "replace_sop":
      return "requested";
    case "run_skill":
    case "run_agent":
      return ASKS[to] ?? null;
    default:
      return "";
  }
}

// No route is longer.
const MOST = 12;

export function createWalk() {
  const way: Visit[] = [];
  let again = false;

  const here = (): PipelineNode | null => (again ? null : (way.at(-1)?.node ?? null));
  const arrive = (node: PipelineNode, { seq, at }: Sign) => {
    way.push({ node, answer: null, seq, at, again: again && way.length > 0 });
    again = false;
  };

  /** Leaves the node by this answer. False where the node has no such answer. */
  const leave = (answer: string, sign: Sign): boolean => {
    const last = way.at(-1);
    const next = last === undefined ? null : nodeAfter(last.node, answer);
    if (last === undefined || next === null) return false;
    last.answer = answer;
    arrive(next, sign);
    return true;
  };

  return {
    way,
    at: here,
    leave,
    /** The next node is the first one. */
    begin: () => {
      again = true;
    },
    /** Walks to the node, over those between. Stays where it is when it is there, or when no route leads there. */
    reach: (node: PipelineNode, known: NodeAnswers, sign: Sign): void => {
      if (here() === null) arrive("admit", sign);
      for (let steps = 0; steps < MOST && here() !== node; steps += 1) {
        const from = here();
        const answer = from === null ? null : answerTowards(from, node, known);
        if (answer === null || !leave(answer, sign)) return;
      }
    },
  };
}

export type PipelineWalk = ReturnType<typeof createWalk>;
