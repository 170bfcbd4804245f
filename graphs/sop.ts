// Builds THE pipeline: a task contract through a stored procedure to an outcome. Nodes do the work and report facts. Every rule of
// the specification is an edge, and all edges are in one table, src/domain/pipeline.ts.
import { type BaseCheckpointSaver, START, StateGraph } from "@langchain/langgraph";
import { PIPELINE } from "../src/domain/pipeline.ts";
import { awaitApproval, requestApproval } from "./nodes/await-approval.ts";
import { awaitCallResolution, awaitResolution, awaitSkillResolution } from "./nodes/await-resolution.ts";
import { endAs } from "./nodes/end-as.ts";
import { admit, awaitTeaching, checkPolicy, lookUpSop, matchCategories } from "./nodes/first-nodes.ts";
import { reconcileStep } from "./nodes/reconcile-step.ts";
import { replaceSop, settleReplacement } from "./nodes/replace-sop.ts";
import { runAgent } from "./nodes/run-agent.ts";
import { runSkill } from "./nodes/run-skill.ts";
import { runSteps } from "./nodes/run-steps.ts";
import { classifyError, verify, verifyFinish } from "./nodes/verify.ts";
import type { buildReactGraph } from "./react.ts";
import {
  type Edges,
  type Pipeline,
  type PipelineDeps,
  PipelineInput,
  PipelineState,
  traced,
  withEdges,
} from "./state.ts";

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

type SopDeps = PipelineDeps & {
  /** The graph that the ReAct backend invokes within run_agent. */
  readonly reactGraph: ReturnType<typeof buildReactGraph>;
};

export function buildSopGraph(deps: SopDeps, checkpointer?: BaseCheckpointSaver) {
  const graph = new StateGraph({ state: PipelineState, input: PipelineInput })
    .addNode(nodesOf(deps))
    // The ReAct loop is declared, so that LangGraph lists it and shows the inner state of a paused agent (D-186).
    .addNode("run_agent", traced({ run_agent: runAgent(deps) }).run_agent, { subgraphs: [deps.reactGraph] })
    .addEdge(START, "admit");
  const edges: Edges<Pipeline, keyof ReturnType<typeof nodesOf> | "run_agent"> = PIPELINE;
  return withEdges(graph, edges).compile(checkpointer === undefined ? {} : { checkpointer });
}
