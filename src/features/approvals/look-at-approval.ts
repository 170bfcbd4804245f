// Answers look_at_approval: what is true on the target now, of the steps that an approval covers, stored or not (D-355).
import type { z } from "zod";
import type { OperationHandler } from "../../operations/operation.ts";
import { lookAtPlan } from "../../tasks/look-at-plan.ts";
import { CUT_SHORT } from "../../tasks/sop-proof.ts";
import { approvalContext } from "./get-approval.ts";
import type { lookAtApproval } from "./shapes.ts";

type Look = z.input<typeof lookAtApproval.output>;

/** Two looks at once could disturb each other, and cost the target twice: pages that ask for the same one share it. */
export const handleLookAtApproval: OperationHandler<typeof lookAtApproval> = (deps) => {
  const joined = createJoined<Look>();
  return ({ approval_id }, { signal }) => joined(approval_id, (until) => look(approval_id, until), signal);

  async function look(approval_id: string, signal: AbortSignal): Promise<Look> {
    const { approval, contract, is_of_task, sop } = await approvalContext(deps, approval_id);
    const { content } = approval;
    const looked_at = deps.clock().toISOString();
    if (!("steps" in content)) return { looked_at, steps: [], checks: [], warnings: [NO_STEPS] };
    if (approval.status !== "pending") return { looked_at, steps: [], checks: [], warnings: [SETTLED] };
    const plan = { ...content, origin: sop?.origin ?? "teach" };
    const { steps, checks, is_cut, warnings } = await lookAtPlan(deps, { contract, is_of_task, plan }, signal);
    const is_remote = deps.backendOf(contract)?.remote !== false;
    const not_looked = [...(is_remote ? [ELSEWHERE] : []), ...(is_cut ? [CUT_SHORT] : [])];
    return { looked_at, steps, checks, warnings: [...not_looked, ...warnings] };
  }
};

const NO_STEPS = "Nothing of it is known only to look, so nothing was looked at.";
const SETTLED = "It waits for no decision, so nothing was looked at.";
const ELSEWHERE = "It would not run on this machine, so nothing was looked at there.";

type Running<T> = { readonly answer: Promise<T>; readonly left: AbortController; callers: number };

type Joined<T> = (key: string, run: (signal: AbortSignal) => Promise<T>, caller: AbortSignal) => Promise<T>;

export function createJoined<T>(): Joined<T> {
  const running = new Map<string, Running<T>>();

  function begin(key: string, run: (signal: AbortSignal) => Promise<T>): Running<T> {
    const left = new AbortController();
    const before = running.get(key)?.answer.catch(() => undefined);
    const answer = Promise.resolve(before).then(() => run(left.signal));
    const begun = { answer, left, callers: 0 };
    const forget = () => void (running.get(key) === begun && running.delete(key));
    answer.then(forget, forget);
    running.set(key, begun);
    return begun;
  }

  return (key, run, caller) => {
    const now = running.get(key);
    const joined = now === undefined || now.left.signal.aborted ? begin(key, run) : now;
    joined.callers += 1;
    const leave = () => {
      joined.callers -= 1;
      if (joined.callers === 0) joined.left.abort();
    };
    if (caller.aborted) leave();
    else caller.addEventListener("abort", leave, { once: true });
    return joined.answer.finally(() => caller.removeEventListener("abort", leave));
  };
}
