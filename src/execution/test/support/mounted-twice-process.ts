// Runs where a place of agents is mounted a second time: says which commands that know it by the other name wait or are refused.
import { join } from "node:path";
import { aContract } from "../../../../test/support/builders.ts";
import { anAgentSandbox } from "../../../../test/support/sandboxes.ts";
import type { RunCommand } from "../../execution.ts";
import { createAgentPlaces, createTurns } from "../../local/agent-places.ts";
import { createDiskForAgents } from "../../local/disk.ts";
import { prepareConfined } from "../../local/prepare-command.ts";

const [directory = ""] = process.argv.slice(2);
const at = (name: string): string => join(directory, name);
const commandIn = (cwd: string) => ({ script: "ls", strict: true, cwd, env: {}, limit_ms: 1_000, grace_ms: 0 });
let ids = 0;
const contractIn = (compose_dir: string) => aContract({ task_id: `t-${++ids}`, target: { compose_dir } });

async function waitersBeside(place: string): Promise<string[]> {
  const turns = createTurns([]);
  const begun: string[] = [];
  const start = (of: "ofAgents" | "ofSteps", cwd: string) => {
    const run: RunCommand = () => {
      begun.push(`${of} ${cwd}`);
      return new Promise(() => undefined);
    };
    void turns[of](run, contractIn(cwd))(commandIn(cwd), new AbortController().signal);
  };
  start("ofAgents", place);
  for (const other of [at("twice/inner"), at("part/sub")]) {
    start("ofAgents", other);
    start("ofSteps", other);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  return begun;
}

async function refusalIn(place: string): Promise<unknown> {
  const places = createAgentPlaces(at("places"));
  await places.note([place]);
  const prepare = prepareConfined(anAgentSandbox({}), { places, compose_roots: null });
  const text = createDiskForAgents({
    hidden: [],
    writable: [],
    account: null,
    home: "/nonexistent",
    places,
    judgedAs: (one) => one,
  });
  const contract = contractIn(at("twice/out"));
  return [await prepare(commandIn(at("victim")), contract), await text(contract).read(at("victim/a.sh"))];
}

const found = { begun: await waitersBeside(at("place")), refused: await refusalIn(at("place")) };
process.stdout.write(JSON.stringify(found), () => process.exit(0));
