// A skill whose code runs in processes, as the server uses it: its handler, and its tools for agents.
import { basename, dirname } from "node:path";
import { z } from "zod";
import type { OfferedSkillTool } from "../agent/agent-services.ts";
import { OrchError, wordsOf } from "../domain/errors.ts";
import { createMutex, type Mutex } from "../domain/mutex.ts";
import { maxMs } from "../domain/step-run.ts";
import type { Skill } from "../ports.ts";
import type { SkillDescription, SkillFault } from "./orders.ts";
import type { Printed } from "./printed.ts";
import { runInProcess } from "./run-in-process.ts";

export type SkillFile = {
  readonly file: string;
  readonly offered: readonly string[];
  readonly memory_mb: number;
  readonly printed: Printed;
};

const LOAD_MS = 10_000;
const LOOP_MS = 30_000;

/** Rejects with `config_invalid`. */
export async function describeFile({ file, offered, memory_mb, printed }: SkillFile): Promise<SkillDescription> {
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), LOAD_MS);
  try {
    const limits = { memory_mb, loop_ms: LOAD_MS, idle_ms: LOAD_MS };
    const found = (await runInProcess({ is: "describe", file, offered }, limits, over.signal, {
      printed,
    })) as unknown as Described;
    if ("why" in found) throw unusable(found.file, found.why);
    return found;
  } catch (error) {
    if (error instanceof OrchError) throw error;
    const isLate = over.signal.aborted;
    throw unusable(file, isLate ? `it has not finished loading after ${LOAD_MS / 1000} s` : wordsOf(error));
  } finally {
    clearTimeout(late);
    over.abort();
  }
}

type Described = SkillDescription | SkillFault;

/** One handler runs in one process. A lock of the skill is held by one of its runs at a time. */
export function skillInProcess({ file, offered, memory_mb, printed }: SkillFile, { intents, tools }: SkillDescription) {
  const lockOf = createLocks();
  const limitsOf = (contract: Parameters<typeof maxMs>[0]) => ({
    memory_mb,
    loop_ms: LOOP_MS,
    idle_ms: maxMs(contract),
  });
  const handle: Skill["handle"] = (ctx, over) => {
    const { contract } = ctx;
    return runInProcess({ is: "handle", file, offered, contract }, limitsOf(contract), over, {
      printed,
      served: { ctx, lockOf },
    });
  };
  const use =
    (tool: string): OfferedSkillTool["run"] =>
    async (ctx, given) => {
      const over = new AbortController();
      const { contract } = ctx;
      const order = { is: "use", file, offered, contract, tool, given: JSON.stringify(given) } as const;
      try {
        return await runInProcess(order, limitsOf(contract), over.signal, { printed, served: { ctx, lockOf } });
      } finally {
        over.abort();
      }
    };
  return {
    name: nameOf(file),
    intents,
    handle,
    tools: tools.map(({ parameters, ...tool }) => ({
      ...tool,
      parameters: z.fromJSONSchema(parameters),
      run: use(tool.name),
    })),
  };
}

export const nameOf = (file: string): string => basename(dirname(file));

/** One mutex a name, for all runs of a skill. */
export function createLocks(): (name: string) => Mutex {
  const locks = new Map<string, Mutex>();
  return (name) => {
    const lock = locks.get(name) ?? createMutex();
    locks.set(name, lock);
    return lock;
  };
}

export const unusable = (file: string, why: string): OrchError =>
  new OrchError("config_invalid", `The skill ${file} cannot be used: ${why}.`, {
    issues: [{ path: file, message: why }],
  });
