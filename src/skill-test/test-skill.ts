// Tries a skill by its test.ts: every case on an engine of its own, one after the other.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { wordsOf } from "../domain/errors.ts";
import { loadFault, placeIn } from "../skill-process/load-fault.ts";
import type { SkillFault } from "../skill-process/orders.ts";
import { offerImports } from "../skill-process/skill-module.ts";
import { casesOf, type TrialCase } from "./cases.ts";
import type { OpenTrialEngine, UseTool } from "./engine.ts";
import { Hung, LIMIT_S, withLimit } from "./limit.ts";
import { type SkillTest, TestModule } from "./skill-test.ts";
import { toolCasesOf } from "./tool-cases.ts";
import type { Failing } from "./trial-faults.ts";

export type CaseResult = { readonly title: string; readonly ok: boolean; readonly duration_ms: number } & {
  readonly failing: (Failing & { readonly printed: readonly string[] }) | null;
};

/** A sentence without its full stop where the skill cannot be tried at all. */
export type SkillTrial = { readonly fault: string } | { readonly cases: AsyncIterable<CaseResult> };

type Parts = {
  readonly tools: Parameters<typeof toolCasesOf>[1];
  readonly openEngine: OpenTrialEngine;
  readonly useTool: UseTool;
  /** What the skill has printed since the last call. */
  readonly printed: () => readonly string[];
};

export async function readTest(directory: string): Promise<SkillTest | SkillFault> {
  const file = join(directory, "test.ts");
  if (!existsSync(file)) return { file, line: null, why: "is not there; it says how the skill is tried" };
  offerImports([directory]);
  try {
    const module = await withLimit(LIMIT_S, "test.ts", () => import(pathToFileURL(file).href));
    const parsed = TestModule.safeParse({ ...module });
    if (parsed.success) return parsed.data.TEST as SkillTest;
    const [issue] = parsed.error.issues;
    return { file, line: null, why: `${issue?.path.join(".")} ${issue?.message}` };
  } catch (error) {
    return error instanceof Hung ? { file, line: null, why: error.message } : loadFault(file, error);
  }
}

export async function* testSkill(test: SkillTest, parts: Parts): AsyncGenerator<CaseResult> {
  const { tools, openEngine, useTool } = parts;
  const cases = await casesOf(test, { test, openEngine }).catch((error: unknown) => [broken(error)]);
  for (const one of [...cases, ...toolCasesOf(test, tools, useTool)]) {
    const begun = performance.now();
    let isHung = false;
    const failing = await one.run().catch((error: unknown) => {
      isHung = error instanceof Hung;
      return faultOf(error);
    });
    const duration_ms = Math.round(performance.now() - begun);
    const printed = parts.printed();
    yield { title: one.title, ok: failing === null, duration_ms, failing: failing && { ...failing, printed } };
    if (isHung) return;
  }
}

function faultOf(error: unknown): Failing {
  if (error instanceof Hung) {
    const { message: found, limit_s, fix } = error;
    return { expected: `an end within ${limit_s} s`, found, fix: `${fix} The cases after this one are not tried.` };
  }
  const place = placeIn(error);
  const found = `${wordsOf(error)}${place === null ? "" : ` (${basename(place.file)}:${place.line})`}`;
  const fix = "Correct `open` in test.ts and the functions that it returns, or `task`.";
  return { expected: "a task that can be tried", found, fix };
}

const broken = (error: unknown): TrialCase => ({
  title: "a task ends as expected",
  run: () => Promise.reject(error),
});
