// Runs the code of a skill as the server does, and keeps what it prints.
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../../../src/domain/json.ts";
import { type RunLimits, runInProcess } from "../../../../src/features/skills/process/run-in-process.ts";
import type { ServedContext } from "../../../../src/features/skills/process/serve-context.ts";
import { createLocks } from "../../../../src/features/skills/process/skill-in-process.ts";
import { aContract } from "../../../support/builders.ts";

export const LIMITS: RunLimits = { memory_mb: 64, loop_ms: 1_500, idle_ms: 60_000 };
export const printed: string[] = [];

/** Runs the body of a handler, with the steps of a server that does each at once. */
export async function run(body: string, { limits = LIMITS, top = "" } = {}): Promise<Json> {
  const directory = await mkdtemp(join(tmpdir(), "orch-run-"));
  const file = join(directory, "handler.ts");
  await writeFile(
    file,
    `import { setTimeout as sleep } from "node:timers/promises";
    const done = { status: "ok", code: "done", message: "Done." };
    ${top}
    export const HANDLED_INTENTS = ["try_out"];
    export async function handle(ctx: any, task: any) { ${body} }
    void [sleep, done];`,
  );
  const ctx: ServedContext = {
    contract: aContract(),
    signal: new AbortController().signal,
    call: () => new Promise(() => undefined),
    listTools: async () => ({ ok: false, stderr: "there is none" }),
    step: (async (_name: string, work: () => Promise<Json>) => work()) as NonNullable<ServedContext["step"]>,
    progress: () => undefined,
  };
  const over = new AbortController();
  const order = { is: "handle", file, offered: [], contract: ctx.contract } as const;
  try {
    return await runInProcess(order, limits, over.signal, {
      printed: (line) => printed.push(line),
      served: { ctx, lockOf: createLocks() },
    });
  } finally {
    over.abort();
    await rm(directory, { recursive: true });
  }
}

export const faultOf = (body: string, options = {}): Promise<string> =>
  run(body, options).then(
    (end) => `it ended: ${JSON.stringify(end)}`,
    (error: Error) => `${error.name}: ${error.message}`,
  );

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nothing has waited for is no process any more.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
