// Who works on a task: a claim, then only what runs under it, until the task pauses, ends or is claimed anew.
import { Claim, ENDED, type Fault, fault, NONE, Report, type Watch } from "./rules.ts";

const RUNS = new Set([
  ...["sop_pinned", "policy_judged", "gate_answered", "approval_requested", "checks_looked_at", "checks_examined"],
  ...["step_started", "step_finished", "step_reconciled", "retry_granted", "verdict_reached"],
  ...["job_progressed", "job_waits", "job_ended"],
  ...["skill_step_started", "skill_step_finished", "skill_progressed", "skill_ended"],
  ...["agent_equipped", "agent_replied", "agent_call_judged", "agent_finished", "agent_stopped"],
]);
const ANSWERS = new Set(["taught", "approval_decided", "step_resolved", "unparked"]);
const AFTER_THE_END = new Set(["cancel_requested", "verification_recorded", "verification_missed"]);

type Phase = "new" | "accepted" | "running" | "paused" | "answered" | "ended";

export function watchClaims(): Watch {
  let phase: Phase = "new";
  let owner = "";

  const claimed = (body: unknown): readonly Fault[] => {
    const claim = Claim.parse(body);
    const [before, last] = [phase, owner];
    phase = "running";
    owner = claim.owner;
    if (before === "paused") return fault("claim", "it is claimed while it waits for an answer");
    if (before !== "running" || claim.recovery) return NONE;
    return fault("claim", `it is claimed by ${owner} while ${last} works on it, and not to recover it`);
  };

  const reported = (body: unknown): readonly Fault[] => {
    const { status, reason_code } = Report.parse(body);
    const before = phase;
    phase = ENDED.includes(status) ? "ended" : "paused";
    // Without a claim a task is cancelled, or given up, and asks then about the step that may have had an effect.
    const isGivenUp =
      reason_code === "internal_error" || (reason_code === "step_outcome_unknown" && before === "answered");
    if (before === "running" || status === "cancelled" || isGivenUp) return NONE;
    return fault("claim", `it is reported ${status}/${reason_code} while it is ${before}`);
  };

  const answered = (kind: string): readonly Fault[] => {
    const before = phase;
    phase = "answered";
    return before === "paused" ? NONE : fault("answer", `${kind} answers nothing: it is ${before}`);
  };

  return ({ kind, body }) => {
    if (phase === "ended") return AFTER_THE_END.has(kind) ? NONE : fault("end", `${kind} follows its end`);
    if (kind === "task_accepted") {
      const before = phase;
      phase = "accepted";
      return before === "new" ? NONE : fault("claim", "it is accepted a second time");
    }
    if (kind === "taken_up") return claimed(body);
    if (kind === "reported") return reported(body);
    if (ANSWERS.has(kind)) return answered(kind);
    return RUNS.has(kind) && phase !== "running" ? fault("claim", `${kind} without a claim: it is ${phase}`) : NONE;
  };
}

/** After a request to cancel nothing starts any more. What a flow engine ran until it stopped is on record after it. */
export function watchCancel(): Watch {
  let since: number | null = null;
  let hasJob = false;
  return ({ kind, seq, body }) => {
    if (kind === "cancel_requested") since ??= seq;
    const isOfJob = hasJob && kind === "step_started" && body["job"] === undefined;
    if (kind === "step_started" || kind === "job_ended") hasJob = body["job"] !== undefined || isOfJob;
    const isStart = kind === "step_started" || (kind === "skill_step_started" && body["repeatable"] !== true);
    if (since === null || !isStart || isOfJob) return NONE;
    return fault("cancel", `step ${body["index"]} starts although entry ${since} asks to cancel`);
  };
}
