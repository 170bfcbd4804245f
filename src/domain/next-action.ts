// What the supervisor may do next, as data: each endpoint renders it in its own form, so the sentences name no operation.
// Several actions are alternatives, best first. They follow from the reason of an outcome and the facts of its task.
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
