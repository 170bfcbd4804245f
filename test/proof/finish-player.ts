// Plays the rows of finishes: a model that makes the calls of a row, one a reply, hears what orch answers, and finishes as the
// row says. README.md says what it does when a call is not made, or a finish is not accepted.
import { z } from "zod";
import { calls, type Script, type Turn } from "../support/agent-model.ts";
import type { FinishRow } from "./rows.ts";

type Asked = readonly [name: string, given: object];

const Task = z.object({ task_contract: z.looseObject({ payload: z.looseObject({ row: z.string() }) }) });
const Answer = z.looseObject({ not_a_call: z.looseObject({}).or(z.string()).optional() });

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
    return player(last?.role === "tool" ? refusalIn(last.content) : null);
  };
}

const refusalIn = (content: string): string | null => {
  const { not_a_call } = Answer.parse(JSON.parse(content));
  return not_a_call === undefined ? null : JSON.stringify(not_a_call);
};

function playerOf({ row, filled }: Played): (refusal: string | null) => Turn {
  const shell = (given: object): Asked => ["shell", filledIn(given, filled)];
  const finish = (given: object): Asked => ["finish", filledIn(given, filled)];
  const queue: Asked[] = [...row.calls.map((call) => shell(call.arguments)), finish(row.finish)];
  const afterwards = row.afterwards.map((one) => ("finish" in one ? finish(one.finish) : shell(one.arguments)));
  let last: Asked | undefined;
  return (refusal) => {
    if (refusal !== null && last !== undefined) {
      if (refusal.includes("not made yet")) queue.unshift(...checksOf(row).map((one) => shell(one)), last);
      else if (last[0] === "finish") queue.push(afterwards.shift() ?? last);
    }
    last = queue.shift() ?? finish(row.finish);
    return calls([...last]);
  };
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
  criteria: z.array(z.looseObject({ evidence_check: Evidence })).default([]),
});

function filledIn(given: object, filled: (text: string) => string): object {
  const fill = (_key: string, value: unknown): unknown => (typeof value === "string" ? filled(value) : value);
  return z.looseObject({}).parse(JSON.parse(JSON.stringify(given, fill)));
}
