// When a version in use has lost its proof (D-302): by what was found outside of orch, or by its own runs. A rule acts where the true
// ratio is hardly as good as it has to be (Wilson's upper bound), so one success more never sets a version back.
import { counted } from "../outcome.ts";
import { upper } from "./wilson.ts";

/** A run of the version in its present window. */
export type VersionRun = {
  readonly task_id: string;
  /** Null where it says nothing of the procedure: it ran nothing, or its engine is at fault (D-100). */
  readonly passed: boolean | null;
  /** What was found outside of orch of a run that is DONE. */
  readonly verified: boolean | null;
};

export type VersionRecord = {
  readonly runs: number;
  readonly passed: number;
  readonly verified: number;
  readonly refuted: number;
  readonly failed_in_a_row: number;
};

export type Demotion = {
  /** `refuted` and `failing` set the version back; `streak` only sends a message. */
  readonly rule: "refuted" | "failing" | "streak";
  readonly why: string;
  /** The runs that are the reason, newest first. */
  readonly tasks: readonly string[];
};

/** The promise of the service is 95 % verified success. */
const VERIFIED = 0.95;
const PASSED = 0.5;
const WINDOW = 20;
const STREAK = 3;

const idsOf = (runs: readonly VersionRun[]): string[] => runs.map(({ task_id }) => task_id);
const judgedOf = (runs: readonly VersionRun[]) => runs.filter(({ passed }) => passed !== null);

/** `runs` are newest first. */
export function versionRecord(runs: readonly VersionRun[]): VersionRecord {
  const judged = judgedOf(runs);
  const since_success = judged.findIndex(({ passed }) => passed === true);
  return {
    runs: judged.length,
    passed: judged.filter(({ passed }) => passed === true).length,
    verified: runs.filter(({ verified }) => verified === true).length,
    refuted: runs.filter(({ verified }) => verified === false).length,
    failed_in_a_row: since_success === -1 ? judged.length : since_success,
  };
}

/** Null while nothing is to be said. `runs` are newest first. */
export function demotionOf(runs: readonly VersionRun[]): Demotion | null {
  const { verified, refuted, failed_in_a_row } = versionRecord(runs);
  if (upper(verified, verified + refuted) < VERIFIED) {
    const tasks = idsOf(runs.filter((run) => run.verified === false));
    return { rule: "refuted", why: `refuted: ${verified} of ${verified + refuted} verified`, tasks };
  }
  const recent = judgedOf(runs).slice(0, WINDOW);
  const failed = recent.filter(({ passed }) => passed === false);
  if (upper(recent.length - failed.length, recent.length) < PASSED) {
    const passed = `${recent.length - failed.length} of the last ${counted(recent.length, "run")} passed`;
    return { rule: "failing", why: `failing: ${passed}`, tasks: idsOf(failed) };
  }
  if (failed_in_a_row < STREAK) return null;
  const streak = idsOf(judgedOf(runs).slice(0, failed_in_a_row));
  return { rule: "streak", why: `failing: its last ${failed_in_a_row} runs failed`, tasks: streak };
}

/** Of a set back. */
export const setsBack = (demotion: Demotion | null): boolean => demotion !== null && demotion.rule !== "streak";
