// Holds every edge of the pipeline: which fact of a node chooses, and where each of its values leads. graphs/sop.ts is built from it,
// and the console draws it.
export const END = "__end__";

export const PIPELINE = {
  admit: {
    fact: "path",
    next: {
      sop: "look_up_sop",
      update_sop: "replace_sop",
      skill: "run_skill",
      agent: "run_agent",
      unavailable: "blocked",
    },
  },

  // [3.rule.1] [3.rule.2] Code decides on an unknown SOP, never the model.
  look_up_sop: { fact: "lookup", next: { known: "check_policy", teachable: "await_teaching", unknown: "blocked" } },
  await_teaching: "check_policy",
  // [3.rule.5] Outside implicit_scope, or always blocked. The whole plan is judged at once.
  check_policy: {
    fact: "permission",
    next: { allow: "run_steps", undecided: "match_categories", ask: "request_approval", deny: "blocked" },
  },
  // [4.gate.approval] The routing model can add an approval and never remove one.
  match_categories: { fact: "permission", next: { allow: "run_steps", ask: "request_approval" } },
  // [5.approval.flow] The human decides through the supervisor. [3.rule.4] A rejection blocks.
  request_approval: "await_approval",
  await_approval: { fact: "decision", next: { approve: "run_steps", reject: "blocked" } },
  run_steps: {
    fact: "execution",
    next: {
      completed: "verify",
      // Nothing was run: the verdict is that of the looks.
      already_done: "verify",
      broken: "classify_error",
      outcome_unknown: "reconcile_step",
      unapproved: "blocked",
      unavailable: "blocked",
      cancelled: "cancelled",
      suspended: END,
    },
  },
  // The reconcile command of the step comes first. A human is asked about the rest.
  reconcile_step: {
    fact: "reconciliation",
    next: { settled: "run_steps", undecided: "await_resolution", cancelled: "cancelled", suspended: END },
  },
  await_resolution: "run_steps",
  // [3.rule.6] [3.rule.7] A transient failure is retried once, from the failed step. Any other failure is final.
  classify_error: { fact: "error", next: { worth_a_retry: "run_steps", final: "verify" } },
  // [3.rule.3] Every check passes, or the task failed.
  verify: { fact: "verdict", next: { pass: "ok", fail: "failed" } },

  // [3.update.*] The old version is deprecated and the new one waits for its approval. A refusal restores the old one.
  replace_sop: {
    fact: "replacement",
    next: { requested: "await_replacement", refused: "blocked", cancelled: "cancelled", suspended: END },
  },
  await_replacement: "settle_replacement",
  settle_replacement: { fact: "decision", next: { approve: "ok", reject: "blocked" } },

  // [1.A.7] A handler decides how its task ends. After an answer it starts again and repeats nothing.
  run_skill: {
    fact: "skill",
    next: {
      ok: "ok",
      failed: "failed",
      blocked: "blocked",
      cancelled: "cancelled",
      suspended: END,
      asks: "await_skill_approval",
      outcome_unknown: "await_skill_resolution",
    },
  },
  await_skill_approval: "run_skill",
  await_skill_resolution: "run_skill",

  // [1.A.5.agent_lifecycle] A loop under the same policy. An agent is done when a check has proved it.
  run_agent: {
    fact: "agent",
    next: {
      finished: "verify_finish",
      failed: "failed",
      blocked: "blocked",
      cancelled: "cancelled",
      suspended: END,
      asks: "await_agent_approval",
      outcome_unknown: "await_agent_resolution",
    },
  },
  await_agent_approval: "run_agent",
  await_agent_resolution: "run_agent",
  verify_finish: { fact: "verdict", next: { pass: "ok", fail: "failed" } },

  ok: END,
  failed: END,
  blocked: END,
  cancelled: END,
} as const;

export type PipelineNode = keyof typeof PIPELINE;
export const PIPELINE_NODES = Object.keys(PIPELINE) as [PipelineNode, ...PipelineNode[]];

type PipelineEdge = {
  readonly source: PipelineNode;
  readonly target: PipelineNode | typeof END;
  /** The value of the fact; null where there is no choice. */
  readonly answer: string | null;
};

/** In the order of the table. */
export const PIPELINE_EDGES: readonly PipelineEdge[] = PIPELINE_NODES.flatMap((source): PipelineEdge[] => {
  const row = PIPELINE[source];
  return typeof row === "string"
    ? [{ source, target: row, answer: null }]
    : Object.entries(row.next).map(([answer, target]) => ({ source, target, answer }));
});
