// The last job of a task as its journal shows it: the next job must not run a step that this one ran.
import type { Job } from "./job.ts";

export type LastJob = {
  readonly job: Job;
  /** The first step that was submitted with it. */
  readonly first_index: number;
  /**
   * `submitted`: its end is not recorded. `not_accepted`: the engine has not accepted it, and its id may be used again. `lost`:
   * its end is unknown.
   */
  readonly state: "submitted" | "not_accepted" | "lost" | "ended";
  /** Whether the engine has reported it. */
  readonly seen: boolean;
};
