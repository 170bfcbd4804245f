// The routing gate of a server without a routing model: every answer is the fallback [4.gate.error_fallback]
// [4.gate.approval_fallback].
import { APPROVAL_FALLBACK, type ApprovalAnswer, ERROR_FALLBACK, type GateReply } from "../domain/gate.ts";
import type { Gate } from "../ports.ts";

/** The reply when there are no categories: the model is not asked. */
export const NO_CATEGORIES: GateReply<ApprovalAnswer> = {
  answer: { requires_approval: false },
  fallback: null,
  model: null,
  latency_ms: 0,
};

const noModel = <A>(answer: A): GateReply<A> => ({ answer, fallback: "no_model", model: null, latency_ms: 0 });

export const createNoModelGate = (): Gate => ({
  warm: () => undefined,
  classifyError: async () => noModel(ERROR_FALLBACK),
  matchCategory: async ({ categories }) => (categories.length === 0 ? NO_CATEGORIES : noModel(APPROVAL_FALLBACK)),
});
