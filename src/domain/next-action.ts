// Defines what the supervisor may do next, as data: each endpoint renders it in its own form, so the sentences name no operation. Several
// actions are alternatives, best first. outcome.ts says which follow from the reason of an outcome.
import { z } from "zod";
import { type Json, JsonObject, redactedJson } from "./json.ts";

// Proposes what to do after the cancel of a task whose steps may have had effects.

export const nextAfterPossibleEffects = (task_id: string): NextAction[] => [
  {
    operation: "get_evidence",
    arguments: { task_id },
    text: "Look at what the steps did before you submit again.",
  },
  {
    operation: "submit_task",
    arguments: {},
    text: "Submit again under a new task_id when you know what was done.",
  },
];

export const NextAction = z.strictObject({
  operation: z.string().max(64).nullable().describe("the operation to call; null when there is nothing to call"),
  arguments: JsonObject.describe("what is known of its input; the supervisor adds the rest"),
  text: z.string().describe("one sentence"),
});
export type NextAction = z.infer<typeof NextAction>;

/** As records hold it: before actions there was one sentence, and a skill may still give one. */
export const RecordedNext = z.union([z.string(), z.array(NextAction)]);
export type RecordedNext = z.infer<typeof RecordedNext>;

export const advice = (text: string): NextAction => ({ operation: null, arguments: {}, text });

export const actionsIn = (next: RecordedNext): NextAction[] => (typeof next === "string" ? [advice(next)] : next);

export const redactedNext = (redact: (text: string) => string, next: RecordedNext): RecordedNext =>
  typeof next === "string"
    ? redact(next)
    : next.map(({ operation, arguments: given, text }) => ({
        operation,
        arguments: JsonObject.parse(redactedJson(redact, given)),
        text: redact(text),
      }));

export const call = (operation: string, args: { [name: string]: Json }, text: string): NextAction => ({
  operation,
  arguments: args,
  text,
});

// Actions that depend on the facts of a task.

export type NextFacts = {
  readonly thread_id: string;
  readonly approval_id: string | null;
  readonly step_index: number | null;
};

export type Action = (facts: NextFacts) => NextAction;

export const onTask =
  (operation: string, text: string): Action =>
  ({ thread_id }) =>
    call(operation, { task_id: thread_id }, text);

export const submit =
  (text: string, args: { [name: string]: Json } = {}): Action =>
  () =>
    call("submit_task", args, text);

export const say =
  (text: string): Action =>
  () =>
    advice(text);

export const evidence = (text = "Read the evidence."): Action => onTask("get_evidence", text);
export const CANCEL = onTask("cancel_task", "Cancel the task.");
export const VERIFY = onTask(
  "record_verification",
  "Check the result yourself, outside of orch, and record what you see.",
);

export const DECIDE: Action = ({ thread_id, approval_id }) =>
  call(
    "approve",
    approval_id === null ? { task_id: thread_id } : { approval_id },
    "Show the approval to a human and pass on the decision.",
  );

export const READ_APPROVAL: Action = ({ thread_id }) =>
  call("list_approvals", { thread_id }, "Read everything that the approval covers.");
