// The gate of a service without a routing model: every answer is the fallback (spec section 4, Routing gate).
import { APPROVAL_FALLBACK, type ApprovalAnswer, ERROR_FALLBACK, type GateReply } from "../domain/gate.ts";
import type { Gate } from "../ports.ts";

/** With no category to match there is nothing to ask, whether or not there is a model. */
export const NO_CATEGORIES: GateReply<ApprovalAnswer> = {
  answer: { requires_approval: false },
  fallback: null,
  model: null,
  latency_ms: 0,
};

const noModel = <A>(answer: A): GateReply<A> => ({ answer, fallback: "no_model", model: null, latency_ms: 0 });

export const createNoModelGate = (): Gate => ({
  classifyError: async () => noModel(ERROR_FALLBACK),
  matchCategory: async ({ categories }) => (categories.length === 0 ? NO_CATEGORIES : noModel(APPROVAL_FALLBACK)),
});
