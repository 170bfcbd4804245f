// The answers of the routing model to its two questions, and the fallbacks [4.gate.error] [4.gate.approval].
import { z } from "zod";

export const ErrorAnswer = z.strictObject({ error_type: z.enum(["transient", "unknown"]) });
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;

export const ApprovalAnswer = z.union([
  z.strictObject({ requires_approval: z.literal(true), matched_category: z.string().min(1) }),
  z.strictObject({ requires_approval: z.literal(false) }),
]);

/** The fallback names no category, because the model did not match one [4.gate.approval_fallback]. */
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer> | { requires_approval: true };

export const ERROR_FALLBACK: ErrorAnswer = { error_type: "unknown" };
export const APPROVAL_FALLBACK: ApprovalAnswer = { requires_approval: true };

/** An answer with its provenance. `fallback` is the reason why the model's answer is not used; null when it is used. */
export type GateReply<A> = {
  readonly answer: A;
  readonly fallback: string | null;
  readonly model: string | null;
  readonly latency_ms: number;
};

export type ErrorQuestion = { readonly command: string; readonly output: string };

export type CategoryQuestion = {
  readonly command: string;
  /** The variables of the contract that the command is given. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly categories: readonly string[];
};
