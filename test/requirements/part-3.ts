// Part 3 of the specification: states and transitions. The condition of the table's third row is 3.update, step by step.
import { claims, rows } from "./requirement.ts";

export const PART_3 = [
  ...claims({
    "3.sop.candidate": "A successful task without an active SOP records its steps as a candidate.",
    "3.sop.candidate_approval": "The promotion of a new candidate waits for the supervisor's approval.",
    "3.sop.candidate_of_agent":
      "A successful agent task leaves a candidate, or names propose_sop where its draft needs a reader.",
    "3.sop.no_candidate": "A successful task with an active SOP records no candidate.",
    "3.sop.older_candidates": "The promotion of a candidate supersedes the pending promotions of older candidates.",
    "3.sop.promote": "An approve decision during a promotion request makes the candidate active.",
    "3.sop.promotion_replaces": "The approval of a promotion says which active SOP it replaces.",
    "3.sop.used": "The SOP that was promoted is the one that later tasks use.",
    "3.sop.deprecate": "The active SOP that update_sop replaces becomes deprecated.",
  }),
  ...rows("3.update", {
    "1": "The supervisor submits a contract with intent update_sop.",
    "2": "The current SOP becomes deprecated before the decision.",
    "3": "A candidate is created from the new steps.",
    "4": "The supervisor is asked to approve the promotion.",
    "5": "The supervisor approves with decision approve.",
    "6": "The candidate becomes active.",
  }),
  ...claims({
    "3.update_rejected": "An update_sop whose promotion is rejected ends blocked.",
    "3.status.labels": "Messages use the labels NEED_APPROVAL, BLOCKED and DONE.",
    "3.rule.1": "SOP not found and teach_if_unknown: the result is need_input.",
    "3.rule.2": "SOP not found and known_only: the task is blocked.",
    "3.rule.3": "All check steps pass: the status is ok.",
    "3.rule.3.failed": "A check step fails: the status is failed.",
    "3.rule.3.evidence": "A task whose check failed is returned with evidence of the failure.",
    "3.rule.4": "A rejected approval of a skill's plan is returned as blocked or failed.",
    "3.rule.4.phase": "A failing phase of a skill's plan is returned as blocked or failed.",
    "3.rule.5": "An operation outside implicit_scope is blocked.",
    "3.rule.5.escalated": "An operation that was blocked outside implicit_scope is escalated as a message.",
    "3.rule.6": "A flow that returns ok: false is a failed task, even if its job succeeded.",
    "3.rule.7": "A failure of an unknown kind is escalated at the first attempt.",
    "3.rule.7.transient": "A transient failure is escalated after one retry.",
  }),
];
