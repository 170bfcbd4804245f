// What an answer is to a step (spec section 4, mcp_call result mapping): stdout when the tool succeeded, stderr otherwise.
import { z } from "zod";
import type { ToolAnswer } from "../ports.ts";
import type { Reply } from "./reply.ts";

const MAX_DEPTH = 64;
/** The protocol refuses a call before any tool runs: not parsed, not valid, no such method, bad parameters, another revision. */
const REFUSALS: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, -32_020, -32_022]);

export function toolAnswerOf(reply: Reply): ToolAnswer {
  switch (reply.is) {
    case "result":
      return answerOfResult(reply.result);
    case "rpc_error":
      return failure(reply.message, !REFUSALS.has(reply.code));
    case "http_error":
      return failure(`HTTP ${reply.status} ${reply.body}`.trimEnd(), wasRunBehind(reply.status));
    case "foreign":
    case "newer_revision":
    case "unreachable":
      return failure(reply.message, false);
    case "lost":
      return failure(unanswered(reply.message), "unknown");
    case "timed_out":
      return { ...failure(unanswered(reply.message), "unknown"), timed_out: true };
    case "stopped":
      return failure(unanswered("orch: stopped on request"), "unknown");
  }
}

/** With 500 the server itself has failed; with these, a gateway or a time limit may have come between us and the tool. */
function wasRunBehind(status: number): boolean | "unknown" {
  if (status === 500) return true;
  return status === 408 || status === 502 || status > 503 ? "unknown" : false;
}

const unanswered = (why: string): string => `${why}; whether the tool took effect is not known`;

const failure = (stderr: string, executed: boolean | "unknown") =>
  ({ ok: false, stderr, executed, timed_out: false }) as const;

const Content = z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).catch([]);

const Fields = z.record(z.string(), z.unknown());

function answerOfResult(result: unknown): ToolAnswer {
  if (isDeeperThan(result, MAX_DEPTH)) return failure(`the answer is nested deeper than ${MAX_DEPTH} levels`, true);
  const fields = Fields.safeParse(result);
  // A server that knows little of the protocol: what it gives is its answer.
  if (!fields.success) return { ok: true, stdout: JSON.stringify(result) };
  const { content, isError, resultType } = fields.data;
  const texts = Content.parse(content).flatMap(({ type, text }) =>
    type === "text" && text !== undefined ? [text] : [],
  );
  if (isError === true) return failure(texts.join("\n") || JSON.stringify(result), true);
  if (resultType === "input_required") return failure("the tool asks for input, which is not supported", true);
  const said = softError(texts);
  return said === null ? { ok: true, stdout: JSON.stringify(result) } : failure(said, true);
}

const SoftError = z.strictObject({ error: z.string() });

/** Some servers report an error as content like any other: `{"error": "Note not found"}` and nothing else. */
function softError(texts: readonly string[]): string | null {
  const [text = ""] = texts;
  if (texts.length !== 1 || !text.trimStart().startsWith("{")) return null;
  try {
    return SoftError.safeParse(JSON.parse(text)).data?.error ?? null;
  } catch {
    return null; // It only begins like JSON.
  }
}

/** Walks without recursion, so that no nesting can exhaust the stack. */
function isDeeperThan(root: unknown, levels: number): boolean {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= levels) return true;
    for (const held of Object.values(value)) pending.push({ value: held, depth: depth + 1 });
  }
  return false;
}
