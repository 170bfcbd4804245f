// Runs commands in confinement, as the account that this process is of. Reads an order as JSON from its arguments and
// prints how each command ended.
import { homedir } from "node:os";
import { createConfine } from "../../src/execution/local/confinement/confined.ts";
import { createHidingSpawn } from "../../src/execution/local/confinement/hiding.ts";
import type { Confinement } from "../../src/execution/local/containment/containment.ts";
import { createGroupContainment } from "../../src/execution/local/containment/group-containment.ts";
import { baseEnvironment } from "../../src/execution/local/environment.ts";
import { type CommandEnd, createRunCommand } from "../../src/execution/local/run-command.ts";

export type Order = {
  /** For commands that are not confined: what is hidden from them. */
  readonly hidden?: readonly string[];
  /** Null: the commands are not confined. */
  readonly confinement: Confinement | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly scripts: readonly string[];
  readonly at_once?: number;
};

async function obey({ hidden = [], at_once = 4, confinement, cwd, env: given, scripts }: Order): Promise<CommandEnd[]> {
  const runCommand = createRunCommand({
    containment: createGroupContainment(undefined, createHidingSpawn(hidden)),
    confine: createConfine(),
  });
  const env = { ...baseEnvironment({ home: homedir() }), ...given };
  const around = { strict: false, cwd, env, limit_ms: 20_000, grace_ms: 500, ...(confinement && { confinement }) };
  const ends: CommandEnd[] = [];
  const waiting = [...scripts.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      ends[next[0]] = await runCommand({ script: next[1], ...around }, new AbortController().signal);
  };
  await Promise.all(Array.from({ length: at_once }, work));
  return ends;
}

const [, , order = ""] = process.argv;
process.stdout.write(JSON.stringify(await obey(JSON.parse(order))));
