// How T1 to T6 are read, each from what was counted (D-289).
import { subjectOfThread } from "../thread-id.ts";
import { type ScoreTally, sum } from "./counts.ts";
import type { BrokenChain } from "./kept-chains.ts";
import type { KeyedTally } from "./kept-scores.ts";
import { judgeable, leftOutOf } from "./lists.ts";
import type { Given, TargetReading } from "./reading.ts";
import { percent, quotient, ratioTarget, type TargetState } from "./target.ts";
import { wilson, Z } from "./wilson.ts";
import { worstOf } from "./worst.ts";

// T4 and T6 compare full weeks: what is less within the noise of both is neither met nor missed.

type OverWeeks = Pick<Given, "tallies" | "full_weeks">;

const LESS = 0.2;

/** Delegated: carried from acceptance to its end without work handed back. What the supervisor did by itself, orch cannot see. */
function weekReading({ tallies, full_weeks }: OverWeeks): TargetReading {
  const [before, last] = full_weeks.slice(-2);
  const of_last = tallies.filter(({ week }) => week === last);
  const [was, is] = [sum(tallies.filter(({ week }) => week === before)), sum(of_last)];
  const [old, now] = [wilson(was.tasks - was.handed_back, was.tasks), wilson(is.tasks - is.handed_back, is.tasks)];
  const value = quotient(is.tasks - is.handed_back, is.tasks);
  const isNoLess = (value ?? 0) >= (quotient(was.tasks - was.handed_back, was.tasks) ?? 1);
  const state = now.upper < old.lower ? "missed" : is.tasks > 0 && isNoLess ? "met" : "unproven";
  return {
    state,
    value,
    ...now,
    message: `${is.tasks - is.handed_back} of ${is.tasks} carried to their end in ${last} (${percent(value)}), ${was.tasks - was.handed_back} of ${was.tasks} the week before.`,
    worst: worstOf(of_last, { cost: (tally) => tally.handed_back, operation: () => "teach" }),
  };
}

/** Of so few questions that there may have been none, nothing says how many times as many there are now. */
const numberOrNone = (ratio: number): number | null => (Number.isFinite(ratio) ? ratio : null);

/** Questions and approvals per task, the last four full weeks against the four before. Counts of questions are as noisy as their root. */
export function questionsReading({ tallies, full_weeks }: OverWeeks): TargetReading {
  const of_last = tallies.filter(({ week }) => full_weeks.slice(-4).includes(week));
  const [was, is] = [sum(tallies.filter(({ week }) => full_weeks.slice(-8, -4).includes(week))), sum(of_last)];
  const [asked_before, asked] = [was.questions + was.approvals, is.questions + is.approvals];
  const rate = (count: number, tasks: number, z: number) => Math.max(0, count + z * Math.sqrt(count)) / tasks;
  const less = (z: number) => 1 - rate(asked, is.tasks, -z) / rate(asked_before, was.tasks, z);
  const is_known = was.tasks > 0 && is.tasks > 0 && asked_before > 0;
  const value = is_known ? less(0) : null;
  const [lower, upper] = is_known ? [numberOrNone(less(-Z)), numberOrNone(less(Z))] : [null, null];
  const state = (lower ?? 0) >= LESS ? "met" : upper !== null && upper < LESS ? "missed" : "unproven";
  return {
    state,
    value,
    lower,
    upper,
    message: `${asked} questions in ${is.tasks} tasks of the last four full weeks, ${asked_before} in ${was.tasks} of the four before.`,
    worst: worstOf(of_last, {
      cost: ({ questions, approvals }) => questions + approvals,
      operation: () => "update_sop",
    }),
  };
}

const VERIFIED = 0.95;
const TAUGHT = 0.9;
const NEW = 0.3;
const SHOWN = 5;

/**
 * By the literal ratio, and between which bounds it ends once everything was looked at: the ratio is the lower one (D-359). Missed where
 * no further verification can repair it, or where those on record say so.
 */
export function verifiedReading(tallies: readonly KeyedTally[]): TargetReading {
  const shown = judgeable(tallies);
  const { done, verified, refuted, done_unseen } = sum(shown);
  const value = quotient(verified, done);
  const needed = Math.ceil(VERIFIED * done) - verified;
  const likely = wilson(verified, verified + refuted).upper;
  const state = verifiedState({ done, verified, refuted }, likely);
  const more = state === "unproven" && done > 0 ? ` ${needed} more verifications that agree would prove it.` : "";
  return {
    state,
    value,
    lower: value,
    upper: quotient(done - refuted, done),
    message: `${verified} of ${done} DONE verified (${percent(value)}), ${refuted} refuted, ${done - verified - refuted} not verified; ${done_unseen} with checks never seen to fail.${more}${foreseen({ state, done, refuted }, likely)}${leftOutOf(tallies)}`,
    // One that was false costs more than any number that was not looked at.
    worst: [
      ...worstOf(shown, { cost: (tally) => tally.refuted, operation: () => "update_sop" }),
      ...worstOf(shown, { cost: unverifiedIn, operation: () => "record_verification" }),
    ].slice(0, SHOWN),
  };
}

/** Why it is missed although what was not looked at could still repair it. */
function foreseen(
  { state, done, refuted }: Pick<ScoreTally, "done" | "refuted"> & { state: TargetState },
  likely: number,
) {
  if (state !== "missed" || (done - refuted) / done < VERIFIED) return "";
  return ` By what was looked at, at most ${percent(likely)} is true.`;
}

function verifiedState(
  { done, verified, refuted }: Pick<ScoreTally, "done" | "verified" | "refuted">,
  upper: number,
): TargetState {
  if (done === 0) return "unproven";
  if (verified / done >= VERIFIED) return "met";
  return (done - refuted) / done < VERIFIED || upper < VERIFIED ? "missed" : "unproven";
}

const unverifiedIn = ({ done, verified, refuted }: ScoreTally): number => done - verified - refuted;

function brokenReading({ shown, chains }: Given): TargetReading {
  const { tasks, broken, unknown_retry } = sum(shown);
  const again =
    unknown_retry === 0 ? "" : ` ${unknown_retry} more ran again after an unknown outcome, as somebody said.`;
  const folded = sum(shown.filter(({ broken_why }) => broken_why === CHAIN)).broken;
  const value = broken - folded + Math.max(folded, chains.broken.length);
  const state = value > 0 ? "missed" : tasks > 0 && chains.is_whole ? "met" : "unproven";
  const rest = chains.is_whole ? "" : ` ${chains.judged} journals were looked at so far, not all of them: ask again.`;
  return {
    state,
    value,
    lower: null,
    upper: null,
    message: `${value} broken promises in ${tasks} tasks: steps that ran without approval, out of scope, blocked or twice, and broken chains.${again}${brokenSentence(chains)}${rest}`,
    worst: [
      ...chains.broken.map((chain) => ({ about: nameOf(chain), ...NO_VERSION, count: 1, operation: "get_evidence" })),
      ...worstOf(shown, {
        cost: (tally) => tally.broken,
        operation: () => "get_evidence",
        about: ({ broken_why, intent, target_signature }) => `${broken_why}: ${intent} on "${target_signature}"`,
      }),
    ].slice(0, SHOWN),
  };
}

/** The rule of a task whose journal did not verify when it was counted. */
export const CHAIN = "chain";
const NO_VERSION = { sop_id: null, sop_version: null };

const nameOf = ({ thread_id, seq }: BrokenChain): string =>
  `the journal of ${isTask(thread_id) ? "task " : ""}${thread_id}${seq === null ? ", whose end is missing" : ` from entry ${seq} on`}`;

const isTask = (thread_id: string): boolean => subjectOfThread(thread_id).kind === "task" && !thread_id.includes("/");

function brokenSentence({ broken }: Given["chains"]): string {
  if (broken.length === 0) return "";
  const more = broken.length > SHOWN ? `, and ${broken.length - SHOWN} more` : "";
  return ` Not as it was written: ${broken.slice(0, SHOWN).map(nameOf).join("; ")}${more}.`;
}

/** Verified success over all tasks of the group. What nothing outside has judged yet may still become either. */
function taughtReading({ shown }: Given): TargetReading {
  const in_mode = shown.filter(({ cohort }) => cohort === "teach");
  const of_group = judgeable(in_mode);
  const { tasks, done, done_unseen, verified, refuted, taught, taught_done } = sum(of_group);
  const lower = wilson(verified, tasks).lower;
  const upper = wilson(done - refuted, tasks).upper;
  return {
    state: tasks === 0 ? "unproven" : lower >= TAUGHT ? "met" : upper < TAUGHT ? "missed" : "unproven",
    value: quotient(verified, tasks),
    lower,
    upper,
    message: `${verified} of ${tasks} verified, ${done} DONE, ${refuted} of them refuted, ${done_unseen} with checks never seen to fail; of those taught in the task ${taught_done} of ${taught} DONE.${leftOutOf(in_mode)}`,
    worst: worstOf(of_group, {
      cost: (tally) => tally.tasks - tally.done + tally.refuted,
      operation: ({ reason_code, refuted: wrong }) =>
        reason_code === "check_failed" || wrong > 0 ? "update_sop" : "get_evidence",
      about: ({ reason_code, refuted: wrong, intent, target_signature }) =>
        `${wrong > 0 ? "refuted" : reason_code}: ${intent} on "${target_signature}"`,
    }),
  };
}

function growthReading({ shown, first_weeks }: Given): TargetReading {
  const in_new = shown.filter(
    ({ cohort, target_signature, week }) => cohort !== "update" && first_weeks.get(target_signature) === week,
  );
  const { promoted, without_sop } = sum(in_new);
  return {
    ...ratioTarget(Math.min(promoted, without_sop), without_sop, NEW),
    message: `${promoted} procedures became active for ${without_sop} tasks without one, on targets that were new that week.`,
    worst: worstOf(in_new, { cost: (tally) => tally.without_sop - tally.promoted, operation: () => "teach" }),
  };
}

export const readings = {
  T1: ({ shown }: Given) => verifiedReading(shown),
  T2: brokenReading,
  T3: taughtReading,
  T4: weekReading,
  T5: growthReading,
  T6: questionsReading,
} as const;
