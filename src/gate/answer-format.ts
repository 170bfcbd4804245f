// The form of the answers to the two routing questions: their JSON Schema, and how many tokens the longest of them may take.
import { z } from "zod";
import { ErrorAnswer } from "../domain/gate.ts";
import type { RoutingFormat } from "../ollama/served-model.ts";

export type AnswerFormat = {
  readonly schema: Readonly<Record<string, unknown>>;
  /** A token holds at least one byte. */
  readonly answer_tokens: number;
};

const formatOf = (answer: z.ZodType, longest: readonly object[]): AnswerFormat => {
  const { $schema: _, ...schema } = z.toJSONSchema(answer);
  return { schema, answer_tokens: Math.max(...longest.map((one) => Buffer.byteLength(JSON.stringify(one)))) };
};

export const ERROR_FORMAT = formatOf(
  ErrorAnswer,
  ErrorAnswer.shape.error_type.options.map((error_type) => ({ error_type })),
);

export function approvalFormat(categories: readonly string[]): AnswerFormat {
  const matched = z.strictObject({ requires_approval: z.literal(true), matched_category: z.enum(categories) });
  const none = z.strictObject({ requires_approval: z.literal(false) });
  const longest = categories.map((matched_category) => ({ requires_approval: true, matched_category }));
  return formatOf(z.union([matched, none]), longest);
}

/** As Ollama takes it [4.model.format]. */
export const requested = (format: RoutingFormat, { schema }: AnswerFormat) => (format === "schema" ? schema : "json");
