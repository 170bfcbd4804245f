// What the commands on skills have of orch: composed here, because a command imports no adapter.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SkillParts } from "../cli/context.ts";
import { readConfig } from "../config/config.ts";
import { wordsOf } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";
import { toolContextOf } from "../features/agents/make-call.ts";
import { checkSkill } from "../features/skills/kit/check-skill.ts";
import { intentOf, nameFault, newSkill } from "../features/skills/kit/new-skill.ts";
import { type Skills, skillsOf, wrongClaim } from "../features/skills/process/find-skills.ts";
import type { SkillTest } from "../features/skills/trial/skill-test.ts";
import { type CaseResult, readTest, type SkillTrial, testSkill } from "../features/skills/trial/test-skill.ts";
import type { UseTool } from "../features/skills/trial/trial.ts";
import { configuredServers } from "../mcp-client/tool-servers.ts";
import { migratedIn, openEngineWith } from "./trial-engine.ts";

// Composes the trial of a skill: its code in processes, orch on temporary databases, and the servers that its test.ts imitates.

const LEFT_MS = 1_000;

async function trySkill(directory: string, environment: NodeJS.ProcessEnv): Promise<SkillTrial> {
  const { skill_memory_mb: memory_mb } = readConfig(environment);
  let lines: string[] = [];
  const file = join(directory, "handler.ts");
  const printed = (line: string) => void lines.push(line);
  const skills = await skillsOf([{ file, offered: [dirname(directory), directory], memory_mb, printed }]);
  const [unusable] = skills.unusable;
  if (unusable !== undefined) return unusable;
  const test = await readTest(directory);
  if ("why" in test) return { fault: `${test.file}${test.line === null ? "" : `:${test.line}`}: ${test.why}` };
  const take = () => {
    const taken = lines;
    lines = [];
    return taken;
  };
  return { cases: inTemporary((base) => casesIn(base, { skills, test, printed: take })) };
}

type Tried = {
  readonly skills: Skills;
  readonly test: SkillTest;
  readonly printed: () => readonly string[];
};

async function* casesIn(base: string, { skills, test, printed }: Tried): AsyncGenerator<CaseResult> {
  const openEngine = openEngineWith({ skills, migrated: await migratedIn(base) });
  yield* testSkill(test, { tools: skills.tools, openEngine, useTool: useToolOf(skills), printed });
}

async function* inTemporary<T>(run: (base: string) => AsyncGenerator<T>): AsyncGenerator<T> {
  const base = await mkdtemp(join(tmpdir(), "orch-skill-test-"));
  try {
    yield* run(base);
  } finally {
    await rm(base, { recursive: true, force: true });
    // The test.ts of a skill is code of a user: what it has left open would keep this process.
    setTimeout(() => process.exit(), LEFT_MS).unref();
  }
}

const useToolOf =
  ({ tools }: Skills): UseTool =>
  async ({ name, given, contract, env }) => {
    const tool = tools.find((one) => one.name === name);
    const toolServers = configuredServers(readConfig(env));
    const { signal: cancel } = new AbortController();
    const { ctx } = toolContextOf({ deps: { clock: () => new Date(), toolServers }, thread: { cancel }, contract });
    try {
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const { success, data, error } = tool.parameters.safeParse(given);
      if (!success)
        return { ok: false, value: error.issues.map((one) => `${one.path.join(".")} ${one.message}`).join("; ") };
      const value = await tool.run(ctx, data as Json);
      const isRefusal = typeof value === "object" && value !== null && "ok" in value && value["ok"] === false;
      return { ok: !isRefusal, value };
    } catch (error) {
      return { ok: false, value: wordsOf(error) };
    } finally {
      await toolServers.close();
    }
  };

export const skillCommands: SkillParts = {
  make: (name, directory) => {
    const fault = nameFault(name) ?? wrongClaim([intentOf(name)]);
    return fault === null ? { files: newSkill(name, directory) } : { fault };
  },
  check: (directory, environment) => checkSkill(directory, readConfig(environment)),
  test: trySkill,
};
