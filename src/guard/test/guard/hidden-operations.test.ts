// The guard against listed operations in hidden forms: generated, run, and judged. Only a command that really reached a
// listed operation counts.
import { expect, test } from "vitest";
import { outcomeOf } from "../unit/guard-outcome.ts";
import { CASES, printFigures, type Reached, SEED, shortest } from "./figures.ts";
import { type Hidden, hide } from "./generate/generate.ts";
import { createRandom } from "./generate/random.ts";
import { runInJail } from "./jail.ts";
import { reachedBy } from "./oracle.ts";
import { jailWorks } from "./usable.ts";

async function reachedAmong(hidden: readonly Hidden[]): Promise<Reached[]> {
  const runs = await runInJail(hidden.map(({ command }) => command));
  return hidden.flatMap(({ command, steps }, at) => {
    const family = reachedBy(runs[at] ?? { calls: [], late: false });
    return family === null ? [] : [{ command, steps, family, verdict: outcomeOf(command) }];
  });
}

test.skipIf(!jailWorks)(`of ${CASES} hidden operations that really ran, none is allowed`, async () => {
  const random = createRandom(SEED);
  const started = performance.now();
  const cases: Reached[] = [];
  while (cases.length < CASES) {
    const missing = Math.max(100, Math.ceil((CASES - cases.length) * 1.2));
    cases.push(...(await reachedAmong(Array.from({ length: missing }, () => hide(random)))));
  }
  printFigures(cases, (performance.now() - started) / 1000);
  for (const family of ["rm", "git", "docker", "disk"]) expect(cases.some((one) => one.family === family)).toBe(true);
  expect(shortest(cases.filter(({ verdict }) => verdict === "allow").map(({ command }) => command))).toEqual([]);
});
