// What the supervisor may do next, as data: each endpoint renders it in its own form. Several actions are alternatives,
// best first.
import { z } from "zod";
import { JsonObject } from "./json.ts";
import { redactedJson } from "./redacted-json.ts";

export const NextAction = z.strictObject({
  operation: z.string().max(64).nullable().describe("the operation to call; null when there is nothing to call"),
  arguments: JsonObject.describe("what is known of its input; the supervisor adds the rest"),
  text: z.string().describe("one sentence"),
});
export type NextAction = z.infer<typeof NextAction>;

/** As records hold it: before actions there was one sentence, and a skill may still give one. */
export const RecordedNext = z.union([z.string(), z.array(NextAction)]);
export type RecordedNext = z.infer<typeof RecordedNext>;

/** An action with nothing to call. */
export const advice = (text: string): NextAction => ({ operation: null, arguments: {}, text });

export const actionsIn = (next: RecordedNext): NextAction[] => (typeof next === "string" ? [advice(next)] : next);

type Redact = (text: string) => string;

export const redactedNext = (redact: Redact, next: RecordedNext): RecordedNext =>
  typeof next === "string"
    ? redact(next)
    : next.map(({ operation, arguments: given, text }) => ({
        operation,
        arguments: JsonObject.parse(redactedJson(redact, given)),
        text: redact(text),
      }));
