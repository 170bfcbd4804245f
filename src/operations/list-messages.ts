// list_messages: everything addressed to the supervisor after a cursor.

import type { z } from "zod";
import { outcome, outcomeView } from "../domain/outcome.ts";
import type { Store } from "../ports.ts";
import { leftOut } from "./left-out.ts";
import { AHEAD, invalidInput, type OperationHandler } from "./operation.ts";
import type { listMessages } from "./shapes/journal.ts";
import { lookUntil } from "./wait.ts";

type Recorded = Awaited<ReturnType<Store["readMessages"]>>[number];

/** The record that the supervisor gets of it. */
export function messageIn({ cursor, event }: Recorded): z.infer<(typeof listMessages)["output"]>["messages"] {
  const { thread_id, at } = event;
  if (event.kind === "reported") return [{ cursor, thread_id, at, outcome: outcomeView(thread_id, event.body) }];
  if (event.kind === "schedule_failed") {
    const { message, task_id } = event.body;
    const text = `Task ${task_id} of the schedule was not submitted: ${message}`;
    return [{ cursor, thread_id, at, outcome: outcome("blocked", "schedule_failed", text, { thread_id }) }];
  }
  if (event.kind !== "sop_trial_failed") return [];
  const failed = outcome("failed", "sop_trial_failed", event.body.message, { thread_id });
  return [{ cursor, thread_id, at, outcome: failed }];
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
