// An mcp_call step (spec section 4, mcp_call result mapping): exit_code 0 and the response on stdout, or 1 and what went
// wrong on stderr. A call that may have taken effect and got no answer has no known outcome, unless it may be repeated.
import type { TaskContract } from "../../domain/contract.ts";
import type { Step } from "../../domain/step.ts";
import { resolveArguments } from "../../policy/resolve-arguments.ts";
import type { ToolAnswer, ToolServers } from "../../ports.ts";
import type { Redact } from "../../redact/redact.ts";
import { createOutputRing, type Output } from "./output-ring.ts";
import { withoutMargin } from "./redact-output.ts";
import { SILENT, type StepEnd } from "./step-end.ts";

export type ToolCalls = Pick<ToolServers, "call" | "mayRepeat">;

export type ToolSurroundings = {
  readonly contract: TaskContract;
  readonly limit_ms: number;
  readonly callTool: ToolCalls["call"];
  /** Whether the server says that the call does no harm when repeated. */
  readonly repeatable: boolean;
  readonly redact: Redact;
};

export async function callTool(
  { server, tool, arguments: args }: Extract<Step, { kind: "mcp_call" }>,
  { contract, limit_ms, repeatable, redact, ...around }: ToolSurroundings,
  signal: AbortSignal,
): Promise<StepEnd> {
  const call = { server, tool, arguments: resolveArguments(args, contract) };
  const answer = await around.callTool(call, { limit_ms, signal });
  const { text, bytes, truncated } = kept(answer.ok ? answer.stdout : answer.stderr, redact);
  if (answer.ok) {
    const written = { stdout: text, stdout_bytes: bytes, truncated };
    return { ...SILENT, ...written, executed: true, status: "passed", exit_code: 0 };
  }
  return {
    ...{ ...SILENT, stderr: text, stderr_bytes: bytes, truncated, timed_out: answer.timed_out },
    executed: answer.executed !== false,
    status: isOpen(answer) && !repeatable && !signal.aborted ? "outcome_unknown" : "failed",
    exit_code: signal.aborted ? null : 1,
  };
}

const isOpen = (answer: ToolAnswer): boolean => !answer.ok && answer.executed === "unknown";

/** Head and tail, as of the output of a command. */
function kept(text: string, redact: Redact): Output {
  const ring = createOutputRing();
  ring.push(Buffer.from(text));
  return withoutMargin(ring.read(), redact);
}

/** For a backend that was given none. */
export const NO_TOOL_SERVERS: ToolCalls = {
  call: async ({ server }) => ({
    ok: false,
    stderr: `there is no tool server ${server} here`,
    executed: false,
    timed_out: false,
  }),
  mayRepeat: async () => false,
};
