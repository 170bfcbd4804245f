// The one error class. Its codes are part of the interface. An expected outcome of a task is data (outcome.ts); an OrchError
// reports a wrong call or a broken promise.

export const ERROR_CODES = [
  "contract_invalid",
  "input_invalid",
  "task_exists",
  "task_not_found",
  "task_not_waiting",
  "task_ended",
  "task_not_ended",
  "task_not_proved",
  "sop_not_found",
  "sop_conflict",
  "sop_steps_invalid",
  "schedule_exists",
  "schedule_not_found",
  "schedule_limit",
  "server_not_found",
  "server_ambiguous",
  "freeze_not_found",
  "freeze_limit",
  "held_by_freeze",
  "approval_not_found",
  "approval_not_pending",
  "approval_stale",
  "approval_ambiguous",
  "digest_mismatch",
  "unauthorized",
  "forbidden",
  "config_invalid",
  "database_unusable",
  "release_skipped",
  "quarantined",
  "journal_newer",
  "fenced",
  "busy",
  "internal_error",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One field that was wrong: `path` as in `constraints.max_minutes`, `message` says what to send instead. */
export type FieldIssue = { readonly path: string; readonly message: string };

type Options = {
  readonly issues?: readonly FieldIssue[];
  readonly fix?: string | null;
  readonly current?: unknown;
  readonly holder?: string;
  readonly cause?: unknown;
};

export class OrchError extends Error {
  override readonly name = "OrchError";
  readonly code: ErrorCode;
  readonly issues: readonly FieldIssue[];
  /** What the caller can do; null when the message leaves nothing to add. */
  readonly fix: string | null;
  /** The current record, where a conflict is answered with it. */
  readonly current: unknown;
  /** The living process that has what one alone can have, as in `pid 12`; null where that is not why. */
  readonly holder: string | null;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.issues = options.issues ?? [];
    this.fix = options.fix ?? null;
    this.current = options.current;
    this.holder = options.holder ?? null;
  }
}

/** Whether a record could not be read: asking again does not help. */
export const isQuarantined = (error: unknown): error is OrchError =>
  error instanceof OrchError && error.code === "quarantined";

/** Whether a journal has a kind of event that only a newer version knows: a server of that version goes on with it (D-328). */
export const isNewer = (error: unknown): error is OrchError =>
  error instanceof OrchError && error.code === "journal_newer";

/** Whether this server cannot read the record, now or later. */
export const isUnreadable = (error: unknown): error is OrchError => isQuarantined(error) || isNewer(error);

export function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "something that cannot be put into words";
  }
}
