// The tool calls of a skill (spec section 5): a server outside implicit_scope is never called, and the attempt blocks the
// task. A call of a step that changes something has a moment to end when the task is cancelled, so that its end is known.
import type { Finding } from "../domain/finding.ts";
import { reason } from "../domain/reason.ts";
import { commandText } from "../domain/step-words.ts";
import { maxMs } from "../domain/time-limit.ts";
import { serverScope } from "../policy/judge-plan.ts";
import { ABANDONED, type SkillContext } from "../ports.ts";
import type { Handling } from "./handling.ts";
import type { OpenStep } from "./skill-step-run.ts";

const GRACE_MS = 5_000;
const HOW = 'ctx.step(name, () => ctx.call(...)), with "repeat" when it only reads';

type Calls = Pick<SkillContext, "call" | "listTools">;

export function skillCalls(handling: Handling, current: () => OpenStep | undefined): Calls {
  const { thread, contract, leave, toolServers, redact, inTurn, hasLeft } = handling;
  const limit_ms = maxMs(contract);
  const graceful = afterGrace(thread.cancel);

  let refused: string | null = null;

  /** A step that has begun is seen to its end: within one a refusal is thrown, and the handler is left behind it. */
  const permitted = async (server: string): Promise<void> => {
    const step = current();
    if (hasLeft() && step === undefined) return leave({ is: "suspended" });
    const [found] = serverScope(server, contract);
    if (found !== undefined) {
      refused = found.reason;
      const finding: Finding = { ...found, step_index: step?.index ?? 0, category: null };
      void inTurn(() => thread.journal.note({ kind: "policy_judged", body: { findings: [finding] } }));
      const never = leave({ is: "refused", reason: reason("outside_scope", `The skill: ${refused}`) });
      if (step === undefined) return never;
    }
    if (refused !== null) throw new Error(refused);
  };

  return {
    call: async (server, tool, args) => {
      await permitted(server);
      const step = current();
      // Only a step says whether it reads or changes something, and so whether it needs an approval.
      if (step === undefined) throw new Error(`the call of ${server}.${tool} stands outside of a step: ${HOW}`);
      const call = { server, tool, arguments: args };
      step.called(redact(commandText({ kind: "mcp_call", value: "", ...call })));
      const signal = step.repeatable === false ? graceful : thread.cancel;
      return toolServers.call(call, { limit_ms, signal });
    },
    listTools: async (server) => {
      await permitted(server);
      return toolServers.listTools(server, { limit_ms, signal: thread.cancel });
    },
  };
}

/** Aborts some time after `signal`, or with it when the server leaves. */
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
