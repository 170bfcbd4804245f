// The faults of which a round has one: they take as long as a lease and more.
import { setTimeout as sleep } from "node:timers/promises";
import type { Postgres } from "../../support/postgres.ts";
import type { Member } from "./members.ts";

type Given = { readonly member: Member; readonly server: Postgres };

const LONG: readonly ((given: Given) => Promise<string>)[] = [
  ({ member }) => member.cutOff(5).then(() => "cut off for 5 s"),
  ({ member }) => member.freeze(60).then(() => "frozen for 60 s"),
  ({ server }) => server.restart().then(() => "PostgreSQL crashed and started again"),
  ({ member }) => member.cutOff(60).then(() => "cut off for 60 s"),
  ({ member }) => member.cutOff(25).then(() => "cut off for 25 s"),
];

/** After the load has begun. */
const BEGINS_MS = 3_000;

/** Resolves with its name once it is over. */
export async function longFault(round: number, given: Given): Promise<string | null> {
  await sleep(BEGINS_MS);
  await given.member.keeper.up();
  return (await LONG[round % LONG.length]?.(given)) ?? null;
}
