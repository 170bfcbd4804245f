// The one error class. Its codes are part of the interface. An expected outcome of a task is data (outcome.ts); an OrchError
// reports a wrong call or a broken promise.

/** Each with its status over HTTP and the title of its problem document. */
export const ERRORS = {
  contract_invalid: [400, "The contract is not valid"],
  input_invalid: [400, "The input is not valid"],
  task_exists: [409, "Another task has this id"],
  task_not_found: [404, "There is no such task"],
  task_not_waiting: [409, "The task does not wait for this"],
  task_ended: [409, "The task has ended"],
  task_not_ended: [409, "The task has not ended"],
  task_not_proved: [409, "The task has proved no procedure"],
  sop_not_found: [404, "There is no such SOP"],
  sop_conflict: [409, "The stored procedures do not allow this"],
  sop_steps_invalid: [422, "These steps cannot be taught"],
  schedule_exists: [409, "Another schedule has this name"],
  schedule_not_found: [404, "There is no such schedule"],
  schedule_limit: [409, "There are too many schedules"],
  server_not_found: [404, "There is no such server"],
  server_ambiguous: [409, "Several servers have this name"],
  freeze_not_found: [404, "There is no such freeze"],
  freeze_limit: [409, "There are too many freezes"],
  held_by_freeze: [409, "A freeze holds it"],
  approval_not_found: [404, "There is no such approval"],
  approval_not_pending: [409, "The approval has been decided"],
  approval_stale: [409, "Another version has come into use since the approval was asked for"],
  approval_ambiguous: [409, "The decision does not name its approval"],
  digest_mismatch: [409, "The digest is not that of the approval"],
  unauthorized: [401, "A valid token is needed"],
  forbidden: [403, "The token does not allow this"],
  config_invalid: [500, "The service is not configured"],
  database_unusable: [503, "The database cannot be used"],
  release_skipped: [500, "A release in between was skipped"],
  quarantined: [500, "The record cannot be read"],
  journal_newer: [409, "A newer version has written it"],
  fenced: [500, "Another process has taken over"],
  busy: [503, "The service is busy"],
  internal_error: [500, "Something unexpected happened"],
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

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
