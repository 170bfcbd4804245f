// The caller of a request, as operations and endpoints see it.
import { isSubmit } from "../operations/call.ts";
import type { Caller } from "../operations/operation.ts";
import type { OperationShape } from "../operations/shape.ts";
import type { Reply } from "./context.ts";
import { problem } from "./problem.ts";
import type { Admit, Refusal } from "./rate-limit.ts";

export type HttpCaller = Caller & {
  /** Why the caller may not call the operation now; null when it may. Each call of this function takes a turn. */
  readonly refusalOf: (operation: Pick<OperationShape, "name" | "scope">) => Refusal | null;
};

export type CallerOf = (response: Reply) => HttpCaller;

/** The signal ends waits: when the connection closes, and when the server stops. */
export const createCallerOf =
  (stopping: AbortSignal, admitSubmit: Admit): CallerOf =>
  (response) => {
    const { token } = response.locals;
    if (token === null) throw new Error("a route was reached without authentication");
    const { token_id, scopes } = token;
    const gone = new AbortController();
    // No abort after the answer: no wait is left, and an abort creates an error with a stack.
    response.once("close", () => response.writableFinished || gone.abort());
    return {
      token_id,
      signal: AbortSignal.any([gone.signal, stopping]),
      refusalOf: (operation) => {
        const { name, scope } = operation;
        if (!scopes.has(scope)) {
          return { problem: problem("forbidden", `${name} needs a token with the scope ${scope}.`), headers: {} };
        }
        return isSubmit(operation) ? admitSubmit(token_id) : null;
      },
    };
  };
