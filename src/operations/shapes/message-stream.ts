// The stream of all messages to the supervisor, as server-sent events: the records of list_messages without polling.
import { z } from "zod";
import { listMessages } from "./journal.ts";

export const messageStream = {
  name: "stream_messages",
  summary: "The messages to the supervisor as server-sent events, of all tasks and promotions, without an end.",
  guidance:
    "The data of an event is a record of list_messages, its id the cursor of the record. After a lost connection Last-Event-ID resumes with the next record; without it and without after, the stream begins with the first record there is.",
  path: "/v1/events",
  scope: "read",
  input: z.strictObject({
    after: listMessages.input.shape.after.describe(
      "the cursor of the last record that is known; Last-Event-ID comes first",
    ),
  }),
  events: { message: listMessages.output.shape.messages.element },
} as const;
