// list_messages (spec section 6): everything addressed to the supervisor after a cursor.
import { z } from "zod";
import { Outcome } from "../domain/outcome.ts";
import { Limit, numeric, operation, READ } from "./operation.ts";
import { lookUntil, WaitSeconds } from "./wait.ts";

const Message = z.strictObject({
  cursor: z.int().describe("opaque; give the last one as after"),
  thread_id: z.string().describe("the task, or promotion/<sop_id>"),
  at: z.string(),
  outcome: Outcome,
});

export const listMessages = operation({
  name: "list_messages",
  summary: "Messages to the supervisor after a cursor, oldest first; waits for the next one on request.",
  method: "GET",
  path: "/v1/messages",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    after: numeric(z.int().min(0).default(0)),
    limit: Limit,
    wait_seconds: WaitSeconds,
  }),
  output: z.strictObject({ messages: z.array(Message), next_cursor: z.int() }),
  handle:
    (deps) =>
    async ({ after, limit, wait_seconds }, { signal }) => {
      const look = () => deps.store.readMessages(after, limit);
      const next = (ms: number, until: AbortSignal) => deps.nextReport(null, ms, until);
      const found = await lookUntil(deps.clock, next, { wait_seconds, signal }, look, (seen) => seen.length > 0);
      const messages = found.flatMap(({ cursor, event }) =>
        event.kind === "reported" ? [{ cursor, thread_id: event.thread_id, at: event.at, outcome: event.body }] : [],
      );
      return { messages, next_cursor: found.at(-1)?.cursor ?? after };
    },
});
