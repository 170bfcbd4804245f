// Runs an mcp_call step and shows how a step ends: exit_code 0 and the response on stdout, or 1 and the reason on stderr. A call
// without a response that may have taken effect has no known outcome, unless it may be repeated (D-073).
import type { TaskContract } from "../../domain/contract.ts";
import { unmet } from "../../domain/expectation.ts";
import type { Step, StepResult } from "../../domain/step.ts";
import { isIdempotent, sentStep } from "../../domain/step-run.ts";
import type { ToolAnswer } from "../../domain/tool.ts";
import type { ToolServers } from "../../ports.ts";
import { type Redact, withoutMargin } from "../../redact/redact.ts";
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
