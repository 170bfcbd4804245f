// The end of a trial (D-200): a run of a version that no run has proved on this target yet. Proved: the trial is over. Not proved:
// the version before it is active again, in the commit that ends the task, and the supervisor is sent a message.

import type { Change } from "../domain/change.ts";
import type { Sop } from "../domain/sop.ts";
import { type RunProof, runProof } from "../domain/sop-level.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Store } from "../ports.ts";
import { type Moves, moved, sopChanged, together } from "./sop-versions.ts";

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

type Version = Pick<Sop, "sop_id" | "version" | "status">;
type OnTrial = Version & Pick<Sop, "intent" | "target_signature" | "level" | "trial_left">;
type Run = Pick<Trial, "task_id" | "verdict">;

/** `previous`: the version that it gives way to where it was not proved. */
export function trialEndOf(sop: OnTrial, previous: Version | null, { task_id, verdict }: Run): TrialEnd {
  const run = runProof(verdict, sop.intent);
  if (run !== "not_proved") return { ...passed(sop, run, task_id), sentence: null };
  if (previous === null) return verdict.passed ? acceptedAsIs(sop, task_id) : { ...UNCHANGED, sentence: AGAIN(sop) };
  return givenBack(sop, previous, { task_id, verdict });
}

const AGAIN = ({ version }: Version): string =>
  `Version ${version} of the procedure stays on trial: its next run asks for an approval again.`;

/** Where nothing could be looked at, another run would say no more. */
function passed(sop: OnTrial, run: RunProof, task_id: string): Moves {
  const level = run === "proved" ? "proved" : "tried";
  const why =
    run === "proved" ? `proved by task ${task_id}` : `passed in task ${task_id}, which could not be proved here`;
  return changed(sop, { level, trial_left: sop.trial_left - 1 }, why);
}

const UNCHANGED: Moves = { events: [], changes: [] };

/** A human has approved the run, and there is no version to give way to: to ask at each run would not make a better check. */
const acceptedAsIs = (sop: OnTrial, task_id: string): TrialEnd => ({
  ...changed(sop, { level: "tried", trial_left: sop.trial_left - 1 }, `passed in task ${task_id}, not proved`),
  sentence: `Version ${sop.version} of the procedure has passed its trial without a proof.`,
});

const changed = (sop: OnTrial, set: Pick<Sop, "level" | "trial_left">, why: string): Moves => ({
  events: [sopChanged(sop, sop.status, why, set)],
  changes: [ofTrial(sop, set)],
});

const ofTrial = ({ sop_id, status, trial_left }: OnTrial, set: Extract<Change, { on: "sop" }>["set"]): Change => ({
  ...{ on: "sop", sop_id },
  ...{ expect: { status, trial_left }, set },
});

function givenBack(sop: OnTrial, previous: Version, { task_id, verdict }: Run): TrialEnd {
  const how = verdict.passed ? "ended without a proof" : "failed";
  const sentence = `The trial of version ${sop.version} ${how}: version ${previous.version} is active again.`;
  const why = `its trial ${how} in task ${task_id}`;
  const { events, changes } = together(
    // Another run may just have ended the trial.
    { ...moved(sop, "deprecated", why), changes: [ofTrial(sop, { status: "deprecated" })] },
    moved(previous, "active", `the trial of version ${sop.version} ${how}`),
  );
  const { sop_id, version } = sop;
  const message = `${sop.intent} on "${sop.target_signature}", task ${task_id}. ${sentence}`;
  const body = { sop_id, version, active_version: previous.version, message };
  return { events: [...events, { kind: "sop_trial_failed", body }], changes, sentence };
}
