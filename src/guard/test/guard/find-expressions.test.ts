// The guard against expressions of `find`: generated, run, and judged.
import { expect, test } from "vitest";
import { outcomeOf } from "../unit/guard-outcome.ts";
import { CASES, printFigures, type Reached, SEED, shortest } from "./figures.ts";
import { findCommand } from "./generate/finds.ts";
import { createRandom } from "./generate/random.ts";
import { runInJail } from "./jail.ts";
import { reachedBy } from "./oracle.ts";
import { jailWorks } from "./usable.ts";

const COUNT = Math.ceil(CASES / 6);

test.skipIf(!jailWorks)(
  `of ${COUNT} expressions of find, none that deletes a system directory is allowed`,
  async () => {
    const random = createRandom(SEED);
    const started = performance.now();
    const commands = [...new Set(Array.from({ length: COUNT }, () => findCommand(random, "protected")))];
    const runs = await runInJail(commands);
    const cases = commands.flatMap((command, at): Reached[] => {
      const family = reachedBy(runs[at] ?? { calls: [], late: false });
      return family === null ? [] : [{ command, family, steps: [], verdict: outcomeOf(command) }];
    });
    printFigures(cases, (performance.now() - started) / 1000);
    expect(cases.length).toBeGreaterThan(COUNT / 10);
    expect(shortest(cases.filter(({ verdict }) => verdict === "allow").map(({ command }) => command))).toEqual([]);
  },
);

test("below the directories of a project every expression is allowed", () => {
  const random = createRandom(SEED);
  const commands = Array.from({ length: CASES }, () => findCommand(random, "ordinary"));
  expect(shortest(commands.filter((command) => outcomeOf(command) !== "allow"))).toEqual([]);
});
