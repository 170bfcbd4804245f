// The tool calls of a skill: a server outside implicit_scope is never called, and the attempt blocks the task. When the task
// is cancelled, a call of a changing step gets a moment to end, so that its result is recorded.
import type { Finding } from "../domain/finding.ts";
import { reason } from "../domain/outcome.ts";
import { commandText, maxMs } from "../domain/step-run.ts";
import { serverScope } from "../policy/scope-findings.ts";
import { ABANDONED, type SkillContext } from "../ports.ts";
import { toolListOf } from "../tasks/tool-list.ts";
import type { Handling } from "./handling.ts";
import type { OpenStep } from "./skill-step-run.ts";

const GRACE_MS = 5_000;
const HOW = 'ctx.step(name, () => ctx.call(...)), with "repeat" when it only reads';

type Calls = Pick<SkillContext, "call" | "listTools">;

export function skillCalls(handling: Handling, current: () => OpenStep | undefined): Calls {
  const { thread, contract, suspend, toolServers, redact, serialize, isSuspended } = handling;
  const limit_ms = maxMs(contract);
  const graceful = afterGrace(thread.cancel);

  let refused: string | null = null;

  /** A step that has begun runs to its end: inside a step a refusal is thrown, and the handler is suspended after it. */
  const requireScope = async (server: string): Promise<void> => {
    const step = current();
    if (isSuspended() && step === undefined) return suspend({ is: "suspended" });
    const [outside] = serverScope(server, contract);
    if (outside !== undefined) {
      refused = outside.reason;
      const finding: Finding = { ...outside, step_index: step?.index ?? 0, category: null };
      void serialize(() => thread.journal.note({ kind: "policy_judged", body: { findings: [finding] } }));
      const never = suspend({ is: "refused", reason: reason("outside_scope", `The skill: ${refused}`) });
      if (step === undefined) return never;
    }
    if (refused !== null) throw new Error(refused);
  };

  return {
    call: async (server, tool, args) => {
      await requireScope(server);
      const step = current();
      // Only a step says whether it reads or changes something, and so whether it needs an approval.
      if (step === undefined) throw new Error(`the call of ${server}.${tool} is outside a step: ${HOW}`);
      const call = { server, tool, arguments: args };
      step.called(redact(commandText({ kind: "mcp_call", value: "", ...call })));
      const signal = step.repeatable === false ? graceful : thread.cancel;
      return toolServers.call(call, { limit_ms, signal, traceparent: thread.traceparentOf?.(step) });
    },
    listTools: async (server) => {
      await requireScope(server);
      return toolListOf(toolServers.listTools(server, { limit_ms, signal: thread.cancel }));
    },
  };
}

/** Aborts GRACE_MS after `signal`, or together with it when the server stops. */
function afterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const abort = () => {
    if (signal.reason === ABANDONED) late.abort(ABANDONED);
    else setTimeout(() => late.abort(), GRACE_MS).unref();
  };
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return late.signal;
}
