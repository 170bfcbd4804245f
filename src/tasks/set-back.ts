// Sets a version back, or offers it again, in one commit (D-294): a candidate, on the thread of a new promotion, with the approval
// that it asks for and a message to the supervisor.
import type { Change } from "../domain/change.ts";
import type { NewEvent } from "../domain/journal.ts";
import { type Demotion, isJudged, isRefuted } from "../domain/scorecard/demotion.ts";
import type { TaskScore } from "../domain/scorecard/task-score.ts";
import { MOST_SHOWN, type SetBack } from "../domain/set-back.ts";
import type { Sop } from "../domain/sop.ts";
import { promotionThread } from "../domain/thread-id.ts";
import type { Commit, Store } from "../ports.ts";
import { type ApprovalDeps, newApproval, requested } from "./approval-record.ts";
import { sopChanged } from "./sop-versions.ts";
import { recordIn } from "./version-runs.ts";

type Judged = {
  readonly sop: Sop;
  readonly runs: readonly TaskScore[];
  readonly demotion: Pick<SetBack, "rule" | "why" | "holds">;
  readonly earlier: SetBack["earlier"];
};

export async function setBackOf(
  store: Pick<Store, "findTask">,
  { sop, runs, demotion, earlier }: Judged,
): Promise<SetBack> {
  const refuted = await Promise.all(
    runs
      .filter(isRefuted)
      .slice(0, MOST_SHOWN)
      .map(({ task_id }) => store.findTask(task_id)),
  );
  const failed = runs.filter((run) => isJudged(run) && run.passed === false).slice(0, MOST_SHOWN);
  return {
    ...demotion,
    record: recordIn(sop, runs),
    refutations: refuted.flatMap((task) =>
      task === null || task.verification === null ? [] : [{ task_id: task.task_id, verification: task.verification }],
    ),
    failures: failed.map(({ task_id, ended_at, reason_code }) => ({ task_id, ended_at, reason_code })),
    earlier,
  };
}

/** `withdrawn`: the approval that it asks for until now, where it was set back before. */
export function setBackCommit(
  deps: ApprovalDeps,
  sop: Sop,
  set_back: SetBack,
  withdrawn: string | null = null,
): Commit {
  const { sop_id, version, status, promotion_round: round, intent, target_signature } = sop;
  const { steps, criteria, safety_level, preconditions } = sop;
  const thread_id = promotionThread(sop_id, round + 1);
  const approval = newApproval(deps, thread_id, "promotion", {
    intent,
    target_signature,
    sop_id,
    sop_version: version,
    steps,
    criteria,
    safety_level,
    preconditions,
    findings: [],
    replaces: null,
    set_back,
  });
  const { approval_id } = approval;
  const message = messageOf(sop, set_back);
  const events: NewEvent[] = [
    sopChanged(sop, "candidate", set_back.holds ? set_back.why : `${set_back.why}; not any more`),
    { kind: "sop_set_back", body: { sop_id, version, approval_id, set_back, message } },
    requested(approval),
  ];
  const superseded: Change[] =
    withdrawn === null ? [] : [{ on: "approval", approval_id: withdrawn, set: { status: "superseded" } }];
  const expect = { status, promotion_round: round };
  const set = { status: "candidate", promotion_round: round + 1 } as const;
  const changes: Change[] = [{ on: "sop", sop_id, expect, set }, ...superseded, { on: "approval_created", approval }];
  return { thread_id, after: null, events, changes };
}

const about = ({ intent, target_signature, version }: Sop): string =>
  `Version ${version} of ${intent} on "${target_signature}"`;

function messageOf(sop: Sop, { why, holds }: SetBack): string {
  const until = "Until it is approved again, no other task runs it.";
  return holds
    ? `${about(sop)} was set back (${why}). ${until}`
    : `${about(sop)} was set back (${why}), and its record does not call for that any more. ${until}`;
}

/** On the thread of its promotion, without a change: it stays in use. */
export function failingCommit(
  sop: Sop,
  { rule, why, tasks }: Demotion,
  { after, earlier }: { readonly after: Commit["after"] } & Pick<SetBack, "earlier">,
): Commit {
  const { sop_id, version } = sop;
  const message = `${about(sop)} stays in use, and may not work (${why}).`;
  const body = { sop_id, version, rule, tasks: tasks.slice(0, MOST_SHOWN), earlier, message };
  return { thread_id: promotionThread(sop_id, sop.promotion_round), after, events: [{ kind: "sop_failing", body }] };
}
