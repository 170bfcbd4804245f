// A skill whose code runs in processes, as the server uses it: its handler, and its tools for agents.
import { basename, dirname } from "node:path";
import { z } from "zod";
import type { TaskContract } from "../../../domain/contract.ts";
import { wordsOf } from "../../../domain/errors.ts";
import { createMutex, type Mutex } from "../../../domain/mutex.ts";
import { maxMs } from "../../../domain/step-run.ts";
import type { OfferedSkillTool, UsableSkill } from "../../../ports.ts";
import type { SkillDescription, SkillFault } from "./orders.ts";
import { type Printed, runInProcess } from "./run-in-process.ts";

export type SkillFile = {
  readonly file: string;
  /** The directories whose modules may import orch and zod by name. */
  readonly offered: readonly string[];
  readonly memory_mb: number;
  readonly printed: Printed;
};

const LOAD_MS = 10_000;
const LOOP_MS = 30_000;

export async function describeFile(skill: SkillFile): Promise<SkillDescription | SkillFault> {
  const { file, offered, memory_mb, printed } = skill;
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), LOAD_MS);
  try {
    const limits = { memory_mb, loop_ms: LOAD_MS, idle_ms: LOAD_MS };
    const order = { is: "describe", file, offered } as const;
    const described = await runInProcess(order, limits, over.signal, { printed });
    return described as unknown as SkillDescription | SkillFault;
  } catch (error) {
    const why = over.signal.aborted ? `it has not finished loading after ${LOAD_MS / 1000} s` : wordsOf(error);
    return { file, line: null, why };
  } finally {
    clearTimeout(late);
    over.abort();
  }
}

/** One handler runs in one process. A lock of the skill is held by one of its runs at a time. */
export function skillInProcess({ file, offered, memory_mb, printed }: SkillFile, { intents, tools }: SkillDescription) {
  const lockOf = createLocks();
  const limitsOf = (contract: TaskContract) => ({
    memory_mb,
    loop_ms: LOOP_MS,
    idle_ms: maxMs(contract),
  });
  const handle: UsableSkill["handle"] = (ctx, over) => {
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
  const skill: UsableSkill = { name: nameOf(file), intents, fault: null, handle };
  return {
    ...skill,
    tools: tools.map(({ parameters, ...tool }) => ({
      ...tool,
      parameters: z.fromJSONSchema(parameters),
      run: use(tool.name),
    })),
  };
}

/** That of its directory. */
export const nameOf = (file: string): string => basename(dirname(file));

/** One mutex a name, for all runs of a skill, as long as one of them holds it or waits for it. */
export function createLocks(): (name: string) => Pick<Mutex, "run"> {
  const locks = new Map<string, { readonly mutex: Mutex; users: number }>();
  return (name) => ({
    run: async (work, signal) => {
      const lock = locks.get(name) ?? { mutex: createMutex(), users: 0 };
      locks.set(name, lock);
      lock.users += 1;
      try {
        return await lock.mutex.run(work, signal);
      } finally {
        lock.users -= 1;
        if (lock.users === 0) locks.delete(name);
      }
    },
  });
}
