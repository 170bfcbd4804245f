// list_messages: everything addressed to the supervisor after a cursor.
import type { z } from "zod";
import { OutcomeView, outcome, outcomeView } from "../domain/outcome.ts";
import { nextOfFailing, nextOfSetBack } from "../domain/set-back.ts";
import { eventOfFeature } from "../features/records.ts";
import type { Store } from "../ports.ts";
import { AHEAD, invalidInput, leftOut, type OperationHandler } from "./operation.ts";
import type { listMessages } from "./shapes/journal.ts";
import { lookUntil } from "./wait.ts";

export type RecordedMessage = Awaited<ReturnType<Store["readMessages"]>>[number];

/** The record that the supervisor gets of it. */
export function messageIn({ cursor, event }: RecordedMessage): z.infer<(typeof listMessages)["output"]>["messages"] {
  const { thread_id, at } = event;
  const said = sayingOf(thread_id, event);
  return said === null ? [] : [{ cursor, thread_id, at, outcome: said }];
}

/** What is said of a version has no end of a task. */
function sayingOf(thread_id: string, { kind, body }: RecordedMessage["event"]): OutcomeView | null {
  switch (kind) {
    case "reported":
      return outcomeView(thread_id, body);
    case "sop_trial_failed":
      return outcome("failed", kind, body.message, { thread_id });
    case "sop_set_back":
      return outcome("failed", kind, body.message, {
        thread_id,
        approval_id: body.approval_id,
        next: nextOfSetBack(thread_id, body.approval_id, body.set_back),
      });
    case "sop_failing":
      return outcome("failed", kind, body.message, { thread_id, next: nextOfFailing(body) });
    case "verification_missed":
      return outcome("blocked", kind, body.message, { thread_id });
    default: {
      const message = eventOfFeature(kind)?.message;
      if (message === undefined) return null;
      const step_index = message.step_index?.(body) ?? null;
      return outcome(message.status, OutcomeView.shape.reason_code.parse(kind), message.text(body), {
        thread_id,
        step_index,
      });
    }
  }
}

export const handleListMessages: OperationHandler<typeof listMessages> =
  (deps) =>
  async ({ after, limit, wait_seconds }, { signal }) => {
    const look = () => deps.store.readMessages(after, limit);
    const next = (ms: number, until: AbortSignal) => deps.nextReport(null, ms, until);
    const isEnough = (messages: readonly unknown[]) => messages.length > 0;
    const isAhead = after > 0 && after > (await deps.store.lastMessage());
    if (isAhead) throw invalidInput({ name: "list_messages" }, [{ path: "after", message: AHEAD }]);
    const found = await lookUntil({ next, look, isEnough }, { wait_seconds, signal });
    const messages = found.flatMap(messageIn);
    return { messages, next_cursor: found.at(-1)?.cursor ?? after, quarantined: leftOut(deps, "event") };
  };
