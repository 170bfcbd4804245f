// Why a command failed, as data: printed as sentences, or with --json as one document.
import type { FieldIssue, OrchError } from "../domain/errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

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
