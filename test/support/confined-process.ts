// Runs commands in confinement, as the account that this process is of. Reads an order as JSON from its arguments and
// prints how each command ended.
import { confine } from "../../src/execution/local/confinement/confined.ts";
import type { Confinement } from "../../src/execution/local/containment/containment.ts";
import { createGroupContainment } from "../../src/execution/local/containment/group-containment.ts";
import { namespaceContainment } from "../../src/execution/local/containment/namespace-containment.ts";
import { baseEnvironment } from "../../src/execution/local/environment.ts";
import { type CommandEnd, createRunCommand } from "../../src/execution/local/run-command.ts";

export type Order = {
  readonly sandboxed: boolean;
  /** Null: the commands are not confined. */
  readonly confinement: Confinement | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly scripts: readonly string[];
};

const AT_ONCE = 4;

async function obey({ sandboxed, confinement, cwd, env: given, scripts }: Order): Promise<CommandEnd[]> {
  const containment = sandboxed ? namespaceContainment : createGroupContainment();
  const runCommand = createRunCommand({ containment, confine });
  const env = { ...baseEnvironment({ home: cwd }), ...given };
  const around = { strict: false, cwd, env, limit_ms: 20_000, grace_ms: 500, ...(confinement && { confinement }) };
  const ends: CommandEnd[] = [];
  const waiting = [...scripts.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      ends[next[0]] = await runCommand({ script: next[1], ...around }, new AbortController().signal);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ends;
}

const [, , order = ""] = process.argv;
process.stdout.write(JSON.stringify(await obey(JSON.parse(order))));
