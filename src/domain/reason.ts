// Why a task ends as it will, or waits: a fact that nodes hand on, apart from the state so that it loads without LangGraph.
import { z } from "zod";
import { REASONS, type ReasonCode } from "./outcome.ts";

export const Why = z.object({
  reason_code: z.enum(Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]]),
  message: z.string(),
  step_index: z.int().nullable(),
  skill_code: z.string().optional(),
  next: z.string().optional(),
});
export type Why = z.infer<typeof Why>;

export const because = (reason_code: ReasonCode, message: string, step_index: number | null = null): Why => ({
  reason_code,
  message,
  step_index,
});

/** What was thrown, in words, whatever it is. */
export function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "something that cannot be told in words";
  }
}
