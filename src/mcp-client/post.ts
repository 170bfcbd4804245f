// One POST to a tool server. A fault becomes a reply; an answer is left to be read.
import { type HttpFault, HttpFaultError, isRedirect, REDIRECTED } from "../http-client/fault.ts";
import { type OpenResponse, openRequest } from "../http-client/request.ts";
import type { ToolServerEndpoint } from "./endpoint.ts";
import { type CallLimits, stopped, stoppedBefore, type ToolServerReply, timedOut } from "./reply.ts";

export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type PostedMessage = {
  readonly endpoint: ToolServerEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Readonly<Record<string, unknown>>;
};

type Read = (response: OpenResponse) => Promise<ToolServerReply>;

/** Never rejects. Hangs up once the answer has been read. */
export async function post(posted: PostedMessage, limits: CallLimits, read: Read): Promise<ToolServerReply> {
  const { endpoint, headers, message } = posted;
  const response = await openRequest({
    method: "POST",
    url: endpoint.url,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...endpoint.authorization,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    max_bytes: MAX_ANSWER_BYTES,
    verify: endpoint.verify,
    ...limits,
  });
  if (!response.ok) return replyOfFault(response.fault, limits);
  try {
    if (isRedirect(response.status)) return { is: "foreign", message: REDIRECTED };
    return await read(response);
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    const isAnswer = isSuccess(response) && mediaType(response) === "application/json";
    return error.fault.code === "too_large" && isAnswer
      ? { is: "too_large", message: error.fault.message }
      : replyOfFault(error.fault, limits);
  } finally {
    response.close();
  }
}

export function replyOfFault({ code, message, sent }: HttpFault, { limit_ms }: CallLimits): ToolServerReply {
  if (code === "aborted") return sent ? stopped() : stoppedBefore();
  if (!sent) return { is: "unreachable", message };
  if (code === "timed_out") return timedOut(limit_ms);
  return code === "too_large" ? { is: "lost", message, is_garbled: true } : { is: "lost", message };
}

/** In lower case, without parameters; empty where there is none. */
export const mediaType = ({ headers }: OpenResponse): string =>
  (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

export const isSuccess = ({ status }: OpenResponse): boolean => status >= 200 && status <= 299;
