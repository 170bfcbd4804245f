// Evidence of real agent runs, one for each way a run can go, as JSON text: what the agent asked for was made, refused,
// approved, rejected, cut off, or proved nothing.
import { check, done, openAgentWorld, run, scope } from "./agent-engine.ts";
import { calls, type Script, says, thinks } from "./agent-model.ts";
import type { Engine } from "./engine.ts";
import { skillsDirectory } from "./skills.ts";
import { startSdkServer } from "./tool-server.ts";

const ASKING = { constraints: { ...scope("shell"), require_approval_for: ["writes"] } };
const WRITTEN = { success_criteria: ["it is written"] };
const write = run("echo one >> made");

type Ending = readonly [
  name: string,
  script: Script,
  over: Record<string, unknown>,
  answers?: readonly ("approve" | "reject")[],
];

const ENDINGS: readonly Ending[] = [
  [
    "proved",
    [
      thinks("It is a file.", {
        content: "I write.",
        ...calls(run("rm -rf /usr"), ["make_coffee", { cups: 2 }], write),
      }),
      calls(check("test -e nothing"), check("test -s made")),
      done([1, "test -s made"]),
    ],
    WRITTEN,
  ],
  [
    "approved",
    [calls(run("rm -rf /usr"), write, run("echo two >> made")), done(["it is written", "test -s made"])],
    { ...ASKING, ...WRITTEN },
    ["approve", "approve"],
  ],
  ["rejected", [calls(write), says("Then I stop."), done()], ASKING, ["reject"]],
  ["waits", [calls(write)], ASKING],
  ["unproved", [calls(write, check("test ! -s made")), done([1, "test ! -s made"])], WRITTEN],
  ["blocked", [calls(run("rm -rf /")), calls(run("rm -rf ~")), calls(run("git reset --hard"), write)], {}],
  ["talked", [says("Done!")], {}],
];

/** The names of the runs, each with the JSON text of its bundle. */
export async function collectAgentBundles(): Promise<ReadonlyMap<string, string>> {
  const all = [...ENDINGS.map(ended), withTools(), cutOff()];
  return new Map(await Promise.all(all));
}

async function ended([name, script, over, answers = []]: Ending): Promise<[string, string]> {
  await using world = await openAgentWorld(script);
  await using engine = await world.open();
  await engine.submit(world.contract(over));
  for (const decision of answers) {
    const { approval_id } = await engine.approvalOf("task");
    const decided = { approval_id, decision, decided_by: "op", reason: "I have looked", wait_seconds: 30 };
    await engine.call("approve", decided);
  }
  return [name, await evidenceOn(engine)];
}

const evidenceOn = async (engine: Engine): Promise<string> =>
  JSON.stringify(await engine.call("get_evidence", { task_id: "task" }));

const HANDLER = `export const HANDLED_INTENTS = ["dim"]; export const handle = async () => ({});`;
const TOOLS = `
  import { z } from "zod";
  export const TOOLS = [{ name: "is_dim", description: "Looks.", parameters: z.object({ lamp: z.string() }), scope: "lamps",
    effect: "checks", run: async () => ({ ok: true }) }];
`;

async function withTools(): Promise<[string, string]> {
  await using wiki = await startSdkServer();
  await using skills = await skillsDirectory({ lamps: HANDLER }, { lamps: TOOLS });
  const script: Script = [calls(["wiki__create", { name: "web" }], ["lamps__is_dim", { lamp: "desk" }]), done([1, 1])];
  await using world = await openAgentWorld(script, { env: { MCP_WIKI_URL: wiki.url, ORCH_CAPABILITIES: skills.path } });
  await using engine = await world.open();
  await engine.submit(world.contract({ constraints: scope("wiki", "lamps"), ...WRITTEN }));
  return ["tools", await evidenceOn(engine)];
}

/** A call that a stop has cut off, and what the supervisor says of it. */
async function cutOff(): Promise<[string, string]> {
  const script: Script = [calls(run("echo begun >> made; sleep 30")), calls(check("test -s made")), done()];
  await using world = await openAgentWorld(script, { env: { ORCH_DRAIN_SECONDS: "0" } });
  {
    await using engine = await world.open();
    await engine.call("submit_task", world.contract());
    while ((await world.lines("made")).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await using engine = await world.open();
  await engine.outcomeOf("task");
  const resolution = { task_id: "task", resolution: "succeeded", reason: "saw it", wait_seconds: 30 };
  await engine.call("resolve_step", resolution);
  return ["resolved", await evidenceOn(engine)];
}
