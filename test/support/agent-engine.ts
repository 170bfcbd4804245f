// An engine for agent tasks: a scripted model on a real server, and a directory for what the agent does.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentBackends } from "../../src/features/agents/backends.ts";
import type { ModelOptions } from "../simulators/ollama/model.ts";
import { calls, type Script, startScriptedModel } from "./agent-model.ts";
import { contractBody } from "./builders.ts";
import { type Engine, openEngine } from "./engine.ts";

export type AgentWorld = Awaited<ReturnType<typeof openAgentWorld>>;

type Options = {
  readonly env?: Readonly<Record<string, string>>;
  readonly agent_backends?: AgentBackends;
  readonly model?: ModelOptions;
};

/** The model, the directory and what is in it outlive an engine that is shut down. */
export async function openAgentWorld(script: Script, options: Options = {}) {
  const { env: given = {}, agent_backends = {} } = options;
  const model = await startScriptedModel(script, options.model);
  const directory = await mkdtemp(join(tmpdir(), "orch-agent-"));
  const data_dir = await mkdtemp(join(tmpdir(), "orch-agent-data-"));
  const env = { ...model.env, ...given };
  const open = (over: Readonly<Record<string, string>> = {}): Promise<Engine> =>
    openEngine({ env: { ...env, ...over }, directory: data_dir, agent_backends });
  return {
    model,
    directory,
    data_dir,
    env,
    open,
    contract: (over: Record<string, unknown> = {}) =>
      contractBody({
        task_id: "task",
        delegation_mode: "agent",
        target: { compose_dir: directory },
        constraints: scope("shell"),
        success_criteria: [],
        payload: { goal: "write it down" },
        ...over,
      }),
    /** The lines of a file that commands of the agent have written. */
    lines: async (name: string): Promise<string[]> =>
      (await readFile(join(directory, name), "utf8").catch(() => "")).split("\n").filter((line) => line !== ""),
    write: (name: string, text: string): Promise<void> => writeFile(join(directory, name), text),
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]();
      for (const path of [directory, data_dir]) await rm(path, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export const scope = (...entries: string[]) => ({
  implicit_scope: entries,
  require_approval_for: [],
  max_minutes: 1,
});

export const run = (command: string): [string, object] => ["shell", { command }];
export const check = (command: string): [string, object] => ["shell", { command, check: true }];
export const done = (...criteria: [criterion: string | number, evidence_check: string | number][]) =>
  calls([
    "finish",
    {
      summary: "It is done.",
      criteria: criteria.map(([criterion, evidence_check]) => ({ criterion, evidence_check })),
    },
  ]);
