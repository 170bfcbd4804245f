// What a turn of an agent costs beside a bare loop that asks the same model with the official client and runs the same command
// in the same sandbox, and what that costs. The model answers at once: all else is waiting.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOllama } from "@langchain/ollama";
import type { ShellCommand } from "../../src/execution/execution.ts";
import { agentSandbox } from "../../src/execution/execution.ts";
import { createCommandRunner } from "../../src/execution/local/runner/command-runner.ts";
import { NO_LIMITS } from "../../src/execution/sandbox/sandbox.ts";
import { check, openAgentWorld, run } from "../support/agent-engine.ts";
import { calls, type Script } from "../support/agent-model.ts";
import { aRunnerSetup } from "../support/sandboxes.ts";
import { median, ms, row, timed, times } from "./table.ts";

const TURNS = 20;
const ROUNDS = 5;
const COMMAND = { script: "true", strict: true, cwd: "/", env: {}, limit_ms: 60_000, grace_ms: 0 };
const FINISH = { summary: "Done.", criteria: [] };

/** Twenty calls, each different so that no limit ends the run, the last of them a check. */
const script: Script = ({ messages }) => {
  const turn = messages.filter(({ role }) => role === "assistant").length + 1;
  if (turn > TURNS) return calls(["finish", FINISH]);
  return turn === TURNS ? calls(check("test -d /")) : calls(run(`true ${turn}`));
};

export async function benchAgents(): Promise<void> {
  const env = { AGENT_MAX_TURNS: "100", AGENT_MAX_CALLS: "100", AGENT_CONTEXT_TOKENS: "65536" };
  await using world = await openAgentWorld(script, { env });
  await using engine = await world.open();
  const facts = {
    data_dir: world.data_dir,
    database_url: `file:${world.data_dir}/orch.db`,
    secret_paths: [],
    capabilities: [],
    step_limits: NO_LIMITS,
    agent: { hidden: [], sockets: [], writable: [], user: null },
  };
  const place = await mkdtemp(join(tmpdir(), "orch-bench-"));
  const sandbox = { ...agentSandbox(facts), writable: [place], run: "bench" };
  const runner = createCommandRunner({}, aRunnerSetup());
  const ran = (command: ShellCommand) => runner.runCommand(command, new AbortController().signal);
  const confined = { ...COMMAND, cwd: place, sandbox };

  let task = 0;
  const orchMs = (agent_backend: string) =>
    timed(() => carryOut(engine, world.contract({ agent_backend, task_id: `t-${++task}` })));
  const bareMs = () => timed(() => bareLoop(world.model.base_url, () => ran(confined)));
  await Promise.all([orchMs("plain"), bareMs()]);

  const bare: number[] = [];
  const plain: number[] = [];
  const react: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await bareMs()) / TURNS);
    plain.push((await orchMs("plain")) / TURNS);
    react.push((await orchMs("react")) / TURNS);
  }
  const ratio = (values: readonly number[]) => times(median(values.map((value, n) => value / (bare[n] ?? value))));
  for (const [name, values] of [
    ["plain", plain],
    ["react", react],
  ] as const) {
    row(
      `a turn of an agent, ${name}`,
      ["floor", ms(median(bare))],
      ["orch", ms(median(values))],
      ["ratio", ratio(values)],
    );
  }

  const hiding = createCommandRunner({}, aRunnerSetup({ hidden: [world.data_dir] }));
  const free: number[] = [];
  const hid: number[] = [];
  const kept: number[] = [];
  await Promise.all([ran(confined), hiding.runCommand(COMMAND, new AbortController().signal)]);
  for (let round = 0; round < TURNS; round++) {
    free.push(await timed(() => ran({ ...COMMAND, cwd: place })));
    hid.push(await timed(() => hiding.runCommand({ ...COMMAND, cwd: place }, new AbortController().signal)));
    kept.push(await timed(() => ran(confined)));
  }
  const beside = (values: readonly number[]) => times(median(values.map((value, n) => value / (free[n] ?? value))));
  row(
    "a command, orch hidden",
    ["free", ms(median(free))],
    ["hidden", ms(median(hid))],
    ["more", ms(median(hid) - median(free))],
    ["ratio", beside(hid)],
  );
  row(
    "a command, confined",
    ["free", ms(median(free))],
    ["confined", ms(median(kept))],
    ["more", ms(median(kept) - median(free))],
    ["ratio", beside(kept)],
  );
  runner.close();
  hiding.close();
  await rm(place, { recursive: true, force: true });
}

async function carryOut(
  engine: Awaited<ReturnType<Awaited<ReturnType<typeof openAgentWorld>>["open"]>>,
  contract: object,
) {
  const view = await engine.submit({ ...contract });
  if (view.status !== "ok") throw new Error(`a bench agent ended ${view.status}: ${view.outcome?.message}`);
}

/** A conversation that grows, nothing judged, nothing recorded. */
async function bareLoop(baseUrl: string, act: () => Promise<unknown>): Promise<void> {
  const model = new ChatOllama({ model: "agent:8b", baseUrl });
  const tools = [{ type: "function", function: { name: "shell", description: "", parameters: { type: "object" } } }];
  const messages: BaseMessage[] = [new HumanMessage("{}")];
  for (let turn = 0; turn < TURNS; turn++) {
    const said = await model.invoke(messages, { tools });
    await act();
    const id = said.tool_calls?.[0]?.id ?? "call";
    messages.push(said, new ToolMessage({ content: '{"exit_code":0}', tool_call_id: id }));
  }
}
