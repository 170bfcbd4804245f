// Runs an mcp_call step and shows how a step ends: exit_code 0 and the response on stdout, or 1 and the reason on stderr. A call
// without a response that may have taken effect has no known outcome, unless it may be repeated (D-073).
import type { TaskContract } from "../../domain/contract.ts";
import { canonicalJson, isRecord, type JsonFields, parseJson, parseStrictJson } from "../../domain/json-values.ts";
import type { Step, StepResult } from "../../domain/step.ts";
import { isIdempotent, sentStep } from "../../domain/step-run.ts";
import type { ToolAnswer } from "../../domain/tool.ts";
import type { ToolServers } from "../../ports.ts";
import { type Redact, withoutMargin } from "../../redact/find-secrets.ts";
import { createOutputRing, type StreamOutput } from "./output-ring.ts";

export type ToolCalls = Pick<ToolServers, "call" | "mayRepeat">;

export type ToolContext = {
  readonly contract: TaskContract;
  readonly limit_ms: number;
  readonly callTool: ToolCalls["call"];
  /** Whether the server says that repeating the call does no harm. */
  readonly repeatable: boolean;
  readonly redact: Redact;
  readonly traceparent?: string | undefined;
};

export async function callTool(
  step: Extract<Step, { kind: "mcp_call" }>,
  { contract, limit_ms, repeatable, redact, traceparent, callTool: send }: ToolContext,
  signal: AbortSignal,
): Promise<StepEnd> {
  const { server, tool, arguments: args, expect } = sentStep(step, contract);
  const mayRepeat = repeatable || isIdempotent(step);
  const answer = await send({ server, tool, arguments: args }, { limit_ms, signal, traceparent });
  const { text, bytes, truncated } = kept(answer.ok ? answer.stdout : answer.stderr, redact);
  if (answer.ok) {
    const written = { stdout: text, stdout_bytes: bytes, truncated };
    const fault = expect === undefined ? null : unmet(expect, answer.stdout);
    if (fault === null) return { ...SILENT, ...written, executed: true, status: "passed", exit_code: 0 };
    const { text: stderr, bytes: stderr_bytes } = kept(fault, redact);
    return { ...SILENT, ...written, stderr, stderr_bytes, executed: true, status: "failed", exit_code: 1 };
  }
  return {
    ...SILENT,
    stderr: text,
    stderr_bytes: bytes,
    truncated,
    timed_out: answer.timed_out,
    executed: answer.executed !== false,
    status: isOpen(answer) && !mayRepeat ? "outcome_unknown" : "failed",
    exit_code: signal.aborted ? null : 1,
    ...(answer.never_sent === true && { never_sent: true }),
  };
}

const isOpen = (answer: ToolAnswer): boolean => !answer.ok && answer.executed === "unknown";

/** Keeps head and tail, as of the output of a command. */
function kept(text: string, redact: Redact): StreamOutput {
  const ring = createOutputRing();
  ring.push(Buffer.from(text));
  return withoutMargin(ring.read(), redact);
}

/** For a backend without tool servers. */
export const NO_TOOL_SERVERS: ToolCalls = {
  call: async ({ server }) => ({
    ok: false,
    stderr: `there is no tool server ${server} here`,
    executed: false,
    timed_out: false,
  }),
  mayRepeat: async () => false,
};

type Measured = "index" | "kind" | "attempt" | "started_at" | "duration_ms";

/**
 * How a step ended, before the backend adds its position in the plan and its measurements. `executed` is false when nothing was
 * run or called.
 */
export type StepEnd = Omit<StepResult, Measured> & { readonly executed: boolean };

export const SILENT = {
  stdout: "",
  stderr: "",
  stdout_bytes: 0,
  stderr_bytes: 0,
  truncated: false,
  timed_out: false,
} as const;

// What a tool call that verifies expects of its result (D-188). Without a schema, because the flow's script carries no library.

/** `path` is a JSON pointer (RFC 6901) into the result; the empty one is the result itself. One of the others is given. */
type Expectation = { readonly path: string; readonly equals?: unknown; readonly contains?: string | undefined };

const SHOWN = 500;

/** Why the answer of a tool is not what was expected; null when it is. `stdout` is the answer as JSON. */
export function unmet({ path, equals, contains }: Expectation, stdout: string): string | null {
  const found = at(resultIn(parseJson(stdout)), path);
  const place = path === "" ? "the result" : path;
  if (found === undefined) return `${place} is not in the answer`;
  const text = typeof found === "string" ? found : canonicalJson(found);
  if (contains !== undefined) {
    return text.includes(contains) ? null : `${place} does not contain ${shown(contains)}; it is ${shown(found)}`;
  }
  if (!isExact(found)) return `${place} holds a number with more digits than can be compared`;
  return canonicalJson(found) === canonicalJson(equals)
    ? null
    : `${place} is ${shown(found)}, and ${shown(equals)} was expected`;
}

/** Reading a number of JSON may change it: 9007199254740993 becomes 9007199254740992, and 1e400 becomes Infinity. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isExact);
}

const shown = (value: unknown): string => {
  const text = canonicalJson(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN).toWellFormed()} (cut)`;
};

/** The structured content of an MCP result, else its text, parsed where it is JSON, else the result as it is. */
function resultIn(result: unknown): unknown {
  if (!isRecord(result)) return result;
  const { structuredContent, content } = result;
  if (structuredContent !== undefined) return structuredContent;
  if (!Array.isArray(content)) return result;
  const text = content.flatMap((part: unknown) => (isText(part) ? [part["text"]] : [])).join("\n");
  return parseStrictJson(text) ?? text;
}

const isText = (part: unknown): part is JsonFields => isRecord(part) && part["type"] === "text";

/** Undefined when nothing is there. Own properties only. */
function at(value: unknown, path: string): unknown {
  const names = path.split("/").slice(1);
  return names.reduce<unknown>((held, escaped) => {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(held)) return /^(0|[1-9]\d*)$/.test(name) ? held[Number(name)] : undefined;
    return isRecord(held) && Object.hasOwn(held, name) ? held[name] : undefined;
  }, value);
}
