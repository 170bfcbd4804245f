// Maps a reply to the answer of a step [4.mcp.success] [4.mcp.tool_error]: stdout when the tool succeeded, stderr otherwise.
import { leavesOutcomeOpen, reportsLostAnswer } from "../domain/failure-signs.ts";
import { isDeeperThan, isRecord, isTexts, parseJson } from "../domain/json-values.ts";
import type { ToolAnswer } from "../domain/tool.ts";
import { httpErrorText, OF_NEWER_REVISION, type ToolServerReply } from "./reply.ts";

const TOOL_ANSWER_MAX_DEPTH = 64;

/** The protocol refuses a call before any tool runs: not parsed, not valid, no such method, bad parameters, another revision. */
const REFUSALS: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, ...OF_NEWER_REVISION]);

export function toolAnswerOf(reply: ToolServerReply): ToolAnswer {
  switch (reply.is) {
    case "result":
      return answerOfResult(reply.result);
    case "rpc_error":
      return failure(reply.message, isRefusal(reply) ? false : "unknown");
    case "http_error":
      return failure(httpErrorText(reply), leavesOutcomeOpen(reply.status) ? "unknown" : false);
    case "too_large":
      return failure(`the tool was run, and its answer is not kept: ${reply.message}`, "unknown");
    case "foreign":
    case "newer_revision":
      return failure(reply.message, false);
    case "unreachable": {
      const fix = reply.fix === undefined ? "" : `. ${reply.fix}`;
      return { ...failure(`${reply.message}${fix}`, false), never_sent: true };
    }
    case "lost":
    case "timed_out":
    case "stopped": {
      const stderr = `${reply.message}; whether the tool took effect is not known`;
      return { ...failure(stderr, "unknown"), timed_out: reply.is === "timed_out" };
    }
  }
}

const BAD_PARAMETERS = -32_602;

/** Servers refuse the answer of a tool with the same code as the request: then the tool has run. */
const OF_THE_ANSWER = /output|result|response|answer|return|structured/i;

/** Any other error may come after the tool has acted: of the server, of a gateway, or of what the tool itself called. */
export const isRefusal = ({ code, message }: { readonly code: number; readonly message: string }): boolean =>
  REFUSALS.has(code) && !(code === BAD_PARAMETERS && OF_THE_ANSWER.test(message)) && !reportsLostAnswer(message);

const failure = (stderr: string, executed: boolean | "unknown") =>
  ({ ok: false, stderr, executed, timed_out: false }) as const;

function answerOfResult(result: unknown): ToolAnswer {
  if (isDeeperThan(result, TOOL_ANSWER_MAX_DEPTH))
    return failure(`the answer is nested deeper than ${TOOL_ANSWER_MAX_DEPTH} levels`, true);
  const success = { ok: true, stdout: JSON.stringify(result) } as const;
  // A server that knows little of the protocol: its result is its answer.
  if (!isRecord(result)) return success;
  const { content, isError, resultType } = result;
  // These fields decide. One of another type says nothing, so what the tool did is not known.
  if (typeof (isError ?? false) !== "boolean") return unreadable("isError", "true or false");
  if (typeof (resultType ?? "") !== "string") return unreadable("resultType", "text");
  const parts = Array.isArray(content) && content.every(isContent) ? content : [];
  const texts = parts.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
  if (isError === true) return toolError(texts.join("\n") || success.stdout);
  if (resultType === "input_required") return failure("the tool asks for input, which is not supported", true);
  if (isOnlyAccepted(result)) return failure("the tool has only started; orch does not wait until it ends", "unknown");
  const error = softError(texts);
  return error === null ? success : toolError(error);
}

/** A server may run a tool as an MCP task: it answers when the tool starts, not when it ends. */
const isOnlyAccepted = ({ content, task, resultType }: Readonly<Record<string, unknown>>): boolean =>
  resultType === "task" || (content === undefined && isRecord(task) && typeof task["taskId"] === "string");

const unreadable = (field: string, type: string): ToolAnswer =>
  failure(`in its answer ${field} is not ${type}; whether the tool took effect is not known`, "unknown");

/** The tool's own word that it failed. That its time was over, or an answer was lost on the way, does not say so. */
const toolError = (text: string): ToolAnswer => failure(text, reportsLostAnswer(text) ? "unknown" : true);

/** Some servers report an error as content like any other: `{"error": "Note not found"}` and nothing else. */
function softError(texts: readonly string[]): string | null {
  const value = texts.length === 1 ? parseJson(texts[0] ?? "") : null;
  return isTexts(value) && Object.keys(value).length === 1 ? (value["error"] ?? null) : null;
}

type Content = { readonly type: string; readonly text?: string };

const isContent = (part: unknown): part is Content =>
  isRecord(part) && typeof part["type"] === "string" && ["string", "undefined"].includes(typeof part["text"]);
