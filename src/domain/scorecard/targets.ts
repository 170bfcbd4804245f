// The targets of the service and their states, from the tallies of the weeks [8.target.T1]. A ratio of few cases meets nothing and misses
// nothing: it is unproven. The readings are those of D-289.
import { z } from "zod";
import { READ_ONLY_INTENTS } from "../contract.ts";
import { subjectOfThread } from "../thread-id.ts";
import { type Bounds, percent, quotient, wilson, Z } from "./arithmetic.ts";
import { type ScoreTally, sum } from "./counts.ts";
import type { BrokenChain, ChainCheck, KeyedTally } from "./kept-scores.ts";

const TARGET_IDS = ["T1", "T2", "T3", "T4", "T5", "T6"] as const;
type TargetId = (typeof TARGET_IDS)[number];

const TargetState = z.enum(["met", "missed", "unproven"]);
type TargetState = z.infer<typeof TargetState>;

const Worst = z.strictObject({
  about: z.string().describe("a procedure as intent and target, a reason_code, a rule or a group"),
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  count: z.number().describe("what it cost"),
  operation: z.string().describe("the operation that mends it, or shows more"),
});
type Worst = z.infer<typeof Worst>;

export const ScoreTarget = z.strictObject({
  id: z.enum(TARGET_IDS),
  wording: z.string().describe("of the specification, section 8 unless it says another"),
  state: TargetState,
  value: z.number().nullable().describe("null where there is nothing to count"),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  wanted: z.string(),
  message: z.string().describe("the numbers as a sentence, and what would decide"),
  worst: z.array(Worst).describe("what costs most, worst first: correct it before you change the model"),
});
export type ScoreTarget = z.infer<typeof ScoreTarget>;

type Scored = {
  /** Of the weeks shown, and at least of the eight full weeks before this one. */
  readonly tallies: readonly KeyedTally[];
  /** The weeks shown, oldest first; the last one is not over. */
  readonly weeks: readonly string[];
  /** The eight full weeks before this one, oldest first. */
  readonly full_weeks: readonly string[];
  readonly first_weeks: ReadonlyMap<string, string>;
  readonly chains: ChainCheck;
};

/** `shown`: of the weeks shown. */
type Given = Scored & { readonly shown: readonly KeyedTally[] };

/** What is read of a target, without its wording. */
type TargetReading = Ratio & { readonly message: string; readonly worst: Worst[] };

const WORDINGS: Readonly<Record<TargetId, readonly [wording: string, wanted: string]>> = {
  T1: ["verified success ratio (verified_ok over orchestrator-DONE) at least 95%", "at least 95 %"],
  T2: ["a further count, whose metric is unnamed, must be 0 (read as: broken promises)", "0"],
  T3: ["success ratio of the teach_if_unknown group at least 90%", "at least 90 %"],
  T4: ["delegated tasks over all tasks must not worsen week over week", "not worse than the week before"],
  T5: ["new SOPs over new tasks roughly at least 30% in new areas", "at least 30 %"],
  T6: ["a reduction of at least 20% in a further unnamed measure (read as: questions per task)", "at least 20 % less"],
};

export function targetsOf(scored: Scored): ScoreTarget[] {
  const shown = scored.tallies.filter(({ week }) => scored.weeks.includes(week));
  const isBroken = scored.chains.broken.length > 0 || shown.some(({ broken_why }) => broken_why === CHAIN);
  const held = (reading: TargetReading) => (isBroken ? withoutProof(reading) : reading);
  return TARGET_IDS.map((id) => named(id, held(readings[id]({ ...scored, shown }))));
}

/** Numbers from a journal that is not as it was written prove nothing. */
const withoutProof = (reading: TargetReading): TargetReading =>
  reading.state === "met"
    ? { ...reading, state: "unproven", message: `${reading.message} Not met while a journal does not verify: see T2.` }
    : reading;

function named(id: TargetId, reading: TargetReading): ScoreTarget {
  const [wording, wanted] = WORDINGS[id];
  return { id, wording, wanted, ...reading };
}

const readings = {
  T1: ({ shown }: Given) => verifiedReading(shown),
  T2: brokenReading,
  T3: taughtReading,
  T4: weekReading,
  T5: growthReading,
  T6: questionsReading,
} satisfies Record<TargetId, (given: Given) => TargetReading>;

const VERIFIED = 0.95;
const TAUGHT = 0.9;
const NEW = 0.3;
const LESS = 0.2;
const SHOWN = 5;

/**
 * By the literal ratio, and between which bounds it ends once everything was looked at: the ratio is the lower one (D-359). Missed where
 * no further verification can repair it, or where those on record say so.
 */
function verifiedReading(tallies: readonly KeyedTally[]): TargetReading {
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
const CHAIN = "chain";
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

// T4 and T6 compare full weeks: what is less within the noise of both is neither met nor missed.

type OverWeeks = Pick<Given, "tallies" | "full_weeks">;

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

/** Of so few questions that there may have been none, nothing says how many times as many there are now. */
const numberOrNone = (ratio: number): number | null => (Number.isFinite(ratio) ? ratio : null);

/** Questions and approvals per task, the last four full weeks against the four before. Counts of questions are as noisy as their root. */
function questionsReading({ tallies, full_weeks }: OverWeeks): TargetReading {
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

/** Of a ratio that has to reach `wanted`. */
const stateOf = ({ lower, upper }: Bounds, wanted: number): TargetState =>
  lower >= wanted ? "met" : upper < wanted ? "missed" : "unproven";

type Ratio = Pick<ScoreTarget, "state" | "value" | "lower" | "upper">;

const ratioTarget = (good: number, all: number, wanted: number): Ratio => {
  const bounds = wilson(good, all);
  return { state: all === 0 ? "unproven" : stateOf(bounds, wanted), value: quotient(good, all), ...bounds };
};

// What costs most of a target: the tallies of each procedure, reason or group together, worst first.

type Costs = {
  readonly cost: (tally: KeyedTally) => number;
  readonly operation: (tally: KeyedTally) => string;
  /** By procedure where it is not given. */
  readonly about?: (tally: KeyedTally) => string;
};

function worstOf(tallies: readonly KeyedTally[], { cost, operation, about }: Costs): Worst[] {
  const found = new Map<string, Worst>();
  for (const tally of tallies) {
    const count = cost(tally);
    if (count === 0) continue;
    const { sop_id, sop_version } = about === undefined ? tally : NO_VERSION;
    const name = about?.(tally) ?? procedureOf(tally);
    const key = `${name} ${sop_id}`;
    const before = found.get(key)?.count ?? 0;
    found.set(key, { about: name, sop_id, sop_version, count: before + count, operation: operation(tally) });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || a.about.localeCompare(b.about)).slice(0, SHOWN);
}

const procedureOf = ({ intent, target_signature, sop_version, cohort }: KeyedTally): string =>
  `${intent} on "${target_signature}"${sop_version === null ? ` (${cohort})` : ` v${sop_version}`}`;

/** What has changed something, and diagnostic DONE that something outside has judged, which is true or false like the rest. */
const judgeable = (tallies: readonly KeyedTally[]): readonly KeyedTally[] =>
  tallies.map((tally) => {
    if (!READ_ONLY_INTENTS.has(tally.intent)) return tally;
    const judged = tally.verified + tally.refuted;
    return { ...tally, tasks: judged, done: judged, done_unseen: Math.min(tally.done_unseen, judged) };
  });

/** As a sentence; empty where nothing is left out. */
function leftOutOf(tallies: readonly KeyedTally[]): string {
  const left = sum(tallies).done - sum(judgeable(tallies)).done;
  return left === 0 ? "" : ` Left out: ${left} DONE of diagnostic intents that nothing outside has judged.`;
}
