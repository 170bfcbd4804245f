// What the guard has nothing against never reaches a listed operation: random programs, and hidden operations with a
// few tokens changed, are judged first; only the allowed ones run.
import { expect, test } from "vitest";
import { outcomeOf } from "../unit/guard-outcome.ts";
import { CASES, SEED, shortest } from "./figures.ts";
import { mutant } from "./generate/mutants.ts";
import { program } from "./generate/programs.ts";
import { createRandom, type Random } from "./generate/random.ts";
import { runInJail } from "./jail.ts";
import { reachedBy } from "./oracle.ts";
import { jailWorks } from "./usable.ts";

function allowedOf(make: (random: Random) => string, count: number): string[] {
  const random = createRandom(SEED);
  const allowed: string[] = [];
  while (allowed.length < count) {
    const command = make(random);
    if (outcomeOf(command) === "allow") allowed.push(command);
  }
  return allowed;
}

const MAKERS = [
  ["random programs", program],
  ["changed hidden operations", mutant],
] as const;

test.skipIf(!jailWorks).each(MAKERS)("no allowed one of the %s reaches a listed operation", async (_name, make) => {
  const commands = allowedOf(make, Math.ceil(CASES / 2));
  const runs = await runInJail(commands);
  const missed = commands.filter((_command, at) => reachedBy(runs[at] ?? { calls: [], late: false }) !== null);
  expect(shortest(missed)).toEqual([]);
});
