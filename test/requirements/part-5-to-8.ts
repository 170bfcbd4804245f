// Parts 5 to 8 of the specification: authentication, messages, errors and limits.
// Where a sentence repeats one of part 3 or 4, its id says which; the test that shows one shows the other.
import { claims, rows } from "./requirement.ts";

export const PARTS_5_TO_8 = [
  ...claims({
    "5.1": "The token of a tool server is sent to it as a bearer token.",
    "5.3": "A call of the supervisor without a valid bearer token is refused, as this project decides.",
    "5.4": "The contract authorizes: what a model or a tool says widens nothing.",
  }),
  ...rows("5.policy", {
    read: "A read inside implicit_scope runs automatically.",
    write: "A write inside implicit_scope that require_approval_for does not list runs automatically.",
    approval: "What require_approval_for lists runs only after an approval through the supervisor.",
    out_of_scope: "What is outside implicit_scope is blocked, as [3.rule.5] says.",
    destructive: "A destructive operation is always blocked, inside implicit_scope too.",
  }),
  ...rows("5.blocked", {
    rm: "Wide-range deletion of the rm -rf / family is always blocked.",
    git_reset: "git reset --hard is always blocked.",
    docker_prune: "docker system prune -a without conditions is always blocked.",
  }),
  ...claims({
    "5.docker_prune.filtered": "docker system prune -a with a condition is not always blocked.",
    "5.approval.flow": "need_approval goes to the supervisor, whose call of approve brings the decision.",
    "6.promotion": "The approval request for a promotion is a message to the supervisor.",

    "7.1": "A transient failure is retried by the orchestrator.",
    "7.1.evidence": "The error of a failure that is final is given to the supervisor with evidence.",
    "7.2": "An error of an mcp_call has its message in stderr.",
    "7.3": "A tool-server step whose server is outside implicit_scope is BLOCKED, as [4.mcp.scope] says.",
    "7.3.always_blocked": "An always-blocked command is blocked, as [5.policy.destructive] says.",
    "7.4": "Failed verification is failed with evidence, as [3.rule.3.failed] says.",
    "7.5": "A flow that returns ok: false is a failed task, as [3.rule.6] says.",
    "7.6": "An unknown SOP is need_input or blocked, as [3.rule.1] and [3.rule.2] say.",
    "7.7": "Rejection or failure of a skill's plan is blocked or failed, as [3.rule.4] says.",
    "7.8": "A time-out of the model falls back, as [4.gate.error_fallback] and [4.gate.approval_fallback] say.",
    "7.10.wrong": "A definition that is wrong is rewritten with update_sop.",
    "7.10.ambiguous": "A definition that is ambiguous is rewritten with update_sop and clearer steps.",
    "7.10.temporary": "A temporary environment problem leaves the SOP as it is.",
    "7.10.outdated": "For an SOP that is outdated, update_sop creates a new SOP.",

    "8.max_minutes": "max_minutes does not limit the whole task.",
    "8.max_minutes.tool_call": "max_minutes limits each tool-server call.",
    "8.max_minutes.phases": "A plan of many phases may take longer than max_minutes.",
    "8.max_minutes_default": "A contract without max_minutes gets the default that this project decides.",
    "8.retry": "A transient failure is retried no more than once.",
    "8.depth": "fetch_note_tree reads 5 levels by default.",
    "8.matching": "SOPs match exactly, as [2.key.exact] says.",
    "8.routing_timeout": "A call of the routing model ends within the limit that this project decides.",
    "8.rate_limits": "The interfaces have the rate limits that this project decides.",
    "8.verification": "A verification against an external source is recorded beside DONE.",

    "8.target.T1": "The verified success ratio, verified_ok over DONE, is reported with its target of 95 %.",
    "8.target.T2": "The further count, whose metric the specification does not name, is reported with its target of 0.",
    "8.target.T3": "The success ratio of the teach_if_unknown group is reported with its target of 90 %.",
    "8.target.T4": "Delegated tasks over all tasks is reported week over week.",
    "8.target.T5": "New SOPs over new tasks is reported with its target of 30 % in new areas.",
    "8.target.T6":
      "The further measure, which the specification does not name, is reported with its reduction of 20 %.",
    "8.target.R1": "The service is judged on verified success, and DONE is never shown without it.",
    "8.target.R2": "A missed target names what to correct before the model is swapped.",
    "8.target.R3": "What is DONE and was never looked at from outside is listed.",
    "8.target.R4": "Results of agent mode and of teach_if_unknown are counted separately.",
    "8.target.R5": "How procedures grow, and what had to be taught again, is reported.",
    "8.target.R6": "How the routing model answered, and how often its fallback was used, is reported.",
  }),
];
