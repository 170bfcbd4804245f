// The counters of an SOP are the number of the runs that ended with a verdict on it. The task that proved it counts as one.
import type { Bundle, Finding, History } from "./history.ts";

type Run = { readonly task_id: string; readonly sop_id: string | null; readonly passed: boolean };

export function counterFindings({ sops, bundles, cut }: History): Finding[] {
  const runs = bundles.flatMap(runOf);
  return sops.flatMap(({ sop_id, origin, success_count, failure_count }) => {
    const own = runs.filter((run) => run.sop_id === sop_id);
    const passed = own.filter((run) => run.passed).length;
    const proved = runs.some((run) => run.task_id === origin && run.passed) ? 1 : 0;
    const counted = `${success_count} passed and ${failure_count} failed`;
    const ran = `${passed + proved} passed and ${own.length - passed} failed`;
    if (counted === ran || own.some(({ task_id }) => cut.has(task_id)) || cut.has(origin)) return [];
    const text = `SOP ${sop_id} counts ${counted}, and its runs are ${ran}`;
    return [{ kind: "wrong counter", task_id: own.at(-1)?.task_id ?? origin, text }];
  });
}

/** None for a task that was cancelled, or found its goal reached. */
function runOf({ task_id, status, journal }: Bundle): Run[] {
  const verdict = journal.findLast(({ kind }) => kind === "verdict_reached")?.body;
  const pinned = journal.findLast(({ kind }) => kind === "sop_pinned")?.body;
  if (verdict === undefined || verdict["reason_code"] === "already_done" || !["ok", "failed"].includes(status))
    return [];
  const sop_id = pinned?.["sop_id"];
  return [{ task_id, sop_id: typeof sop_id === "string" ? sop_id : null, passed: verdict["passed"] === true }];
}
