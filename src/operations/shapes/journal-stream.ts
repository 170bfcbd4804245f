// The stream of a task's journal, as server-sent events: not an operation, because its answer has no end of its own. The
// endpoint publishes and writes it, and the command line reads it.
import { z } from "zod";
import { EventRecord } from "../../domain/journal.ts";
import { LivePiece } from "../../domain/live-output.ts";
import { TASK_STATUSES } from "../../domain/outcome.ts";
import { readJournal } from "./journal.ts";

const { task_id, after } = readJournal.input.shape;

export const journalStream = {
  name: "stream_journal",
  summary: "The journal of a task as server-sent events, until the task has ended.",
  guidance:
    "An event of the journal has its sequence number as id and no name; `status` follows when those that there are have been sent. With output=live, `output` events without an id have what a running step writes: never recorded, and replaced by its step_finished. They skip what a slow reader misses and say how many bytes; a step of a server that cannot be reached sends none. After the last event of an ended task the answer is 204.",
  over: "The task has ended, and nothing follows",
  path: "/v1/tasks/{task_id}/journal/stream",
  scope: "read",
  input: z.strictObject({
    task_id,
    after: after.describe("the sequence number of the last event that is known; Last-Event-ID comes first"),
    output: z.enum(["live"]).optional().describe("also send what a running step writes"),
  }),
  /** The data of each event; those of the journal have no name, which makes them a message. */
  events: { message: EventRecord, output: LivePiece, status: z.strictObject({ status: z.enum(TASK_STATUSES) }) },
} as const;
