// T4 and T6 compare full weeks: what is less within the noise of both is neither met nor missed.
import { sum } from "./counts.ts";
import type { Given, TargetReading } from "./reading.ts";
import { percent, quotient } from "./target.ts";
import { wilson, Z } from "./wilson.ts";
import { worstOf } from "./worst.ts";

type OverWeeks = Pick<Given, "tallies" | "full_weeks">;

const LESS = 0.2;

/** Delegated: carried from acceptance to its end without work handed back. What the supervisor did by itself, orch cannot see. */
export function weekReading({ tallies, full_weeks }: OverWeeks): TargetReading {
  const [before, last] = full_weeks.slice(-2);
  const of_last = tallies.filter(({ week }) => week === last);
  const [was, is] = [sum(tallies.filter(({ week }) => week === before)), sum(of_last)];
  const [old, now] = [wilson(was.tasks - was.handed_back, was.tasks), wilson(is.tasks - is.handed_back, is.tasks)];
  const value = quotient(is.tasks - is.handed_back, is.tasks);
  const isNoLess = (value ?? 0) >= (quotient(was.tasks - was.handed_back, was.tasks) ?? 1);
  const state = now.upper < old.lower ? "missed" : is.tasks > 0 && isNoLess ? "met" : "unproven";
  return {
    ...{ state, value, ...now },
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
    ...{ state, value, lower, upper },
    message: `${asked} questions in ${is.tasks} tasks of the last four full weeks, ${asked_before} in ${was.tasks} of the four before.`,
    worst: worstOf(of_last, {
      cost: ({ questions, approvals }) => questions + approvals,
      operation: () => "update_sop",
    }),
  };
}
