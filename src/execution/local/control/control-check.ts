// The control of a check: the check runs in a world in which nothing of its target exists, to learn whether it can fail.

export type ControlCheck = {
  /** Runs as a check does: bash with pipefail, not strict. */
  readonly script: string;
  /** The whole environment of the step. */
  readonly env: Readonly<Record<string, string>>;
  /** Exists in the world at the same path, empty. */
  readonly directory: string;
  /** Absolute paths that do not exist in the world. */
  readonly masked: readonly string[];
  /** Programs that the text runs, as far as known: dash and `sh -c` do not report a program that is missing. */
  readonly programs: readonly string[];
};

export type ControlWorld = "empty" | "bare";

export type ControlLook = {
  readonly answer: "red" | "green" | "cannot_tell" | "not_possible";
  /** The world that gave the answer. */
  readonly world: ControlWorld;
  readonly exit_code: number | null;
  /** In the empty world it left or changed something outside of its directory for temporary files: it does not only look. */
  readonly wrote: boolean;
  /** Why there is no answer; null when there is one. */
  readonly reason: string | null;
};

/** Never rejects for what the check does. */
export type RunControl = (check: ControlCheck, abort: AbortSignal) => Promise<ControlLook>;
