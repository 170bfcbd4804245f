// What a client on stdin is told when its request did not reach orch, or its answer did not come back.
import { z } from "zod";

/** What went wrong between here and the server: it gave an HTTP status instead of an answer, or the connection failed. */
export type Failure =
  | { readonly is: "refused"; readonly status: number; readonly body: string }
  | { readonly is: "broken"; readonly error: unknown };

export type RpcError = { code: number; message: string; data?: unknown };

/** What JSON-RPC leaves to whoever carries its messages. */
const UNDELIVERED = -32000;

const Spoken = z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) });
const Problem = z.object({ code: z.string(), detail: z.string() });
const Caused = z.object({ cause: z.object({ code: z.string() }) });

export function whyUndelivered(failure: Failure, url: string): RpcError {
  return failure.is === "refused" ? refusal(failure, url) : brokenConnection(failure.error, url);
}

function refusal({ status, body }: Extract<Failure, { is: "refused" }>, url: string): RpcError {
  const said = parsed(body);
  const spoken = Spoken.safeParse(said);
  if (spoken.success) return spoken.data.error;
  const problem = Problem.safeParse(said);
  const { code, detail } = problem.success
    ? problem.data
    : { code: "unknown", detail: body.slice(0, 200) || "nothing" };
  const message =
    status === 401
      ? `orch at ${url} refuses the token. Use the one of the running server: ORCH_TOKEN, or the file "token" in its data directory.`
      : `orch at ${url} answered ${status}: ${detail}`;
  return { code: UNDELIVERED, message, data: { status, code } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** With these nothing has been sent. */
const UNREACHED: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
]);

/** The request has not gone out: to send it again cannot repeat it. */
export const wasNotReached = (failure: Failure): boolean =>
  failure.is === "broken" && UNREACHED.has(codeOf(failure.error));

const codeOf = (error: unknown): string => Caused.safeParse(error).data?.cause.code ?? "connection lost";

function brokenConnection(error: unknown, url: string): RpcError {
  const code = codeOf(error);
  const message = UNREACHED.has(code)
    ? `orch cannot be reached at ${url} (${code}). Start it with: orch serve`
    : `The connection to orch at ${url} was lost before the answer came (${code}). The call may have taken effect: look with get_task or list_tasks before you repeat it.`;
  return { code: UNDELIVERED, message, data: { code } };
}
