// The pipeline and the agent's loop as data: every node, and where each answer leads. The graphs themselves are in graphs/; a test
// compares the two (D-346). What leads without an answer has the answer "".
export const END = "__end__";

const ENDED = { "": END } as const;
const BACK_TO_SKILL = { "": "run_skill" } as const;
const BACK_TO_AGENT = { "": "run_agent" } as const;
const VERDICT = { pass: "ok", fail: "failed" } as const;

const PIPELINE_EDGES = {
  admit: {
    sop: "look_up_sop",
    update_sop: "replace_sop",
    skill: "run_skill",
    agent: "run_agent",
    unavailable: "blocked",
  },
  look_up_sop: { known: "check_policy", teachable: "await_teaching", unknown: "blocked" },
  await_teaching: { "": "check_policy" },
  check_policy: { allow: "run_steps", undecided: "match_categories", ask: "request_approval", deny: "blocked" },
  match_categories: { allow: "run_steps", ask: "request_approval" },
  request_approval: { "": "await_approval" },
  await_approval: { approve: "run_steps", reject: "blocked" },
  run_steps: {
    completed: "verify",
    already_done: "verify",
    broken: "classify_error",
    outcome_unknown: "reconcile_step",
    unapproved: "blocked",
    unavailable: "blocked",
    cancelled: "cancelled",
    suspended: END,
  },
  reconcile_step: { settled: "run_steps", undecided: "await_resolution", cancelled: "cancelled", suspended: END },
  await_resolution: { "": "run_steps" },
  classify_error: { worth_a_retry: "run_steps", final: "verify" },
  verify: VERDICT,
  replace_sop: { requested: "await_replacement", refused: "blocked", cancelled: "cancelled", suspended: END },
  await_replacement: { "": "settle_replacement" },
  settle_replacement: { approve: "ok", reject: "blocked" },
  run_skill: {
    ok: "ok",
    failed: "failed",
    blocked: "blocked",
    cancelled: "cancelled",
    suspended: END,
    asks: "await_skill_approval",
    outcome_unknown: "await_skill_resolution",
  },
  await_skill_approval: BACK_TO_SKILL,
  await_skill_resolution: BACK_TO_SKILL,
  run_agent: {
    finished: "verify_finish",
    failed: "failed",
    blocked: "blocked",
    cancelled: "cancelled",
    suspended: END,
    asks: "await_agent_approval",
    outcome_unknown: "await_agent_resolution",
  },
  await_agent_approval: BACK_TO_AGENT,
  await_agent_resolution: BACK_TO_AGENT,
  verify_finish: VERDICT,
  ok: ENDED,
  failed: ENDED,
  blocked: ENDED,
  cancelled: ENDED,
} as const;

export type PipelineNode = keyof typeof PIPELINE_EDGES;
export const PIPELINE_NODES = Object.keys(PIPELINE_EDGES) as [PipelineNode, ...PipelineNode[]];

/** Where an answer leads to; null where the node has no such answer. */
export function nodeAfter(node: PipelineNode, answer: string): PipelineNode | null {
  const edges: Readonly<Record<string, PipelineNode | typeof END>> = PIPELINE_EDGES[node];
  const next = Object.hasOwn(edges, answer) ? edges[answer] : undefined;
  return next === undefined || next === END ? null : next;
}

export type PipelineEdge = {
  readonly source: PipelineNode;
  readonly target: PipelineNode | typeof END;
  readonly answer: string;
};

/** In the order of the table. */
export const PIPELINE_EDGE_LIST: readonly PipelineEdge[] = PIPELINE_NODES.flatMap((source) => {
  const edges: Readonly<Record<string, PipelineNode | typeof END>> = PIPELINE_EDGES[source];
  return Object.entries(edges).map(([answer, target]) => ({ source, target, answer }));
});
