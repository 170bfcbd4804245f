// The error for a client on stdin whose request did not reach orch, or got no response.
import { z } from "zod";
import { parseJson } from "../domain/parse-json.ts";
import type { HttpFault } from "../http-client/fault.ts";

/** What went wrong between here and the server: it gave an HTTP status instead of an answer, or the connection failed. */
export type DeliveryFailure =
  | { readonly is: "refused"; readonly status: number; readonly body: string }
  | { readonly is: "broken"; readonly fault: Pick<HttpFault, "system_code" | "sent"> };

type RpcError = { code: number; message: string; data?: unknown };

/** The first code that JSON-RPC leaves to servers and transports. */
const UNDELIVERED = -32000;

const Spoken = z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) });
const Problem = z.object({ code: z.string(), detail: z.string() });

export function whyUndelivered(failure: DeliveryFailure, url: string): RpcError {
  return failure.is === "refused" ? refusal(failure, url) : brokenConnection(failure.fault, url);
}

function refusal({ status, body }: Extract<DeliveryFailure, { is: "refused" }>, url: string): RpcError {
  const said = parseJson(body);
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

/** The request has not gone out: to send it again cannot repeat it. */
export const wasNotReached = (failure: DeliveryFailure): boolean => failure.is === "broken" && !failure.fault.sent;

function brokenConnection({ system_code, sent }: Pick<HttpFault, "system_code" | "sent">, url: string): RpcError {
  const code = system_code || "connection lost";
  const message = !sent
    ? `orch cannot be reached at ${url} (${code}). Start it with: orch serve`
    : `The connection to orch at ${url} was lost before the answer came (${code}). The call may have taken effect: look with get_task or list_tasks before you repeat it.`;
  return { code: UNDELIVERED, message, data: { code } };
}
