// Why a command did not do what it was told: data, for people in sentences and with --json as one document.
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

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const success = <T>(value: T): Result<T> => ({ ok: true, value });
export const failed = (failure: Failure): Result<never> => ({ ok: false, failure });

export const usage = (detail: string, issues?: readonly FieldIssue[]): Failure => ({
  exit: EXIT.usage,
  code: "usage",
  detail,
  issues,
});

/** Something that should not have happened: whoever mends it needs to know where. */
export const fault = (error: unknown): Failure => ({
  exit: EXIT.fault,
  code: "internal_error",
  detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

/** For what runs in this process: a server that cannot start with what it was given, a file of an SOP. */
export const failureOf = ({ code, message, fix, issues, current }: OrchError): Failure => ({
  exit: code === "internal_error" || code === "fenced" ? EXIT.fault : EXIT.usage,
  code,
  detail: message,
  ...(fix !== null && { fix }),
  ...(issues.length > 0 && { issues }),
  ...(current !== undefined && { current }),
});
