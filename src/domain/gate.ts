// Defines the answers of the routing model to its two questions, and the fallbacks [4.gate.error] [4.gate.approval].
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

/** Why an answer was not used, by the code that a `fallback` begins with. */
export const FALLBACK_CODES = [
  "no_model",
  "timeout",
  "unreachable",
  "aborted",
  "http_status",
  "model_error",
  "not_json",
  "wrong_shape",
  "unknown_category",
  "truncated",
] as const;

export const fallbackCode = (fallback: string): string => fallback.split(":", 1)[0] ?? fallback;

/** A sentence on a failure that was not repeated, because the model did not say that it would pass. Empty where no model was asked. */
export function unrepeatedSentence({
  fallback,
  latency_ms,
}: Pick<GateReply<unknown>, "fallback" | "latency_ms">): string {
  if (fallback === null) return "";
  const how = NOT_ANSWERED[fallbackCode(fallback)]?.(secondsOf(latency_ms)) ?? UNUSABLE(fallback);
  return how === "" ? "" : ` The routing model ${how}, so the step was not repeated.`;
}

/** The timer of a limit fires a little late. */
const secondsOf = (ms: number): number => (ms < 1_000 ? Math.floor(ms / 100) / 10 : Math.floor(ms / 1_000));

const NOT_ANSWERED: Readonly<Record<string, (seconds: number) => string>> = {
  no_model: () => "",
  aborted: () => "",
  timeout: (seconds) => `did not answer within ${seconds} s`,
  unreachable: () => "could not be reached",
};

const UNUSABLE = (fallback: string): string => `gave no usable answer (${fallback})`;
