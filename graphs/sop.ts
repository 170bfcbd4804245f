// THE pipeline: a task contract through a stored procedure to an outcome. Nodes do the work and report facts; every rule
// of the specification (section 3, "Task outcome statuses") is an edge, and all edges stand here.
import { type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { admit } from "./nodes/admit.ts";
import { awaitApproval } from "./nodes/await-approval.ts";
import { awaitCallResolution } from "./nodes/await-call-resolution.ts";
import { awaitResolution } from "./nodes/await-resolution.ts";
import { awaitSkillResolution } from "./nodes/await-skill-resolution.ts";
import { awaitTeaching } from "./nodes/await-teaching.ts";
import { checkPolicy } from "./nodes/check-policy.ts";
import { classifyError } from "./nodes/classify-error.ts";
import { endAs } from "./nodes/end-as.ts";
import { lookUpSop } from "./nodes/look-up-sop.ts";
import { matchCategories } from "./nodes/match-categories.ts";
import { replaceSop } from "./nodes/replace-sop.ts";
import { requestApproval } from "./nodes/request-approval.ts";
import { runAgent } from "./nodes/run-agent.ts";
import { runSkill } from "./nodes/run-skill.ts";
import { runSteps } from "./nodes/run-steps.ts";
import { settleReplacement } from "./nodes/settle-replacement.ts";
import { verify } from "./nodes/verify.ts";
import { verifyFinish } from "./nodes/verify-finish.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";
import { type Pipeline, PipelineState } from "./state.ts";
import { traced } from "./traced.ts";

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
    await_resolution: awaitResolution(deps),
    classify_error: classifyError(deps),
    verify: verify(deps),
    replace_sop: replaceSop(deps),
    await_replacement: awaitApproval(deps),
    settle_replacement: settleReplacement(deps),
    run_skill: runSkill(deps),
    await_skill_approval: awaitApproval(deps),
    await_skill_resolution: awaitSkillResolution(deps),
    run_agent: runAgent(deps),
    await_agent_approval: awaitApproval(deps),
    await_agent_resolution: awaitCallResolution(deps),
    verify_finish: verifyFinish(deps),
    ok: endAs(deps, "ok"),
    failed: endAs(deps, "failed"),
    blocked: endAs(deps, "blocked"),
    cancelled: endAs(deps, "cancelled"),
  });

export const buildSopGraph = (deps: PipelineDeps, checkpointer?: BaseCheckpointSaver) =>
  new StateGraph(PipelineState)
    .addNode(nodesOf(deps))
    .addEdge(START, "admit")
    .addConditionalEdges("admit", pathIs, {
      ...{ sop: "look_up_sop", update_sop: "replace_sop", skill: "run_skill", agent: "run_agent" },
      unavailable: "blocked",
    })
    // Rules 1 and 2: an unknown SOP is decided in code, never by the model.
    .addConditionalEdges("look_up_sop", sopIs, {
      known: "check_policy",
      teachable: "await_teaching",
      unknown: "blocked",
    })
    .addEdge("await_teaching", "check_policy")
    // Rule 5: outside implicit_scope, or always blocked. The whole plan is judged at once.
    .addConditionalEdges("check_policy", permissionIs, {
      ...{ allow: "run_steps", undecided: "match_categories", ask: "request_approval", deny: "blocked" },
    })
    // The routing gate's second question. It can add an approval and never remove one.
    .addConditionalEdges("match_categories", permissionIs, { allow: "run_steps", ask: "request_approval" })
    // Section 5: the human decides through the supervisor. Rule 4: a rejection blocks.
    .addEdge("request_approval", "await_approval")
    .addConditionalEdges("await_approval", decisionIs, { approve: "run_steps", reject: "blocked" })
    .addConditionalEdges("run_steps", executionIs, {
      completed: "verify",
      broken: "classify_error",
      outcome_unknown: "await_resolution",
      ...{ unapproved: "blocked", unavailable: "blocked", cancelled: "cancelled", suspended: END },
    })
    .addEdge("await_resolution", "run_steps")
    // Rules 6 and 7: what failed is a failure; a transient one is retried once, from the failed step.
    .addConditionalEdges("classify_error", errorIs, { worth_a_retry: "run_steps", final: "verify" })
    // Rule 3: every check passes, or the task failed.
    .addConditionalEdges("verify", verdictIs, { pass: "ok", fail: "failed" })
    // Section 3, update_sop: the old version steps aside, the new one waits for its approval; a refusal restores the old.
    .addConditionalEdges("replace_sop", replacementIs, { requested: "await_replacement", refused: "blocked" })
    .addEdge("await_replacement", "settle_replacement")
    .addConditionalEdges("settle_replacement", decisionIs, { approve: "ok", reject: "blocked" })
    // Section 4, skill handlers: a handler says how its task ends. Whenever it is answered it starts again, and repeats nothing.
    .addConditionalEdges("run_skill", skillIs, {
      ...{ ok: "ok", failed: "failed", blocked: "blocked", cancelled: "cancelled", suspended: END },
      ...{ asks: "await_skill_approval", outcome_unknown: "await_skill_resolution" },
    })
    .addEdge("await_skill_approval", "run_skill")
    .addEdge("await_skill_resolution", "run_skill")
    // Agent mode: a loop under the same policy. Its word that it is done counts where a check has proved it.
    .addConditionalEdges("run_agent", agentIs, {
      ...{ finished: "verify_finish", failed: "failed", blocked: "blocked", cancelled: "cancelled", suspended: END },
      ...{ asks: "await_agent_approval", outcome_unknown: "await_agent_resolution" },
    })
    .addEdge("await_agent_approval", "run_agent")
    .addEdge("await_agent_resolution", "run_agent")
    .addConditionalEdges("verify_finish", verdictIs, { pass: "ok", fail: "failed" })
    .addEdge("ok", END)
    .addEdge("failed", END)
    .addEdge("blocked", END)
    .addEdge("cancelled", END)
    .compile(checkpointer === undefined ? {} : { checkpointer });

const pathIs = ({ path = "unavailable" }: Pipeline) => path;
const sopIs = ({ lookup = "unknown" }: Pipeline) => lookup;
const permissionIs = ({ permission = "deny" }: Pipeline) => permission;
const decisionIs = ({ decision = "reject" }: Pipeline) => decision;
const executionIs = ({ execution = "broken" }: Pipeline) => execution;
const errorIs = ({ error = "final" }: Pipeline) => error;
const verdictIs = ({ verdict = "fail" }: Pipeline) => verdict;
const skillIs = ({ skill = "failed" }: Pipeline) => skill;
const agentIs = ({ agent = "failed" }: Pipeline) => agent;
const replacementIs = ({ replacement = "refused" }: Pipeline) => replacement;
