// One labelled question to the routing model: a line of a file that `orch eval routing` reads.
import { z } from "zod";
import { ErrorAnswer } from "../../domain/gate.ts";

const Filled = z.string().min(1);

const ErrorCase = z.strictObject({
  question: z.literal("error"),
  command: Filled,
  output: z.string(),
  expected: ErrorAnswer.shape.error_type,
  note: z.string().optional(),
});

const ApprovalCase = z
  .strictObject({
    question: z.literal("approval"),
    command: Filled,
    categories: z.array(Filled).min(1),
    expected: z.string().nullable().describe("null: no approval is needed"),
    note: z.string().optional(),
  })
  .refine(({ categories, expected }) => expected === null || categories.includes(expected), {
    path: ["expected"],
    message: "must be one of the categories, or null",
  });

export const EvalCase = z.discriminatedUnion("question", [ErrorCase, ApprovalCase]);
export type EvalCase = z.infer<typeof EvalCase>;

/** `line` is the line number in the file. */
export type NumberedCase = { readonly line: number; readonly asked: EvalCase };
