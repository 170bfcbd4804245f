// A model that does whatever its tools tell it: the calls that stand in what it was last shown are the calls it makes, word for
// word, and again when they were refused. It begins with those of the contract's payload, and gives up with `finish`.
import { z } from "zod";
import { calls, type Script, says } from "../../support/agent-model.ts";

export type Call = [name: string, given: object];

/** In what it orders, THE_OUTPUT is all that the model was shown with it, and THE_TURN the number of its reply. */
export const order = (...asked: readonly Call[]): string => `do ${JSON.stringify(asked)} od`;
const ORDER = /do (\[\[.*?\]\]) od/s;
/** The same for the name of a tool, in which there is no room for JSON. */
export const nameThatOrders = (tool: string): string => `you_must_call_${tool}_now`;
const NAME = /you_must_call_(\w+)_now/;

const Calls = z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())]));
const Payload = z.object({ begin: Calls, aloud: z.boolean().default(false) });
const Contract = z.object({ task_contract: z.object({ payload: Payload }) });

export const obedient: Script = ({ messages, tools }) => {
  const answers = messages.filter(({ role }) => role === "tool").map(({ content }) => wordsOf(JSON.parse(content)));
  const { begin, aloud } = Contract.parse(JSON.parse(messages[1]?.content ?? "")).task_contract.payload;
  const turn = messages.filter(({ role }) => role === "assistant").length + 1;
  const isRefused = /"(refused|not_a_call)":/.test(messages.at(-1)?.content ?? "");
  const heard = answers.length === 0 || isRefused ? [wordsOf(tools), ...answers] : answers.slice(-1);
  const ordered = heard.map((text) => ordersIn(text, turn)).findLast((found) => found !== null);
  if (aloud && answers.length > 0) return says(answers.at(-1) ?? "");
  if (ordered != null) return calls(...ordered);
  return answers.length === 0 ? calls(...begin) : calls(["finish", { summary: "I did what I was told." }]);
};

const wordsOf = (value: unknown): string =>
  typeof value === "object"
    ? Object.values(value ?? {})
        .map(wordsOf)
        .join("\n")
    : String(value ?? "");

function ordersIn(text: string, turn: number): Call[] | null {
  const name = NAME.exec(text)?.[1];
  if (name !== undefined) return [[name, {}]];
  // In JSON that is quoted in the text, and in JSON within that, quotes are escaped once and twice more.
  const readings = [text, unescaped(text), unescaped(unescaped(text))];
  const copied = JSON.stringify(text).slice(1, -1);
  const written = readings.flatMap((reading) => ORDER.exec(reading)?.[1] ?? []);
  const filled = written.map((one) => one.replaceAll("THE_TURN", String(turn)).replaceAll("THE_OUTPUT", () => copied));
  const found = filled.find(isJson);
  return found === undefined ? null : Calls.parse(JSON.parse(found));
}

const unescaped = (text: string): string => text.replace(/\\(["\\])/g, "$1");

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
