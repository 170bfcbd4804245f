// The oldest turns of a run, which are no longer shown in full: one line for each call, with what it asked for and what came of it.
import type { AgentCall, AgentReplied } from "../domain/agent-events.ts";
import { dataDocument, shortened } from "../domain/data-document.ts";
import type { Json } from "../domain/json.ts";
import { quotedLine } from "../domain/quoted-line.ts";
import type { AgentMessage } from "./agent-message.ts";
import { checkCommand } from "./named-checks.ts";
import { tokensIn } from "./tokens.ts";

export type EarlierLine = { readonly shows: { readonly [key: string]: Json }; readonly tokens: number };
type Shown = EarlierLine["shows"];

/** Bytes of the head, and of the tail, of what was asked for and of the line that came of it. */
const HALF = 72;

/** A reply without calls leaves its text only. */
export function linesOf({ text, fault }: AgentReplied, calls: readonly AgentCall[]): EarlierLine[] {
  const own: Shown[] = text === "" || fault !== null ? [] : [{ you: shortened(text, HALF) }];
  return [...own, ...calls.map(lineOf)].map((shows) => ({ shows, tokens: tokensIn(dataDocument(shows)) + 1 }));
}

/** The same lines as before are a beginning of the message, so that the model's server has read them already. */
export const earlierMessages = (lines: readonly EarlierLine[], left_out: number): AgentMessage[] =>
  lines.length + left_out === 0
    ? []
    : [
        {
          role: "user",
          text: dataDocument({
            ...(left_out > 0 && { earlier_calls_left_out: left_out }),
            earlier_calls: lines.map(({ shows }) => shows),
          }),
        },
      ];

function lineOf(call: AgentCall): Shown {
  const { index, name, state, reason, step, result, arguments: given } = call;
  const asked = shortened(checkCommand(call) ?? JSON.stringify(given), HALF);
  const line = { call: index, [step?.kind === "check" ? "check" : name]: asked };
  const why = shortened(reason ?? "", HALF);
  if (state === "refused") return { ...line, refused: why };
  if (state === "faulty") return { ...line, not_a_call: why };
  if (state === "rejected") return { ...line, rejected_by_a_human: why };
  if (result === null) return { ...line, not_made: true };
  const { exit_code } = result;
  const said = quotedLine(result);
  return { ...line, exit_code, ...(said !== "" && { result: shortened(said, HALF) }) };
}
