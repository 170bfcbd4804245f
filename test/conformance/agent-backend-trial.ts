// What the suites of agent backends share: a task in a world of its own, carried to its end, and the tool results that the model received.
import { z } from "zod";
import type { AgentBackends } from "../../src/features/agents/backends.ts";
import { type AgentWorld, check, openAgentWorld, run } from "../support/agent-engine.ts";
import type * as model from "../support/agent-model.ts";
import type { Engine } from "../support/engine.ts";

export type AgentBackendUnderTest = {
  /** The name that a contract has to give. */
  readonly agent_backend: "plain" | "react";
  readonly agent_backends?: AgentBackends;
  /** With what kinds of models it is run: with all of them unless it says so. */
  readonly models?: "one";
};

export type Suite = ReturnType<typeof suiteOf>;

/** What the tests of a suite share. */
export function suiteOf(under: AgentBackendUnderTest) {
  const open = (script: model.Script, env: Readonly<Record<string, string>> = {}) =>
    openAgentWorld(script, { env, ...(under.agent_backends && { agent_backends: under.agent_backends }) });
  const submit = (engine: Engine, world: AgentWorld, over: Record<string, unknown> = {}) =>
    engine.submit(world.contract({ agent_backend: under.agent_backend, ...over }));
  return {
    agent_backend: under.agent_backend,
    open,
    submit,
    /** The whole life of one task that asks nothing. */
    carryOut: async (script: model.Script, over: Record<string, unknown> = {}, env: Record<string, string> = {}) => {
      await using world = await open(script, env);
      await using engine = await world.open();
      const view = await submit(engine, world, over);
      const evidence = await engine.call("get_evidence", { task_id: "task" });
      return { view, evidence, asked: world.model.asked, made: await world.lines("made") };
    },
  };
}

const Answer = z.looseObject({ call: z.int() });

/** The tool results in the model's last request. */
export const toldIn = (asked: AgentWorld["model"]["asked"]) =>
  (asked.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => Answer.parse(JSON.parse(content)));

export const write = (line: string): [string, object] => run(`echo ${line} >> made`);
export const written = check("test -s made");
