// What the routing model's answers to labelled cases come to (spec section 4, Routing gate). Every answer is judged by one
// word; two of them are dangerous: a failure that is run again for nothing, and an approval that nobody is asked for.

import type { ApprovalAnswer, ErrorAnswer, GateReply } from "../domain/gate.ts";
import type { NumberedCase } from "./case.ts";
import { type Latency, latencyOf, type Tally, tallyOf } from "./figures.ts";

/** `said` is of the form of the case's `expected`; of a fallback the model has said nothing. */
export type Answered = NumberedCase & {
  readonly said: string | null;
  readonly fallback: string | null;
  readonly latency_ms: number;
};

const JUDGEMENTS = [
  "right",
  "false_transient",
  "missed_transient",
  "false_no_approval",
  "wrong_category",
  "needless_approval",
  "fallback",
] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const DANGEROUS: ReadonlySet<Judgement> = new Set(["false_transient", "false_no_approval"]);

type Share = { readonly cases: number; readonly right: number; readonly accuracy: number | null };

export type RoutingScore = Share & {
  readonly model: string;
  /** How many there were to ask; more than `cases` when it was stopped. */
  readonly planned: number;
  readonly questions: { readonly [Q in "error" | "approval"]: Share & Readonly<Record<Judgement, number>> };
  readonly fallbacks: Tally;
  readonly latency: Latency | null;
  /** Everything that is not right and no fallback. */
  readonly misses: readonly (Answered & { readonly judgement: Judgement })[];
};

export function answered(
  asked: NumberedCase,
  { answer, fallback, latency_ms }: GateReply<ErrorAnswer | ApprovalAnswer>,
): Answered {
  const said =
    "error_type" in answer ? answer.error_type : "matched_category" in answer ? answer.matched_category : null;
  return { ...asked, said, fallback, latency_ms };
}

export function judgementOf({ asked, said, fallback }: Answered): Judgement {
  if (fallback !== null) return "fallback";
  if (said === asked.expected) return "right";
  if (asked.question === "error") return said === "transient" ? "false_transient" : "missed_transient";
  if (said === null) return "false_no_approval";
  return asked.expected === null ? "needless_approval" : "wrong_category";
}

export function scoreRouting(all: readonly Answered[], of: { readonly model: string; readonly planned: number }) {
  const judged = all.map((one) => ({ ...one, judgement: judgementOf(one) }));
  const questionOf = (question: "error" | "approval") => judged.filter(({ asked }) => asked.question === question);
  return {
    ...of,
    ...shareOf(judged),
    questions: { error: tallied(questionOf("error")), approval: tallied(questionOf("approval")) },
    fallbacks: tallyOf(all.flatMap(({ fallback }) => fallback ?? [])),
    latency: latencyOf(all.map(({ latency_ms }) => latency_ms)),
    misses: judged.filter(({ judgement }) => judgement !== "right" && judgement !== "fallback"),
  } satisfies RoutingScore;
}

type Judged = { readonly judgement: Judgement };

const countOf = (judged: readonly Judged[], judgement: Judgement): number =>
  judged.filter((one) => one.judgement === judgement).length;

/** A fallback is never right, whatever it says: the model did not say it. */
function shareOf(judged: readonly Judged[]): Share {
  const right = countOf(judged, "right");
  return { cases: judged.length, right, accuracy: judged.length === 0 ? null : right / judged.length };
}

const tallied = (judged: readonly Judged[]) => ({
  ...shareOf(judged),
  ...(Object.fromEntries(JUDGEMENTS.map((name) => [name, countOf(judged, name)])) as Record<Judgement, number>),
});
