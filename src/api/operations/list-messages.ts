// list_messages: everything addressed to the supervisor after a cursor.
import type { z } from "zod";
import { eventOf } from "../../domain/journal.ts";
import { OutcomeView, outcome, outcomeView } from "../../domain/outcome.ts";
import type { Store } from "../../ports.ts";
import { AHEAD, invalidInput, leftOut, lookUntil, type OperationHandler } from "./operation.ts";
import type { listMessages } from "./shapes/journal.ts";

export type RecordedMessage = Awaited<ReturnType<Store["readMessages"]>>[number];

/** The record that the supervisor gets of it. */
export function messageIn({ cursor, event }: RecordedMessage): z.infer<(typeof listMessages)["output"]>["messages"] {
  const { thread_id, at } = event;
  const said = sayingOf(thread_id, event);
  return said === null ? [] : [{ cursor, thread_id, at, outcome: said }];
}

/** What is said of a version, or of a server, has no end of a task. */
function sayingOf(thread_id: string, { kind, body }: RecordedMessage["event"]): OutcomeView | null {
  if (kind === "reported") return outcomeView(thread_id, body);
  const message = eventOf(kind)?.message;
  if (message === undefined) return null;
  const step_index = message.step_index?.(body) ?? null;
  const approval_id = message.approval_id?.(body) ?? null;
  const next = message.next({ thread_id, step_index, approval_id }, body);
  const reason_code = OutcomeView.shape.reason_code.parse(kind);
  return outcome(message.status, reason_code, message.text(body), { thread_id, step_index, approval_id, next });
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
