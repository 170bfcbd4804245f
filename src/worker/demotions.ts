// Judges versions by their records once their tasks are scored (D-294): never in a task's own commits. How far it has read is a duty
// of its own, written after what follows from it, so that a stop between the two repeats a look and loses none.
import { setImmediate as turn } from "node:timers/promises";
import { createMutex } from "../domain/mutex.ts";
import { type Demotion, demotionOf, setsBack } from "../domain/scorecard/demotion.ts";
import type { TaskScore } from "../domain/scorecard/task-score.ts";
import type { SetBack } from "../domain/set-back.ts";
import { isSetBack, type Sop } from "../domain/sop.ts";
import { promotionThread, subjectOfThread } from "../domain/thread-id.ts";
import type { Commit, Store } from "../ports.ts";
import type { ApprovalDeps } from "../tasks/approval-record.ts";
import { projection } from "../tasks/projection.ts";
import { failingCommit, setBackCommit, setBackOf } from "../tasks/set-back.ts";
import { allRunsOf, earlierVersion, runsOfVersion } from "../tasks/version-runs.ts";
import { isFenced } from "./fence.ts";
import type { Promotions } from "./promotions.ts";
import type { Checkpoints } from "./run-thread.ts";
import { SCORE_DUTY } from "./score-keeper.ts";
import { unlessDamaged } from "./scored-journal.ts";

type Deps = ApprovalDeps & {
  readonly store: Store;
  /** Runs the promotion that a set back opens. */
  readonly promotions: Pick<Promotions, "dispatch">;
  readonly checkpoints: Pick<Checkpoints, "deleteThread">;
  /** SOP_DEMOTION */
  readonly mode: "off" | "tell" | "set_back";
  readonly log: { error(details: object, message: string): void };
};

export type Demotions = {
  /** Judges the versions of the tasks that were scored since the last look, while there is time. Never rejects. */
  readonly look: (hasTime?: () => boolean) => Promise<void>;
};

const DEMOTION_DUTY = "demotion";
const SLICE = 200;

export function createDemotions(deps: Deps): Demotions {
  const { log } = deps;
  const mutex = createMutex();
  /** Slice by slice, so that one with little time is not held up by one with all of it. */
  const judge = async (hasTime: () => boolean): Promise<void> => {
    for (let is_more = true; is_more && hasTime(); await turn()) is_more = await mutex.run(() => judgeSlice(deps));
  };

  return {
    look: (hasTime = () => true) =>
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
  return projection(journal ?? []).sop_changes.map(({ sop_id }) => sop_id);
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
  const said = projection(journal).failing;
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
