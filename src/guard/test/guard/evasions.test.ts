// Evasions that were devised one by one: scope, failure, aliases and quoting of a shell, and what tools do with text. Each
// is run first, so that the danger is known to be real.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { outcomeOf } from "../unit/guard-outcome.ts";
import { runInJail } from "./jail.ts";
import { reachedBy } from "./oracle.ts";
import { jailWorks } from "./usable.ts";

const Evasion = z.strictObject({ what: z.string(), command: z.string() });

const evasions = readFileSync(join(import.meta.dirname, "evasions.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => Evasion.parse(JSON.parse(line)));

test.each(evasions)("is not allowed: $what: $command", ({ command }) => {
  expect(outcomeOf(command)).not.toBe("allow");
});

describe.skipIf(!jailWorks)("an evasion really reaches a listed operation", async () => {
  const runs = jailWorks ? await runInJail(evasions.map(({ command }) => command)) : [];

  test.each(evasions.map((one, at) => ({ ...one, run: runs[at] })))("$what: $command", ({ run }) => {
    expect(run && reachedBy(run)).not.toBeNull();
    expect(run?.calls.length).toBeGreaterThan(0);
  });
});
