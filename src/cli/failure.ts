// Has why a command failed, as data, printed as sentences or with --json as one document, and the exit codes of orch.
import type { FieldIssue, OrchError } from "../domain/errors.ts";
import { hasEnded, type TaskStatus } from "../domain/outcome.ts";

export type Failure = {
  readonly exit: ExitCode;
  /** A code of orch, or one of this program: usage, file_unreadable, sop_ambiguous, unreachable, not_orch, version_differs. */
  readonly code: string;
  /** What is wrong. */
  readonly detail: string;
  /** What to do. */
  readonly fix?: string | undefined;
  readonly issues?: readonly FieldIssue[] | undefined;
  readonly current?: unknown;
};

/** Ends a command, which prints the failure. */
export class CommandFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

export function failed(failure: Failure): never {
  throw new CommandFailed(failure);
}

type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** For a command that goes on after a failure. */
export async function tried<T>(doing: Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await doing };
  } catch (error) {
    if (error instanceof CommandFailed) return { ok: false, failure: error.failure };
    throw error;
  }
}

export const usage = (detail: string, issues?: readonly FieldIssue[]): Failure => ({
  exit: EXIT.usage,
  code: "usage",
  detail,
  issues,
});

/** An unexpected error. Its stack is shown, because the fault is in orch. */
export const fault = (error: unknown): Failure => ({
  exit: EXIT.fault,
  code: "internal_error",
  detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

/** The failure of a part that runs in this process, such as a server with a wrong configuration. */
export const failureOf = ({ code, message, fix, issues, current }: OrchError): Failure => ({
  exit: code === "internal_error" || code === "fenced" ? EXIT.fault : EXIT.usage,
  code,
  detail: message,
  ...(fix !== null && { fix }),
  ...(issues.length > 0 && { issues }),
  ...(current !== undefined && { current }),
});

// The exit codes of orch and their meanings. The program returns them, and its help prints them.

export const EXIT = {
  done: 0,
  not_ok: 1,
  usage: 2,
  need_input: 3,
  need_approval: 4,
  refused: 5,
  unreachable: 6,
  still_running: 7,
  replaced: 8,
  quarantined: 9,
  fault: 70,
  interrupted: 130,
  not_read: 141,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done; for a task: it ended ok, or it was accepted and the command did not wait; task ID alone only shows it",
  not_ok: "the task failed, was blocked or cancelled; or a check found a fault",
  usage: "the command line, a file or a variable is wrong",
  need_input: "the task waits for teach or resolve",
  need_approval: "the task waits for an approval; policy check: the command would need one",
  refused: "orch refused the call: not found, conflict, forbidden, too many",
  unreachable: "orch cannot be reached, or refuses the token",
  still_running: "--wait ran out and the task is still running",
  replaced: "serve: another server has taken over the database",
  quarantined: "the record is in quarantine: it cannot be read, or is not as it was written",
  fault: "a fault of orch itself",
  interrupted: "stopped with Ctrl-C",
  not_read: "the reader of the output closed it, as head does",
};

/** `waited`: the caller asked for the end of the task, so a running task is not a success. */
export function taskExit(status: TaskStatus, waited: boolean): ExitCode {
  if (status === "ok") return EXIT.done;
  if (hasEnded(status)) return EXIT.not_ok;
  if (status === "need_input") return EXIT.need_input;
  if (status === "need_approval") return EXIT.need_approval;
  return waited ? EXIT.still_running : EXIT.done;
}
