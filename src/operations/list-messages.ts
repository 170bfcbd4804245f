// list_messages: everything addressed to the supervisor after a cursor.
import { outcomeView } from "../domain/outcome.ts";
import type { OperationHandler } from "./operation.ts";
import type { listMessages } from "./shapes/journal.ts";
import { lookUntil } from "./wait.ts";

export const handleListMessages: OperationHandler<typeof listMessages> =
  (deps) =>
  async ({ after, limit, wait_seconds }, { signal }) => {
    const look = () => deps.store.readMessages(after, limit);
    const next = (ms: number, until: AbortSignal) => deps.nextReport(null, ms, until);
    const isEnough = (messages: readonly unknown[]) => messages.length > 0;
    const found = await lookUntil({ clock: deps.clock, next, look, isEnough }, { wait_seconds, signal });
    const messages = found.flatMap(({ cursor, event }) => {
      const { thread_id, at } = event;
      return event.kind === "reported" ? [{ cursor, thread_id, at, outcome: outcomeView(thread_id, event.body) }] : [];
    });
    return { messages, next_cursor: found.at(-1)?.cursor ?? after };
  };
