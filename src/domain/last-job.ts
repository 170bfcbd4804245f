// The last job of a task as the journal knows it: whoever makes the next one must not run a step that it has run.
import type { Job } from "./job.ts";

export type LastJob = {
  readonly job: Job;
  /** The first step that was handed over with it. */
  readonly first_index: number;
  /**
   * `handed_over`: its end is not on record. `not_accepted`: the engine has not taken it, and its id stands for it still. `lost`:
   * nobody knows how it ended.
   */
  readonly state: "handed_over" | "not_accepted" | "lost" | "ended";
  /** Whether the engine has told of it. */
  readonly seen: boolean;
};
