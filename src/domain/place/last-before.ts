// From which node a task has come to its end, and by which answer.
import type { Outcome } from "../outcome.ts";
import type { ReasonCode } from "../reason-code.ts";
import type { PipelineNode } from "./edges.ts";
import { pathOf, type WayFacts } from "./facts.ts";

type Leaving = { readonly node: PipelineNode; readonly answer: string };

const OBSTACLES: ReadonlySet<ReasonCode> = new Set(["mode_unavailable", "skill_unusable", "engine_reference"]);
const MISSING: ReadonlySet<ReasonCode> = new Set(["sop_not_found", "sop_altered"]);
const REFUSED: ReadonlySet<ReasonCode> = new Set(["approval_rejected", "approval_expired"]);

/** The node before the end, with its answer. Null where the journal does not show it. */
export function lastBefore(facts: WayFacts, at: PipelineNode | null, { status, reason_code }: Outcome): Leaving | null {
  if (at === "verify" || at === "verify_finish") return { node: at, answer: status === "ok" ? "pass" : "fail" };
  const kind = pathOf(facts);
  const isAtStart = at === null || at === "admit";
  if (kind === "agent") {
    const isRefused = isAtStart && status === "blocked";
    return isRefused ? { node: "admit", answer: "unavailable" } : { node: "run_agent", answer: status };
  }
  if (kind === "replacement") return replaced(facts, status, reason_code, isAtStart);
  if (at === "run_skill" || kind === "skill") return { node: "run_skill", answer: status };
  if (isAtStart && MISSING.has(reason_code)) return { node: "look_up_sop", answer: "unknown" };
  if (isAtStart && status === "blocked" && OBSTACLES.has(reason_code)) return { node: "admit", answer: "unavailable" };
  if (!facts.has_procedure) return { node: "run_skill", answer: status };
  if (status === "cancelled") {
    return { node: at === "reconcile_step" ? at : "run_steps", answer: "cancelled" };
  }
  if (status !== "blocked") return null;
  if (REFUSED.has(reason_code)) return { node: "await_approval", answer: "reject" };
  if (reason_code === "approval_stale") return { node: "run_steps", answer: "unapproved" };
  if (facts.permission === "deny") return { node: "check_policy", answer: "deny" };
  return { node: "run_steps", answer: "unavailable" };
}

function replaced(facts: WayFacts, status: Outcome["status"], code: ReasonCode, isAtStart: boolean): Leaving {
  if (status === "cancelled") return { node: "replace_sop", answer: "cancelled" };
  if (isAtStart && status === "blocked" && !REFUSED.has(code) && facts.decision === null) {
    return { node: "replace_sop", answer: "refused" };
  }
  return { node: "settle_replacement", answer: status === "ok" ? "approve" : "reject" };
}
