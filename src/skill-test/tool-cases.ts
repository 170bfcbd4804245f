// The tools of a skill, used as agents use them: what is given is read by the schema, and servers are those in scope.
import { isDeepStrictEqual } from "node:util";
import type { OfferedSkillTool } from "../agent/agent-services.ts";
import type { TrialCase } from "./cases.ts";
import type { UseTool } from "./engine.ts";
import { withLimit } from "./limit.ts";
import { type SkillTest, type ToolCase, withDirectory } from "./skill-test.ts";
import { contractOf, type OpenWorld, withWorld } from "./trial.ts";
import type { Failing } from "./trial-faults.ts";

type Tried = Pick<OfferedSkillTool, "name" | "effect">;

export function toolCasesOf(test: SkillTest, tools: readonly Tried[], useTool: UseTool): TrialCase[] {
  const { tools: uses = [] } = test;
  const untried = tools.filter(({ name }) => !uses.some(({ tool }) => tool === name));
  return [
    ...uses.map((use) => ({
      title: `the tool ${use.tool} ${JSON.stringify(use.given)}`,
      run: () => tryTool(test, use, { tools, useTool }),
    })),
    ...untried.map(({ name }) => ({
      title: `the tool ${name}`,
      run: async (): Promise<Failing> => ({
        expected: "a use of it",
        found: "none",
        fix: `Add one to \`tools\` in test.ts: { tool: "${name}", given: { ... } }.`,
      }),
    })),
  ];
}

type With = { readonly tools: readonly Tried[]; readonly useTool: UseTool };

async function tryTool(test: SkillTest, use: ToolCase, { tools, useTool }: With): Promise<Failing | null> {
  const { tool: name } = use;
  const tool = tools.find((one) => one.name === name);
  const names = tools.map((one) => one.name).join(", ");
  if (tool === undefined)
    return { expected: `a tool ${name}`, found: names || "no tools.ts", fix: "Correct `tool`, or TOOLS in tools.ts." };
  return withWorld(test, (world) => tryIn(world, use, { test, tool, useTool }));
}

type Used = Pick<With, "useTool"> & { readonly test: SkillTest; readonly tool: Tried };

async function tryIn(world: OpenWorld, use: ToolCase, { test, tool, useTool }: Used): Promise<Failing | null> {
  const { tool: name, given, gives, fails = false, changes: expected = [] } = use;
  const used = { name, given: withDirectory(given, world), contract: contractOf(test.task, world), env: world.env };
  const { ok, value } = await withLimit(world.limit_s, `the tool ${name}`, () => useTool(used));
  const text = JSON.stringify(value);
  if (ok === fails)
    return { expected: fails ? "a failure" : "a value", found: text, fix: "Correct the tool, or `fails` in test.ts." };
  if (gives !== undefined && !isDeepStrictEqual(value, gives))
    return { expected: JSON.stringify(gives), found: text, fix: "Correct the tool, or `gives` in test.ts." };
  const changes = await world.changes();
  if (tool.effect !== "changes" && changes.length > 0)
    return {
      expected: `no change: its effect is ${tool.effect}`,
      found: JSON.stringify(changes),
      fix: 'Set effect: "changes".',
    };
  const [wanted, found] = [expected, changes].map((texts) => JSON.stringify(texts.toSorted()));
  return wanted === found
    ? null
    : { expected: `${wanted}`, found: `${found}`, fix: "Correct the tool, or `changes` in test.ts." };
}
