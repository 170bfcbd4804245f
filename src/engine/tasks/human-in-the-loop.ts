// How the pipeline asks and reads an answer: LangChain's human-in-the-loop request in both of its spellings, for Studio and
// agent inboxes, with orch's own outcome beside it. An answer that is not understood is refused, and the question stays open.
import { z } from "zod";
import { digestOf, type Json } from "../../domain/json.ts";
import { parseJson } from "../../domain/json-values.ts";
import type { Outcome } from "../../domain/outcome.ts";

/** What a question makes a task wait for. The pause adds the id of the interrupt. */
type Asked =
  | { readonly kind: "teaching" }
  | { readonly kind: "approval"; readonly approval_id: string }
  | { readonly kind: "resolution"; readonly index: number; readonly attempt: number }
  | { readonly kind: "parked" };

/** The value of every interrupt: who asks for what, and the pause it makes. */
export type Question = {
  readonly outcome: Outcome;
  readonly waiting: Asked;
  readonly [key: string]: unknown;
};

type Action = {
  readonly name: string;
  readonly args: { readonly [key: string]: unknown };
  readonly description: string;
};

export function question(
  outcome: Outcome,
  waiting: Asked,
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

/** LangChain's edited action, in both spellings, and that of Agent Inbox. */
const Action = z.union([
  z.looseObject({ args: z.unknown() }).transform(({ args }) => args),
  z.looseObject({ arguments: z.unknown() }).transform((one) => one.arguments),
]);
const One = z.looseObject({
  type: z.enum(["approve", "accept", "reject", "ignore", "response", "edit"]),
  message: z.string().max(4096).optional(),
  args: z.unknown().optional(),
  editedAction: Action.optional(),
  edited_action: Action.optional(),
});
type One = z.infer<typeof One>;

const Word = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(["approve", "accept", "reject"]));
const Answer = z.union([
  z.strictObject({ decisions: z.tuple([One]) }).transform(({ decisions }) => decisions[0]),
  z.tuple([One]).transform(([one]) => one),
  One,
  z
    .looseObject({ decision: z.enum(["approve", "reject"]), reason: z.string().max(4096).nullish() })
    .transform(({ decision, reason }): One => ({ type: decision, message: reason ?? undefined })),
  Word.transform((type): One => ({ type })),
]);

type Decision = { readonly decision: "approve" | "reject"; readonly reason: string | null };

/** Reads any of the known forms of one decision. Null: it is none, and the question has to be asked again. */
export function readDecision(answer: unknown): Decision | null {
  const parsed = Answer.safeParse(answer);
  // What runs is what is shown: it cannot be edited with the approval.
  if (!parsed.success || parsed.data.type === "edit") return null;
  const { type, args } = parsed.data;
  // Agent Inbox sends the human's text as args, and what its human responds as a rejection or a response.
  const text = parsed.data.message ?? (typeof args === "string" ? args : null);
  const word = Word.safeParse(text).data;
  if (type === "ignore") return { decision: "reject", reason: IGNORED };
  // A free text decides nothing, but for the word itself. One that says the opposite is a mistake.
  if (type === "response") return word === undefined ? null : readDecision(word);
  if (type === "reject") return word === "approve" || word === "accept" ? null : { decision: "reject", reason: text };
  return { decision: "approve", reason: text };
}

/** Of an approval: in Agent Inbox, what is ignored does not run, and its thread is over. */
const IGNORED = "ignored in the inbox";

/** To be given to an interrupt: an answer that is no decision is refused with this sentence, and the question stays open. */
export const Decidable = z.unknown().refine((answer) => readDecision(answer) !== null, {
  error:
    'is no decision: answer {"decisions":[{"type":"approve"}]} or {"decisions":[{"type":"reject","message":"why"}]}, or the word approve or reject',
});

/**
 * The edited arguments of an answer, or the answer itself when it is not wrapped, without those of the offered ones that came back as
 * they were. Agent Inbox sends lists and objects that were edited as text.
 */
export function readEdit(answer: unknown, offered: { readonly [name: string]: unknown } = {}): unknown {
  const parsed = Answer.safeParse(answer);
  const edited = parsed.success ? argumentsOf(parsed.data) : answer;
  if (typeof edited !== "object" || edited === null || Array.isArray(edited)) return edited;
  const read = Object.entries(edited).map(([name, value]): [string, unknown] => [name, fromText(value, offered[name])]);
  return Object.fromEntries(read.filter(([name, value]) => !isOffered(offered, name, value)));
}

function fromText(value: unknown, offered: unknown): unknown {
  if (typeof value !== "string" || typeof offered === "string") return value;
  const parsed = parseJson(value);
  const isWanted =
    offered === undefined ? typeof parsed === "object" && parsed !== null : typeof parsed === typeof offered;
  return isWanted ? parsed : value;
}

const isOffered = (offered: { readonly [name: string]: unknown }, name: string, value: unknown): boolean =>
  offered[name] !== undefined && value !== undefined && digestOf(offered[name]) === digestOf(value);

/** Agent Inbox sends the whole action request as `args`. */
function argumentsOf({ editedAction, edited_action, args }: One): unknown {
  const request = Action.safeParse(args);
  return editedAction ?? edited_action ?? (request.success && request.data !== undefined ? request.data : args);
}
