// Judges versions by their records once their tasks are scored (D-294): never in a task's own commits. How far it has read is a duty
// of its own, written after what follows from it, so that a stop between the two repeats a look and loses none.
import { setImmediate as turn } from "node:timers/promises";
import { MOST_SHOWN, type SetBack } from "../../domain/approval.ts";
import type { Change } from "../../domain/change.ts";
import type { NewEvent } from "../../domain/journal.ts";
import { createMutex } from "../../domain/mutex.ts";
import { type Demotion, demotionOf, isJudged, isRefuted, setsBack } from "../../domain/scorecard/record.ts";
import type { TaskScore } from "../../domain/scorecard/task-score.ts";
import { isSetBack, type Sop } from "../../domain/sop.ts";
import { promotionThread, subjectOfThread } from "../../domain/thread-id.ts";
import type { Commit, Store } from "../../ports.ts";
import { type ApprovalDeps, newApproval, requested } from "../tasks/approval-record.ts";
import { projection } from "../tasks/projection.ts";
import { sopChanged } from "../tasks/sop-versions.ts";
import { allRunsOf, earlierVersion, recordIn, runsOfVersion } from "../tasks/version-runs.ts";
import type { Promotions } from "./promotions.ts";
import { SCORE_DUTY, unlessDamaged } from "./score-keeper.ts";
import type { Checkpoints } from "./task-runs.ts";
import { isFenced } from "./threads.ts";

type Deps = ApprovalDeps & {
  readonly store: Store;
  /** Runs the promotion that a set back opens. */
  readonly promotions: Pick<Promotions, "dispatch">;
  readonly checkpoints: Pick<Checkpoints, "deleteThread">;
  /** SOP_DEMOTION */
  readonly mode: "off" | "tell" | "set_back";
  readonly log: { error(details: object, message: string): void };
};

const DEMOTION_DUTY = "demotion";
const SLICE = 200;

export function createDemotions(deps: Deps) {
  const { log } = deps;
  const mutex = createMutex();
  /** Slice by slice, so that one with little time is not held up by one with all of it. */
  const judge = async (hasTime: () => boolean): Promise<void> => {
    for (let is_more = true; is_more && hasTime(); await turn()) is_more = await mutex.run(() => judgeSlice(deps));
  };

  return {
    /** Judges the versions of the tasks that were scored since the last look, while there is time. Never rejects. */
    look: (hasTime = () => true): Promise<void> =>
      judge(hasTime).catch((err: unknown) => {
        if (!isFenced(err)) log.error({ err }, "versions could not be judged by their records; trying again later");
      }),
  };
}

/** Of the events whose tasks are scored; whether more may follow. */
async function judgeSlice(deps: Deps): Promise<boolean> {
  const { store, log } = deps;
  const [from, scored] = await Promise.all([store.findDuty(DEMOTION_DUTY), store.findDuty(SCORE_DUTY)]);
  const found = (await store.readScoring(from, SLICE)).filter(({ cursor }) => cursor <= scored);
  const last = found.at(-1);
  if (last === undefined) return false;
  const sop_ids = new Set<string>();
  for (const { thread_id } of found) for (const id of await versionsOf(store, thread_id)) sop_ids.add(id);
  for (const sop_id of deps.mode === "off" ? [] : sop_ids)
    await judgeVersion(deps, sop_id).catch((err: unknown) => {
      // One that cannot be read is in quarantine, and must not keep the others from their judgement.
      if (unlessDamaged(err) === null) log.error({ sop_id, err }, "a version cannot be judged by its record");
    });
  const done = { on: "duty_done", name: DEMOTION_DUTY, cursor: last.cursor } as const;
  await store.commit({ thread_id: DEMOTION_DUTY, after: "last", events: [], changes: [done] });
  return found.length === SLICE;
}

/** The versions of its key whose record the task may have changed: one success more changes nothing for a version in use. */
async function versionsOf(store: Store, thread_id: string): Promise<string[]> {
  const subject = subjectOfThread(thread_id);
  const score = subject.kind === "task" ? await store.findScore(subject.task_id) : null;
  if (score === null) return [];
  if (score.intent === "update_sop") return movedBy(store, score);
  const { intent, target_signature, passed, external, sop_id } = score;
  const active = await store.findActiveSop(intent, target_signature).catch(unlessDamaged);
  const candidates = await store.listSops({ intent, target_signature, status: "candidate", limit: 500 });
  // Its trial may have put another version into use again.
  const isNews = passed === false || external !== null || active?.sop_id !== sop_id;
  return [...(active !== null && isNews ? [active] : []), ...candidates.filter(isSetBack)].map((sop) => sop.sop_id);
}

/** A refused update puts the version before it into use again. */
async function movedBy(store: Store, { task_id }: TaskScore): Promise<string[]> {
  const journal = await store.readJournal(task_id).catch(unlessDamaged);
  return projection(journal ?? []).versions.changes.map(({ sop_id }) => sop_id);
}

async function judgeVersion(deps: Deps, sop_id: string): Promise<void> {
  const { store } = deps;
  for (;;) {
    const sop = await store.findSop(sop_id);
    if (sop === null || (sop.status !== "active" && !isSetBack(sop))) return;
    const commit = await commitFor(deps, sop);
    if (commit === null) return;
    const { ok } = await store.commit(commit);
    if (ok) return settled(deps, sop, commit);
    // Something of the version has just changed: look again.
  }
}

async function commitFor(deps: Deps, sop: Sop): Promise<Commit | null> {
  const demotion = demotionOf(await runsOfVersion(deps.store, sop));
  if (isSetBack(sop)) return offeredAgain(deps, sop, demotion);
  if (demotion === null) return null;
  // Each run on trial asks a human anyway (D-200).
  if (sop.trial_left > 0 && demotion.rule !== "refuted") return null;
  const earlier = await earlierVersion(deps.store, sop);
  if (!setsBack(demotion) || deps.mode === "tell") return saidOnce(deps, sop, demotion, earlier);
  const { rule, why } = demotion;
  const shown = { sop, runs: await allRunsOf(deps.store, sop), demotion: { rule, why, holds: true }, earlier };
  const set_back = await setBackOf(deps.store, shown);
  return setBackCommit(deps, sop, set_back);
}

/** Where its record calls for something else than its open approval says. One that is decided on is left alone. */
async function offeredAgain(deps: Deps, sop: Sop, demotion: Demotion | null): Promise<Commit | null> {
  const thread_id = promotionThread(sop.sop_id, sop.promotion_round);
  const [asked] = await deps.store.listApprovals({ thread_id, status: "pending", limit: 1 });
  const shown = asked !== undefined && "set_back" in asked.content ? asked.content.set_back : undefined;
  if (asked === undefined || shown === undefined || shown.holds === setsBack(demotion)) return null;
  const { rule, why } = setsBack(demotion) ? demotion : shown;
  const now = { rule, why, holds: setsBack(demotion) };
  const runs = await allRunsOf(deps.store, sop);
  const set_back = await setBackOf(deps.store, { sop, runs, demotion: now, earlier: shown.earlier });
  return setBackCommit(deps, sop, set_back, asked.approval_id);
}

/** The same runs are not the reason of a second message. */
async function saidOnce(
  { store }: Deps,
  sop: Sop,
  demotion: Demotion,
  earlier: SetBack["earlier"],
): Promise<Commit | null> {
  const journal = await store.readJournal(promotionThread(sop.sop_id, sop.promotion_round));
  const said = projection(journal).versions.failing;
  const isKnown = said?.rule === demotion.rule && said.tasks.some((task_id) => demotion.tasks.includes(task_id));
  if (isKnown) return null;
  return failingCommit(sop, demotion, { after: journal.at(-1) ?? null, earlier });
}

/** The thread of the promotion before it has ended, and that of the new one waits to be run. */
async function settled({ checkpoints, promotions }: Deps, sop: Sop, { thread_id }: Commit): Promise<void> {
  const before = promotionThread(sop.sop_id, sop.promotion_round);
  if (thread_id === before) return;
  await checkpoints.deleteThread(before);
  promotions.dispatch(sop.sop_id, { kind: "recover" });
}

// Sets a version back, or offers it again, in one commit (D-294): a candidate, on the thread of a new promotion, with the approval
// that it asks for and a message to the supervisor.

type Judged = {
  readonly sop: Sop;
  readonly runs: readonly TaskScore[];
  readonly demotion: Pick<SetBack, "rule" | "why" | "holds">;
  readonly earlier: SetBack["earlier"];
};

async function setBackOf(store: Pick<Store, "findTask">, { sop, runs, demotion, earlier }: Judged): Promise<SetBack> {
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
function setBackCommit(deps: ApprovalDeps, sop: Sop, set_back: SetBack, withdrawn: string | null = null): Commit {
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
function failingCommit(
  sop: Sop,
  { rule, why, tasks }: Demotion,
  { after, earlier }: { readonly after: Commit["after"] } & Pick<SetBack, "earlier">,
): Commit {
  const { sop_id, version } = sop;
  const message = `${about(sop)} stays in use, and may not work (${why}).`;
  const body = { sop_id, version, rule, tasks: tasks.slice(0, MOST_SHOWN), earlier, message };
  return { thread_id: promotionThread(sop_id, sop.promotion_round), after, events: [{ kind: "sop_failing", body }] };
}
