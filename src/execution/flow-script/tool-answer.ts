// What an answer is to a step (spec section 4, mcp_call result mapping): stdout when the tool succeeded, stderr otherwise.
import type { ToolAnswer } from "../../ports.ts";
import { OF_NEWER_REVISION } from "./heard.ts";
import { isDeeperThan, isList, isRecord, isTexts, parsed } from "./json-values.ts";
import type { Reply } from "./reply.ts";

const MAX_DEPTH = 64;
/** The protocol refuses a call before any tool runs: not parsed, not valid, no such method, bad parameters. */
const REFUSALS = [-32_700, -32_600, -32_601, -32_602, ...OF_NEWER_REVISION];

export function answerOf({ is, message, code, result }: Reply): ToolAnswer {
  switch (is) {
    case "result":
      return answerOfResult(result);
    case "rpc_error":
      return failure(message, !REFUSALS.includes(code));
    case "http_error":
      return failure(`HTTP ${code} ${message}`.trimEnd(), wasRunBehind(code));
    case "foreign":
    case "newer_revision":
    case "unreachable":
      return failure(message, false);
    default:
      return {
        ...failure(`${message}; whether the tool took effect is not known`, "unknown"),
        timed_out: is === "timed_out",
      };
  }
}

/** With 500 the server itself has failed; with these, a gateway or a time limit may have come between us and the tool. */
function wasRunBehind(status: number): boolean | "unknown" {
  if (status === 500) return true;
  return status === 408 || status === 502 || status > 503 ? "unknown" : false;
}

const failure = (stderr: string, executed: boolean | "unknown") =>
  ({ ok: false, stderr, executed, timed_out: false }) as const;

function answerOfResult(result: unknown): ToolAnswer {
  if (isDeeperThan(result, MAX_DEPTH)) return failure(`the answer is nested deeper than ${MAX_DEPTH} levels`, true);
  const passed = { ok: true, stdout: JSON.stringify(result) } as const;
  if (!isRecord(result)) return passed;
  const { content, isError, resultType } = result;
  const parts = isList(content) && content.every(isContent) ? content : [];
  const texts = parts.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
  if (isError === true) return failure(texts.join("\n") || passed.stdout, true);
  if (resultType === "input_required") return failure("the tool asks for input, which is not supported", true);
  const said = softError(texts);
  return said === null ? passed : failure(said, true);
}

/** Some servers report an error as content like any other: `{"error": "Note not found"}` and nothing else. */
function softError(texts: readonly string[]): string | null {
  const said = texts.length === 1 ? parsed(texts[0] ?? "") : null;
  return isTexts(said) && Object.keys(said).length === 1 ? (said["error"] ?? null) : null;
}

type Content = { readonly type: string; readonly text?: string };

const isContent = (part: unknown): part is Content =>
  isRecord(part) && typeof part["type"] === "string" && ["string", "undefined"].includes(typeof part["text"]);
