// How the pipeline asks and reads an answer: LangChain's human-in-the-loop request in both of its spellings, for Studio and
// agent inboxes, with orch's own outcome beside it. An answer that is not plainly an approval is a rejection.
import { z } from "zod";
import type { Json } from "../domain/json.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Waiting } from "../domain/task.ts";

type Ask<W> = W extends unknown ? Omit<W, "interrupt_id"> : never;

/** The value of every interrupt: who asks for what, and the pause it makes. */
export type Question = {
  readonly outcome: Outcome;
  readonly waiting: Ask<Waiting>;
  readonly [key: string]: unknown;
};

type Action = {
  readonly name: string;
  readonly args: { readonly [key: string]: unknown };
  readonly description: string;
};

export function question(
  outcome: Outcome,
  waiting: Ask<Waiting>,
  action: Action,
  allowed: readonly ("approve" | "reject" | "edit")[],
): Question {
  const request = { ...action, arguments: action.args };
  return {
    outcome,
    waiting,
    actionRequests: [request],
    action_requests: [request],
    reviewConfigs: [{ actionName: action.name, allowedDecisions: allowed }],
    review_configs: [{ action_name: action.name, allowed_decisions: allowed }],
  } satisfies Question & Record<string, Json | unknown>;
}

const One = z.looseObject({ type: z.string(), message: z.string().max(4096).optional() });
const Answer = z.union([
  z.strictObject({ decisions: z.tuple([One]) }).transform(({ decisions }) => decisions[0]),
  z.tuple([One]).transform(([one]) => one),
  One,
]);

/** Reads any of the known answer forms. Everything but one plain approval is a rejection. */
export function readDecision(answer: unknown): { decision: "approve" | "reject"; reason: string | null } {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) return { decision: "reject", reason: "the answer was not understood" };
  const approves = parsed.data.type === "approve" || parsed.data.type === "accept";
  return { decision: approves ? "approve" : "reject", reason: parsed.data.message ?? null };
}

const Edit = z.looseObject({
  decisions: z.tuple([z.looseObject({ editedAction: z.looseObject({ args: z.unknown() }) })]),
});

/** The edited arguments of an answer of type `edit`, or the answer itself when it is not wrapped. */
export function readEdit(answer: unknown): unknown {
  const parsed = Edit.safeParse(answer);
  return parsed.success ? parsed.data.decisions[0].editedAction.args : answer;
}
