// Builds the error for a client of the stdio transport whose request did not reach orch, or got no response.
import { z } from "zod";
import { parseJson } from "../domain/json-values.ts";
import type { HttpFault } from "../http-client/fault.ts";

/** Why there is no MCP response: the server returned an HTTP error status, or the connection failed. */
export type DeliveryFailure =
  | { readonly is: "refused"; readonly status: number; readonly body: string }
  | { readonly is: "broken"; readonly fault: Pick<HttpFault, "system_code" | "sent"> };

type RpcError = { code: number; message: string; data?: unknown };

const Issue = z.object({ path: z.string(), message: z.string() });
/** The first JSON-RPC error code for servers and transports. */
const NO_RESPONSE = -32000;
const UNAUTHORIZED = 401;

const RpcFailure = z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) });
const Problem = z.object({ code: z.string(), detail: z.string(), issues: z.array(Issue).default([]) });

export function noResponseError(failure: DeliveryFailure, url: string): RpcError {
  return failure.is === "refused" ? refusal(failure, url) : brokenConnection(failure.fault, url);
}

function refusal({ status, body }: Extract<DeliveryFailure, { is: "refused" }>, url: string): RpcError {
  const response = parseJson(body);
  const failed = RpcFailure.safeParse(response);
  if (failed.success && status !== UNAUTHORIZED) return failed.data.error;
  const problem = Problem.safeParse(response);
  const { code, detail, issues } = problem.success
    ? problem.data
    : { code: "unknown", detail: body.slice(0, 200) || "nothing", issues: [] };
  const fields = issues.map(({ path, message }) => ` ${path} ${message}.`).join("");
  const message =
    status === UNAUTHORIZED
      ? `orch at ${url} refuses the token. Use the one of the running server: ORCH_TOKEN, or the file "token" in its data directory.`
      : `orch at ${url} answered ${status}: ${detail}${fields}`;
  return { code: NO_RESPONSE, message, data: { status, code, ...(issues.length > 0 && { issues }) } };
}

/** Whether the request was not sent: then the caller may send it again. */
export const wasNotReached = (failure: DeliveryFailure): boolean => failure.is === "broken" && !failure.fault.sent;

function brokenConnection({ system_code, sent }: Pick<HttpFault, "system_code" | "sent">, url: string): RpcError {
  const code = system_code || "connection lost";
  const message = !sent
    ? `orch cannot be reached at ${url} (${code}). Start it with: orch serve`
    : `The connection to orch at ${url} was lost before the response arrived (${code}). The call may have taken effect: look with get_task or list_tasks before you repeat it.`;
  return { code: NO_RESPONSE, message, data: { code } };
}
