// Ends a trial (D-200): a run of a version that no run has proved on this target yet. A proof ends it, and so does a run that passed where
// the version before is proved no better. Otherwise that version is active again, in the commit that ends the task, and the
// supervisor is sent a message. A version that passed asks to be kept (D-413).
import type { Change } from "../../domain/change.ts";
import type { NewEvent } from "../../domain/journal.ts";
import type { Procedure, Sop } from "../../domain/sop.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { Store } from "../../ports.ts";
import { approvedOf } from "./active-sop.ts";
import { firstRunWarningIn } from "./sop-proof.ts";
import { isBetterProved, type Moves, moved, type RunProof, runProof, sopChanged, together } from "./sop-versions.ts";

export type TrialEnd = Moves & {
  /** For the supervisor; null where there is nothing to say. */
  readonly sentence: string | null;
};

type Trial = { readonly task_id: string; readonly sop_id: string; readonly verdict: Verdict };

/** What a run says of a version on trial. Null when it is not on trial any more. */
export async function trialEnd(
  store: Pick<Store, "findSop">,
  { task_id, sop_id, verdict }: Trial,
): Promise<TrialEnd | null> {
  const sop = await store.findSop(sop_id);
  if (sop === null || sop.status !== "active" || sop.trial_left === 0) return null;
  const replaced = sop.replaced_sop_id === null ? null : await store.findSop(sop.replaced_sop_id);
  return trialEndOf(sop, replaced?.status === "deprecated" ? replaced : null, { task_id, verdict });
}

/** What the approval of the version warned of its first run; null where that run may prove it. */
export async function firstRunWarning(
  store: Pick<Store, "findSop" | "listApprovals">,
  { sop_id, on_trial }: Pick<Procedure, "sop_id" | "on_trial">,
): Promise<string | null> {
  const sop = on_trial === true && sop_id !== null ? await store.findSop(sop_id) : null;
  const [approval] = sop === null ? [] : await approvedOf(store, sop);
  const content = approval?.content;
  return content !== undefined && "steps" in content ? firstRunWarningIn(content.proof?.warnings ?? []) : null;
}

type Version = Pick<Sop, "sop_id" | "version" | "status">;
type Previous = Version & Pick<Sop, "level">;
type OnTrial = Version & Pick<Sop, "intent" | "target_signature" | "level" | "trial_left" | "promotion_round">;
type Run = Pick<Trial, "task_id" | "verdict">;

/** `previous`: the version that it gives way to where it was not proved. */
export function trialEndOf(sop: OnTrial, previous: Previous | null, { task_id, verdict }: Run): TrialEnd {
  const run = runProof(verdict, sop.intent);
  if (run !== "not_proved") return { ...passed(sop, run, task_id), sentence: null };
  if (!verdict.passed) return previous === null ? trialAgain(sop) : givenBack(sop, previous, { task_id, verdict });
  return previous !== null && isBetterProved(previous.level, "tried")
    ? asksToBeKept(sop, previous, task_id)
    : acceptedAsIs(sop, task_id);
}

/** The run says nothing of the version. */
export const trialAgain = ({ version }: Pick<Version, "version">): TrialEnd => ({
  ...UNCHANGED,
  sentence: `Version ${version} of the procedure stays on trial: its next run asks for an approval again.`,
});

/** Where nothing could be looked at, another run would say no more. */
function passed(sop: OnTrial, run: RunProof, task_id: string): Moves {
  const level = run === "proved" ? "proved" : "tried";
  const why =
    run === "proved" ? `proved by task ${task_id}` : `passed in task ${task_id}, which could not be proved here`;
  return changed(sop, { level, trial_left: sop.trial_left - 1 }, why);
}

const UNCHANGED: Moves = { events: [], changes: [] };

/** A human has approved the run, and no version before it is proved better: to ask at each run would not make a better check. */
const acceptedAsIs = (sop: OnTrial, task_id: string): TrialEnd => ({
  ...changed(sop, { level: "tried", trial_left: sop.trial_left - 1 }, `passed in task ${task_id}, not proved`),
  sentence: `Version ${sop.version} of the procedure has passed its trial without a proof.`,
});

const changed = (sop: OnTrial, set: Pick<Sop, "level" | "trial_left">, why: string): Moves => ({
  events: [sopChanged(sop, sop.status, why, set)],
  changes: [ofTrial(sop, set)],
});

const ofTrial = ({ sop_id, status, trial_left }: OnTrial, set: Extract<Change, { on: "sop" }>["set"]): Change => ({
  on: "sop",
  sop_id,
  expect: { status, trial_left },
  set,
});

/** A candidate again, on the thread of a new promotion, which the worker opens after the task. */
function asksToBeKept(sop: OnTrial, previous: Version, task_id: string): TrialEnd {
  const { sop_id, version, status, trial_left, promotion_round } = sop;
  const why = `passed in task ${task_id}, and its checks could not be shown to fail`;
  const sentence =
    `The first run of version ${version} passed, but its checks could not be shown to fail: ` +
    `version ${previous.version} is in use again. Version ${version} asks in the inbox to be kept.`;
  const set = { status: "candidate", level: "tried", trial_left: 0, promotion_round: promotion_round + 1 } as const;
  const aside: Moves = {
    events: [sopChanged(sop, "candidate", why)],
    changes: [{ on: "sop", sop_id, expect: { status, trial_left, promotion_round }, set }],
  };
  const back = moved(previous, "active", `the first run of version ${version} did not prove it`);
  const { events, changes } = together(aside, back);
  return { events: [...events, messageOf(sop, previous, { task_id, sentence })], changes, sentence };
}

/** Until D-413 also where the run had passed, so bundles may have it. */
export function givenBack(sop: OnTrial, previous: Version, { task_id, verdict }: Run): TrialEnd {
  const how = verdict.passed ? "ended without a proof" : "failed";
  const sentence = `The trial of version ${sop.version} ${how}: version ${previous.version} is active again.`;
  const why = `its trial ${how} in task ${task_id}`;
  const { events, changes } = together(
    // Another run may just have ended the trial.
    { ...moved(sop, "deprecated", why), changes: [ofTrial(sop, { status: "deprecated" })] },
    moved(previous, "active", `the trial of version ${sop.version} ${how}`),
  );
  return { events: [...events, messageOf(sop, previous, { task_id, sentence })], changes, sentence };
}

function messageOf(
  sop: OnTrial,
  previous: Version,
  said: { readonly task_id: string; readonly sentence: string },
): NewEvent {
  const { sop_id, version, intent, target_signature } = sop;
  const message = `${intent} on "${target_signature}", task ${said.task_id}. ${said.sentence}`;
  return { kind: "sop_trial_failed", body: { sop_id, version, active_version: previous.version, message } };
}
