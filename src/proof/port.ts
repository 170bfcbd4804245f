// The port of proof: what finds out whether a check can fail, away from the task that runs it (D-193).
import type { Change } from "../domain/change.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Examination } from "../domain/proof.ts";
import type { Mend } from "./mends.ts";

/** A check of a plan, or of an agent, with what it is run for. */
export type ExaminedCheck = {
  readonly text: string;
  readonly contract: TaskContract;
  /** The other commands of the plan: the check must not find what they write. */
  readonly commands: readonly string[];
  /**
   * Where its decoy may run: on this machine once the text has run there under policy, for an agent only where its commands run, and
   * nowhere before that: no approval covers it yet. A control leaves its world in no case. For a check that runs `elsewhere`, on a
   * flow engine, only its text is examined.
   */
  readonly decoy_on: "machine" | "confined" | "nowhere" | "elsewhere";
};

/** Finds out whether a check can fail: from its text, with a decoy in the place of its target, and in an empty world. */
export interface CheckExaminer {
  /**
   * Beside the run: reads what is known of the check, and runs its control when nothing is. The check must have passed policy.
   * `examine` is faster after it. Rejects only when the database fails, or the judge gives no answer.
   */
  prepare(check: ExaminedCheck): Promise<void>;
  /** The same check is examined once, and again after 30 days. Bounded by some seconds. Rejects as `prepare` does. */
  examine(check: ExaminedCheck): Promise<Examination>;
  /** The usual mends of a check that passes where it proves nothing. */
  mendsOf(text: string): Promise<Mend[]>;
  /** To be committed with a red run of the check: the same check counts as seen to fail from then on. */
  redRun(check: Pick<ExaminedCheck, "text" | "contract">): Change;
}
