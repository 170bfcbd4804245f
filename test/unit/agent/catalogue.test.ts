// The tools that an agent is offered.
import { expect, test } from "vitest";
import { createCatalogue } from "../../../src/agent/catalogue.ts";
import { taskDocument } from "../../../src/agent/prompt.ts";
import { aContract } from "../../support/builders.ts";

const tool = (name: string) => ({ name, description: "", input_schema: {}, effect: "reads" }) as never;

test("tools beyond those that are offered are counted, and the model knows of them", async () => {
  const listed = { tools: Array.from({ length: 140 }, (_, at) => tool(`tool_${at}`)) };
  const contract = aContract({ constraints: { ...aContract().constraints, implicit_scope: ["wiki"] } });
  const deps = {
    toolServers: { names: new Set(["wiki"]), listTools: async () => listed },
    agent: { skill_tools: [], protectedResources: () => [] } as never,
    redact: (text: string) => text,
  };
  const { offered, missing } = await createCatalogue(deps, contract, new AbortController().signal);
  expect(offered).toHaveLength(128);
  expect(missing).toEqual(["wiki: 13 tools of 140 left out: at most 128 are offered, each name once"]);
  expect(taskDocument(contract, missing)).toContain("wiki: not all of its tools are offered");
});
