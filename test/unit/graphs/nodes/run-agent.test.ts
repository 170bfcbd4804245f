// Runs an agent on the backend of its journal, and reports how the run ended.
import { expect, test } from "vitest";
import { runAgent } from "../../../../graphs/nodes/run-agent.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { AgentNextAction, AgentRun } from "../../../../src/features/agents/port.ts";
import { agentJournal, refused } from "../../../support/agent-journal.ts";
import { aContract } from "../../../support/builders.ts";
import { pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";

const STOPPED = { is: "stopped", reason_code: "agent_calls_spent", message: "It made too many calls." } as const;
const equipped = (agent_backend: "plain" | "react"): NewEvent => ({
  kind: "agent_equipped",
  body: { agent_backend, model: "small:1b", tools: ["shell"], missing: [] },
});

/** The facts, the backends that ran, and the events that the node added. */
async function ran(next: AgentNextAction, agent_backend: "plain" | undefined, ...events: readonly NewEvent[]) {
  const backends: string[] = [];
  const parts = pipelineParts({
    over: {
      agentRunOf: async () => ({ next: () => next }) as AgentRun,
      agentBackendOf: (name) => ({ name, run: async () => void backends.push(name) }),
    },
  });
  const contract = aContract({ delegation_mode: "agent", ...(agent_backend && { agent_backend }) });
  await parts.begin(contract, ...events);
  const facts = await runAgent(parts.deps)(stateOf({ contract }));
  const journal = await parts.journalOf();
  await journal.flush();
  return { facts, backends, kinds: (await parts.kindsOf()).slice(2 + events.length) };
}

test.each([
  ["its journal", "plain", [equipped("react")], "react"],
  ["its contract", "plain", [], "plain"],
] as const)("the agent runs on the backend of %s", async (_, of_contract, events, expected) => {
  expect((await ran({ is: "finished" }, of_contract, ...events)).backends).toEqual([expected]);
});

test("without another choice the agent runs on the default backend", async () => {
  const { backends, facts } = await ran({ is: "suspended" }, undefined);
  expect([backends, facts]).toEqual([["plain"], { agent: "suspended" }]);
});

test("the stop of an agent is recorded once", async () => {
  const { is: _, ...body } = STOPPED;
  expect((await ran(STOPPED, undefined, equipped("plain"))).kinds).toEqual(["agent_stopped"]);
  const again = await ran(STOPPED, undefined, equipped("plain"), { kind: "agent_stopped", body });
  expect(again.kinds).toEqual([]);
  expect(again.facts).toMatchObject({
    agent: "failed",
    reason: { reason_code: "agent_calls_spent", message: STOPPED.message },
  });
});

test("an agent that keeps asking for refused calls ends blocked, with the findings on record", async () => {
  const next = { is: "stopped", reason_code: "agent_refused", message: "It was refused too often." } as const;
  const events = agentJournal([[refused("rm -rf /")]]) as readonly NewEvent[];
  const { facts, kinds } = await ran(next, undefined, ...events);
  expect(facts).toMatchObject({ agent: "blocked", reason: { reason_code: "agent_refused" } });
  expect(kinds).toEqual(["agent_stopped", "policy_judged"]);
});

test("a backend that leaves an unfinished run is a bug", async () => {
  await expect(ran({ is: "ask_model" }, undefined)).rejects.toThrow("was not over: ask_model");
});
