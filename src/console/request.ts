// One request to the server that served the page: with the cookie and the key of the session (D-338), and a refusal as a CallProblem.
import { forgetSession, type SessionFacts, sessionKey, updateSession } from "./session.ts";

type Issue = { readonly path: string; readonly message: string };

type ProblemFields = {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly fix?: string;
  readonly issues?: readonly Issue[];
  readonly needs_scope?: string | null;
};

/** A problem document of the server (RFC 9457), or that there was no answer. */
export class CallProblem extends Error {
  override readonly name = "CallProblem";
  readonly code: string;
  readonly status: number;
  readonly fix: string | null;
  readonly issues: readonly Issue[];
  /** The scope that the session lacks. */
  readonly needs_scope: string | null;

  constructor(fields: ProblemFields) {
    super(fields.detail);
    this.code = fields.code;
    this.status = fields.status;
    this.fix = fields.fix ?? null;
    this.issues = fields.issues ?? [];
    this.needs_scope = fields.needs_scope ?? null;
  }
}

type Request = {
  readonly method: "GET" | "POST";
  readonly body?: object;
  readonly signal?: AbortSignal | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The answer with its body unread. Rejects with a CallProblem unless it is a success. */
export async function send(path: string, { method, body, signal = null, headers = {} }: Request): Promise<Response> {
  const key = sessionKey();
  const answer = await fetch(path, {
    method,
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    signal,
    headers: {
      Accept: "application/json",
      ...(key !== null && { "X-Orch-Key": key }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause;
    throw new CallProblem({ code: "unreachable", status: 0, detail: "The server cannot be reached." });
  });
  if (answer.ok) return answer;
  const problem = await problemIn(answer);
  // Another code of the same status is a wrong token that was typed.
  if (problem.code === "session_ended") forgetSession();
  if (problem.needs_scope === "approve") void refreshSession();
  throw problem;
}

/** The parsed body. The server has made it with the schema whose type the caller names. */
export async function request<T>(path: string, given: Request): Promise<T> {
  const answer = await send(path, given);
  const body: T = await answer.json();
  return body;
}

/**
 * What the session may do now, which the server says: the right to approve ends by its clock, and all tabs of the session share it.
 * Without an answer what is known stays, and the next refusal asks again.
 */
export const refreshSession = (): Promise<void> =>
  request<SessionFacts>("/console/session", { method: "GET" }).then(updateSession, () => undefined);

async function problemIn(answer: Response): Promise<CallProblem> {
  const { status } = answer;
  const unclear = { code: "unclear", status, detail: `The server answered with status ${status}.` };
  const document: unknown = await answer.json().catch(() => null);
  if (typeof document !== "object" || document === null) return new CallProblem(unclear);
  return new CallProblem({ ...unclear, ...document, status });
}

// Ends the session on the server, and in this tab in any case.

export const logOut = (): Promise<void> =>
  send("/console/logout", { method: "POST", body: {} }).then(forgetSession, forgetSession);
