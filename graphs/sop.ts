// THE pipeline: a task contract through a stored procedure to an outcome. Nodes do the work and report facts. Every rule of
// the specification is an edge, and all edges are in this file.
import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { factOf, traced } from "./node.ts";
import { admit } from "./nodes/admit.ts";
import { awaitApproval, requestApproval } from "./nodes/await-approval.ts";
import { awaitCallResolution, awaitResolution, awaitSkillResolution } from "./nodes/await-resolution.ts";
import { awaitTeaching } from "./nodes/await-teaching.ts";
import { checkPolicy, matchCategories } from "./nodes/check-policy.ts";
import { classifyError } from "./nodes/classify-error.ts";
import { endAs } from "./nodes/end-as.ts";
import { lookUpSop } from "./nodes/look-up-sop.ts";
import { reconcileStep } from "./nodes/reconcile-step.ts";
import { replaceSop, settleReplacement } from "./nodes/replace-sop.ts";
import { runAgent } from "./nodes/run-agent.ts";
import { runSkill } from "./nodes/run-skill.ts";
import { runSteps } from "./nodes/run-steps.ts";
import { verify, verifyFinish } from "./nodes/verify.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";
import type { buildReactGraph } from "./react.ts";
import { type Pipeline, PipelineInput, PipelineState } from "./state.ts";

const nodesOf = (deps: PipelineDeps) =>
  traced({
    admit: admit(deps),
    look_up_sop: lookUpSop(deps),
    await_teaching: awaitTeaching(deps),
    check_policy: checkPolicy(deps),
    match_categories: matchCategories(deps),
    request_approval: requestApproval(deps),
    await_approval: awaitApproval(deps),
    run_steps: runSteps(deps),
    reconcile_step: reconcileStep(deps),
    await_resolution: awaitResolution(deps),
    classify_error: classifyError(deps),
    verify: verify(deps),
    replace_sop: replaceSop(deps),
    await_replacement: awaitApproval(deps),
    settle_replacement: settleReplacement(deps),
    run_skill: runSkill(deps),
    await_skill_approval: awaitApproval(deps),
    await_skill_resolution: awaitSkillResolution(deps),
    await_agent_approval: awaitApproval(deps),
    await_agent_resolution: awaitCallResolution(deps),
    verify_finish: verifyFinish(deps),
    ok: endAs(deps, "ok"),
    failed: endAs(deps, "failed"),
    blocked: endAs(deps, "blocked"),
    cancelled: endAs(deps, "cancelled"),
  });

/** The ReAct loop is declared, so that LangGraph lists it and shows the inner state of a paused agent (D-186). */
const pipelineOf = (deps: SopDeps) =>
  new StateGraph({ state: PipelineState, input: PipelineInput })
    .addNode(nodesOf(deps))
    .addNode("run_agent", traced({ run_agent: runAgent(deps) }).run_agent, { subgraphs: [deps.reactGraph] });
type PipelineGraph = ReturnType<typeof pipelineOf>;

export type SopDeps = PipelineDeps & {
  /** The graph that the ReAct backend invokes within run_agent. */
  readonly reactGraph: ReturnType<typeof buildReactGraph>;
};

export function buildSopGraph(deps: SopDeps, checkpointer?: BaseCheckpointSaver) {
  const graph = pipelineOf(deps);
  graph.addEdge(START, "admit").addConditionalEdges("admit", pathIs, {
    sop: "look_up_sop",
    update_sop: "replace_sop",
    skill: "run_skill",
    agent: "run_agent",
    unavailable: "blocked",
  });
  addProcedure(graph);
  addReplacement(graph);
  addSkill(graph);
  addAgent(graph);
  for (const end of ["ok", "failed", "blocked", "cancelled"] as const) graph.addEdge(end, END);
  return graph.compile(checkpointer === undefined ? {} : { checkpointer });
}

const addProcedure = (graph: PipelineGraph) =>
  graph
    // [3.rule.1] [3.rule.2] Code decides on an unknown SOP, never the model.
    .addConditionalEdges("look_up_sop", sopIs, {
      known: "check_policy",
      teachable: "await_teaching",
      unknown: "blocked",
    })
    .addEdge("await_teaching", "check_policy")
    // [3.rule.5] Outside implicit_scope, or always blocked. The whole plan is judged at once.
    .addConditionalEdges("check_policy", permissionIs, {
      allow: "run_steps",
      undecided: "match_categories",
      ask: "request_approval",
      deny: "blocked",
    })
    // [4.gate.approval] The routing model can add an approval and never remove one.
    .addConditionalEdges("match_categories", permissionIs, { allow: "run_steps", ask: "request_approval" })
    // [5.approval.flow] The human decides through the supervisor. [3.rule.4] A rejection blocks.
    .addEdge("request_approval", "await_approval")
    .addConditionalEdges("await_approval", decisionIs, { approve: "run_steps", reject: "blocked" })
    .addConditionalEdges("run_steps", executionIs, {
      completed: "verify",
      // Nothing was run: the verdict is that of the looks.
      already_done: "verify",
      broken: "classify_error",
      outcome_unknown: "reconcile_step",
      unapproved: "blocked",
      unavailable: "blocked",
      cancelled: "cancelled",
      suspended: END,
    })
    // The reconcile command of the step comes first. A human is asked about the rest.
    .addConditionalEdges("reconcile_step", reconciliationIs, {
      settled: "run_steps",
      undecided: "await_resolution",
      cancelled: "cancelled",
      suspended: END,
    })
    .addEdge("await_resolution", "run_steps")
    // [3.rule.6] [3.rule.7] A transient failure is retried once, from the failed step. Any other failure is final.
    .addConditionalEdges("classify_error", errorIs, { worth_a_retry: "run_steps", final: "verify" })
    // [3.rule.3] Every check passes, or the task failed.
    .addConditionalEdges("verify", verdictIs, { pass: "ok", fail: "failed" });

/** [3.update.*] The old version is deprecated and the new one waits for its approval. A refusal restores the old one. */
const addReplacement = (graph: PipelineGraph) =>
  graph
    .addConditionalEdges("replace_sop", replacementIs, {
      requested: "await_replacement",
      refused: "blocked",
      cancelled: "cancelled",
      suspended: END,
    })
    .addEdge("await_replacement", "settle_replacement")
    .addConditionalEdges("settle_replacement", decisionIs, { approve: "ok", reject: "blocked" });

/** [1.A.7] A handler decides how its task ends. After an answer it starts again and repeats nothing. */
const addSkill = (graph: PipelineGraph) =>
  graph
    .addConditionalEdges("run_skill", skillIs, {
      ok: "ok",
      failed: "failed",
      blocked: "blocked",
      cancelled: "cancelled",
      suspended: END,
      asks: "await_skill_approval",
      outcome_unknown: "await_skill_resolution",
    })
    .addEdge("await_skill_approval", "run_skill")
    .addEdge("await_skill_resolution", "run_skill");

/** [1.A.5.agent_lifecycle] A loop under the same policy. An agent is done when a check has proved it. */
const addAgent = (graph: PipelineGraph) =>
  graph
    .addConditionalEdges("run_agent", agentIs, {
      finished: "verify_finish",
      failed: "failed",
      blocked: "blocked",
      cancelled: "cancelled",
      suspended: END,
      asks: "await_agent_approval",
      outcome_unknown: "await_agent_resolution",
    })
    .addEdge("await_agent_approval", "run_agent")
    .addEdge("await_agent_resolution", "run_agent")
    .addConditionalEdges("verify_finish", verdictIs, { pass: "ok", fail: "failed" });

const pathIs = (state: Pipeline) => factOf(state, "path", "admit");
const sopIs = (state: Pipeline) => factOf(state, "lookup", "look_up_sop");
const permissionIs = (state: Pipeline) => factOf(state, "permission", "check_policy", "match_categories");
const decisionIs = (state: Pipeline) => factOf(state, "decision", "await_approval", "await_replacement");
const executionIs = (state: Pipeline) => factOf(state, "execution", "run_steps");
const reconciliationIs = (state: Pipeline) => factOf(state, "reconciliation", "reconcile_step");
const errorIs = (state: Pipeline) => factOf(state, "error", "classify_error");
const verdictIs = (state: Pipeline) => factOf(state, "verdict", "verify", "verify_finish");
const skillIs = (state: Pipeline) => factOf(state, "skill", "run_skill");
const agentIs = (state: Pipeline) => factOf(state, "agent", "run_agent");
const replacementIs = (state: Pipeline) => factOf(state, "replacement", "replace_sop");
