// The tools that an agent is offered.
import { expect, test } from "vitest";
import { createCatalogue } from "../../../../src/features/agents/catalogue.ts";
import { taskDocument } from "../../../../src/features/agents/instructions.ts";
import { frameOf, headOf, tokensOf, tokensOfTools } from "../../../../src/features/agents/transcript.ts";
import { aContract } from "../../../support/builders.ts";

const LIMITS = { turns: 30, calls: 60, minutes: 60 };

const tool = (name: string) => ({ name, description: "", input_schema: {}, effect: "reads" }) as never;

test("tools beyond those that are offered are counted, and the model knows of them", async () => {
  const listed = { tools: Array.from({ length: 140 }, (_, at) => tool(`tool_${at}`)) };
  const contract = aContract({ constraints: { ...aContract().constraints, implicit_scope: ["wiki"] } });
  const deps = {
    toolServers: { names: new Set(["wiki"]), listTools: async () => listed },
    agent: { model: null, skill_tools: [], limits: LIMITS, account: { user: "op", system: "Linux" } },
    home: "/home/op",
    redact: (text: string) => text,
  };
  const { offered, missing } = await createCatalogue(deps, contract, new AbortController().signal);
  expect(offered).toHaveLength(128);
  expect(missing).toEqual(["wiki: 13 tools of 140 left out: at most 128 are offered, each name once"]);
  expect(taskDocument(contract, { missing, left_out: [], machine: null, readers: [], limits: LIMITS })).toContain(
    "wiki: not all of its tools are offered",
  );
});

test("the rules, the tools of every run and the frame of a task take less than 900 tokens", async () => {
  const account = { user: "operator", system: "Debian GNU/Linux 13 (trixie)" };
  const deps = {
    toolServers: { names: new Set<string>(), listTools: async () => ({ tools: [] }) },
    agent: { model: null, skill_tools: [], limits: LIMITS, account },
    home: "/home/operator",
    redact: (text: string) => text,
  };
  const contract = aContract({ constraints: { ...aContract().constraints, implicit_scope: ["shell"] } });
  const { offered } = await createCatalogue(deps, contract, new AbortController().signal);
  const frame = frameOf(deps, contract, { missing: [], left_out: [], readers: [], has_shell: true });
  expect(frame.task).toContain(account.system);
  expect(tokensOf(headOf(frame)) + tokensOfTools(offered)).toBeLessThan(900);
  expect(JSON.stringify(offered)).not.toMatch(/\$schema|9007199254740991/);
});
