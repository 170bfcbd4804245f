// What is on record: a task's evidence and journal, and the messages to the supervisor.
import { z } from "zod";
import { TaskId } from "../../domain/contract.ts";
import { EventRecord } from "../../domain/journal.ts";
import { OutcomeView, TASK_STATUSES } from "../../domain/outcome.ts";
import { LeftOut } from "../../domain/quarantine.ts";
import { freezeThread, promotionThread, scheduleThread } from "../../domain/thread-id.ts";
import { Evidence } from "../../evidence/bundle.ts";
import { Limit, READ, shape, WaitSeconds } from "../operation.ts";

export const getEvidence = shape({
  name: "get_evidence",
  summary: "What is known of a task: what ran, what it wrote, what the checks say, and who approved.",
  method: "GET",
  path: "/v1/tasks/{task_id}/evidence",
  scope: "read",
  hints: READ,
  input: z.strictObject({ task_id: TaskId }),
  output: Evidence,
});

export const readJournal = shape({
  name: "read_journal",
  summary: "What has happened to a task after a sequence number, oldest first; waits for the next event on request.",
  method: "GET",
  path: "/v1/tasks/{task_id}/journal",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    task_id: TaskId,
    after: z.int().min(0).default(0).describe("next_after of the call before; 0 is the beginning."),
    limit: Limit,
    wait_seconds: WaitSeconds.describe("Wait at most so long for the next event or the end of the task."),
  }),
  output: z.strictObject({
    events: z.array(EventRecord),
    next_after: z.int(),
    status: z.enum(TASK_STATUSES),
  }),
});

const Message = z.strictObject({
  cursor: z.int().describe("opaque; give the last one as after"),
  thread_id: z
    .string()
    .describe(
      `the task, or ${promotionThread("<sop_id>")}, ${scheduleThread("<name>")}, or ${freezeThread("<freeze_id>")}`,
    ),
  at: z.string(),
  outcome: OutcomeView,
});

export const listMessages = shape({
  name: "list_messages",
  summary: "Messages to the supervisor after a cursor, oldest first; waits for the next one on request.",
  method: "GET",
  path: "/v1/messages",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    after: z.int().min(0).default(0).describe("next_cursor of the call before; 0 is the beginning."),
    limit: Limit,
    wait_seconds: WaitSeconds.describe("Wait at most so long for the next message."),
  }),
  output: z.strictObject({ messages: z.array(Message), next_cursor: z.int(), quarantined: LeftOut }),
});
