// The faults that take as long as a lease and more. They come one after the other beside the kills.
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

/** Before each, so that there is something to hit. */
const BEGINS_MS = 3_000;

type Giving = {
  readonly server: Postgres;
  /** Which one comes first. */
  readonly first: number;
  /** No further one begins. The first one always does. */
  readonly isEnding: () => boolean;
  /** Does it to a server that nothing else is done to meanwhile. */
  readonly to: (fault: (member: Member) => Promise<string>) => Promise<void>;
};

export async function longFaults({ server, first, isEnding, to }: Giving): Promise<void> {
  for (let nth = first; nth === first || !isEnding(); nth++) {
    await sleep(BEGINS_MS);
    await to(async (member) => {
      await member.keeper.up();
      return (await LONG[nth % LONG.length]?.({ member, server })) ?? "";
    });
  }
}
