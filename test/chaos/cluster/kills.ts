// What is done to the servers of a round. At most two are killed or stopped at once, and each is up again before the next one: so the
// others have its tasks, and a kill hits those too that have just taken over. A long fault has a third one meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import type { Postgres } from "../../support/postgres.ts";
import type { Random } from "../random.ts";
import { longFaults } from "./long-faults.ts";
import { KILLED, type Member } from "./members.ts";

const HANDS = 2;
const PAUSE_MS = { least: 0, most: 400 };
const STOPPED = 0.05;
/** Of the processes that follow a killed one. */
const WHILE_IT_STARTS = 0.1;
/** Only its lease says of one in so many that it has ended. */
const ELSEWHERE = 25;
/** A long fault that begins later would be waited for alone. */
const LONG_UNTIL = 0.3;

type Given = {
  readonly server: Postgres;
  readonly members: readonly Member[];
  /** The one on another machine. */
  readonly elsewhere: Member;
  readonly random: Random;
  readonly kills: number;
  /** From 0: which long fault comes first. */
  readonly round: number;
};

export const killsIn = (injected: ReadonlyMap<string, number>): number =>
  [...injected].reduce((all, [name, times]) => all + (name.startsWith(KILLED) ? times : 0), 0);

/** How often each was done. */
export async function injectAll({
  server,
  members,
  elsewhere,
  random,
  kills,
  round,
}: Given): Promise<Map<string, number>> {
  const injected = new Map<string, number>();
  const count = (name: string | null) => name !== null && injected.set(name, (injected.get(name) ?? 0) + 1);
  const inHand = new Set<Member>();
  const killed = () => killsIn(injected);

  const pick = (): Member | undefined => {
    const isDue = killed() % ELSEWHERE === ELSEWHERE - 1 && !inHand.has(elsewhere);
    return isDue ? elsewhere : random.shuffled(members).find((member) => !inHand.has(member));
  };
  const withOne = async (work: (member: Member) => Promise<string | null>) => {
    const member = pick();
    if (member === undefined) return;
    inHand.add(member);
    count(await work(member));
    await member.keeper.up();
    inHand.delete(member);
  };
  const strike = async (member: Member) => {
    if (random.chance(STOPPED)) return member.stop();
    const name = await member.killAtCommit();
    if (name === null || !random.chance(WHILE_IT_STARTS)) return name;
    count(name);
    return member.killAtCommit();
  };
  const hand = async (place: number) => {
    while (killed() + place < kills) {
      await sleep(random.between(PAUSE_MS.least, PAUSE_MS.most));
      await withOne(strike);
    }
  };
  const isEnding = () => killed() >= kills * LONG_UNTIL;
  const long = longFaults({ server, first: round, isEnding, to: withOne });
  await Promise.all([...Array.from({ length: HANDS }, (_, place) => hand(place)), long]);
  return injected;
}
