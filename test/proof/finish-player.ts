// Plays the rows of finishes: a model that makes the calls of a row, one a reply, hears what orch answers, and finishes as the
// row says. README.md says what it does when a call is not made, or a finish is not accepted.
import { z } from "zod";
import { calls, type Script, type Turn } from "../support/agent-model.ts";
import type { FinishRow } from "./rows.ts";

type Asked = [name: string, given: object];

/** `place` is that of a call among those of its row. */
type Next = { readonly name: "shell" | "finish"; readonly given: object; readonly place?: number };

const Task = z.object({ task_contract: z.looseObject({ payload: z.looseObject({ row: z.string() }) }) });
const Answer = z.looseObject({ call: z.int(), not_a_call: z.unknown().optional() });
type Answer = { readonly call: number; readonly refusal: string | null };

/** `filled` puts the names of the row's fixture into a text. */
export type Played = { readonly row: FinishRow; readonly filled: (text: string) => string };

/** One model for many tasks: the payload of each names its row. */
export function playingModel(played: ReadonlyMap<string, Played>): Script {
  const players = new Map<string, ReturnType<typeof playerOf>>();
  return ({ messages }) => {
    const task = messages.find(({ role }) => role === "user")?.content ?? "";
    const id = Task.parse(JSON.parse(task)).task_contract.payload.row;
    const given = played.get(id);
    if (given === undefined) throw new Error(`no row ${id} is played`);
    const player = players.get(id) ?? playerOf(given);
    players.set(id, player);
    const last = messages.at(-1);
    return player(last?.role === "tool" ? answerIn(last.content) : null);
  };
}

function answerIn(content: string): Answer {
  const { call, not_a_call } = Answer.parse(JSON.parse(content));
  return { call, refusal: not_a_call === undefined ? null : JSON.stringify(not_a_call) };
}

function playerOf({ row, filled }: Played): (answer: Answer | null) => Turn {
  const queue: Next[] = [...row.calls.map(({ arguments: given }, place) => shell(given, place)), finish(row.finish)];
  const afterwards = row.afterwards.map((one) => ("finish" in one ? finish(one.finish) : shell(one.arguments)));
  const numbers: number[] = [];
  let last: Next | undefined;
  return (answer) => {
    if (answer !== null && last !== undefined) {
      if (last.place !== undefined) numbers[last.place] = answer.call;
      if (answer.refusal?.includes("not made yet")) queue.unshift(...checksOf(row).map((one) => shell(one)), last);
      else if (answer.refusal !== null && last.name === "finish") queue.push(afterwards.shift() ?? last);
    }
    last = queue.shift() ?? finish(row.finish);
    const given = last.name === "finish" ? numbered(last.given, numbers) : last.given;
    return calls(filledIn([last.name, given], filled));
  };
}

const shell = (given: object, place?: number): Next => ({
  name: "shell",
  given,
  ...(place !== undefined && { place }),
});
const finish = (given: object): Next => ({ name: "finish", given });

/** A row counts its own calls. orch numbers also those that were not made, and the model has read the numbers. */
function numbered(given: object, numbers: readonly number[]): object {
  const { criteria } = Named.parse(given);
  const of = (n: number): number => numbers[n] ?? (numbers.at(-1) ?? 0) + n - numbers.length + 1;
  const renumbered = criteria.map(({ evidence_check, ...one }) => {
    const isText = typeof evidence_check === "string";
    const [, words, n] = isText ? (/^(call\W+)(\d+)$/i.exec(evidence_check) ?? []) : [];
    const text = n === undefined ? evidence_check : `${words}${of(Number(n))}`;
    return { ...one, evidence_check: isText ? text : of(evidence_check) };
  });
  return renumbered.length === 0 ? given : { ...given, criteria: renumbered };
}

/** The checks that the row makes, or else those that its last finish names, each once. */
function checksOf({ calls: made, finish, afterwards }: FinishRow): { command: string; check: true }[] {
  const flagged = made.flatMap(({ arguments: { command, check } }) => (check === undefined ? [] : [command]));
  const finishes = [finish, ...afterwards.flatMap((one) => ("finish" in one ? [one.finish] : []))];
  const { checks, criteria } = Named.parse(finishes.at(-1));
  const named = [...checks, ...criteria.map(({ evidence_check }) => evidence_check)];
  const commands = flagged.length > 0 ? flagged : named.filter((one) => typeof one === "string");
  return [...new Set(commands)].map((command) => ({ command, check: true }));
}

const Evidence = z.union([z.string(), z.int()]);
const Named = z.looseObject({
  checks: z.array(Evidence).default([]),
  // Not all of them are as they should be: that is their slip.
  criteria: z
    .array(z.looseObject({ evidence_check: Evidence }))
    .catch([])
    .default([]),
});

function filledIn([name, given]: Asked, filled: (text: string) => string): Asked {
  const fill = (_key: string, value: unknown): unknown => (typeof value === "string" ? filled(value) : value);
  return [name, z.looseObject({}).parse(JSON.parse(JSON.stringify(given, fill)))];
}
