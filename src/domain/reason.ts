// The reason for the end of a task: a fact that nodes hand on. It is apart from the graph state, so it loads without
// LangGraph.
import { z } from "zod";
import { RecordedNext } from "./next-action.ts";
import { REASON_CODES, type ReasonCode } from "./reason-code.ts";

export const Reason = z.object({
  reason_code: z.enum(REASON_CODES),
  message: z.string(),
  step_index: z.int().nullable(),
  skill_code: z.string().optional(),
  next: RecordedNext.optional(),
});
export type Reason = z.infer<typeof Reason>;

export const reason = (reason_code: ReasonCode, message: string, step_index: number | null = null): Reason => ({
  reason_code,
  message,
  step_index,
});

/** The message of anything that was thrown. */
export function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "something that cannot be put into words";
  }
}
