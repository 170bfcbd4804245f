// Runs commands in sandbox, as the account that this process is of. Reads an order as JSON from its arguments and
// prints how each command ended.
import { homedir } from "node:os";
import type { TaskContract } from "../../../domain/contract.ts";
import { baseEnvironment, createLaunch, createSpaces } from "../../execution.ts";
import { createAgentNetworks, withinNetworks } from "../../local/network/agent-networks.ts";
import { type CommandEnd, createRunCommand } from "../../local/run-command.ts";
import { PLAIN_STEP, type Sandbox } from "../../sandbox/sandbox.ts";

export type Order = {
  /** For commands that are not confined: what is hidden from them. */
  readonly hidden?: readonly string[];
  /** Also from those that name sudo and its like. */
  readonly hides_always?: boolean;
  /** Null: the commands are not confined. */
  readonly sandbox: Sandbox | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly scripts: readonly string[];
  readonly at_once?: number;
  /** With one, the commands run in the network of its agent. */
  readonly contract?: TaskContract;
};

async function obey({ hidden = [], hides_always = false, at_once = 4, ...order }: Order): Promise<CommandEnd[]> {
  const { sandbox, cwd, env: given, scripts, contract } = order;
  const networks = createAgentNetworks({ site: [], kept: () => [], onRefused: () => undefined });
  const plain = { ...PLAIN_STEP, hidden, hides_always };
  const run = createRunCommand({ plain, launch: createLaunch({ spaces: createSpaces() }) });
  const runCommand = contract === undefined ? run : withinNetworks(networks)(run, contract);
  const env = { ...baseEnvironment({ home: homedir() }), ...given };
  const around = { strict: false, cwd, env, limit_ms: 20_000, grace_ms: 500, ...(sandbox && { sandbox }) };
  const ends: CommandEnd[] = [];
  const waiting = [...scripts.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      ends[next[0]] = await runCommand({ script: next[1], ...around }, new AbortController().signal);
  };
  await Promise.all(Array.from({ length: at_once }, work));
  networks.close();
  return ends;
}

const [, , order = ""] = process.argv;
process.stdout.write(JSON.stringify(await obey(JSON.parse(order))));
