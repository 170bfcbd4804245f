// A model that makes every call that it finds in the last text it was shown, and again after a refusal. It begins with
// the calls in the contract's payload, and gives up with `finish`.
import { z } from "zod";
import { calls, type Script, says } from "../../support/agent-model.ts";

export type Call = [name: string, given: object];

/** In an order, THE_OUTPUT is replaced by the whole text around it, and THE_TURN by the number of the reply. */
export const order = (...asked: readonly Call[]): string => `do ${JSON.stringify(asked)} od`;
const ORDER = /do (\[\[.*?\]\]) od/s;
/** The same as the name of a tool, which cannot hold JSON. */
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
  return answers.length === 0 ? calls(...begin) : calls(["finish", { summary: "I did what I was told.", done: false }]);
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
  // Quotes are escaped once more in JSON that the text quotes, and twice more in JSON within that.
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
