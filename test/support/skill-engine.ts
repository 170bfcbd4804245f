// An engine with one skill of a test's own, which writes what it does into a file.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openEngine } from "./engine.ts";
import { skillsDirectory, withApproval } from "./skills.ts";

type Options = { readonly env?: Readonly<Record<string, string>> };

/** `body` is that of `handle(ctx, task)`, in JavaScript; `effect(name)` writes a line, which `effects` reads. */
export async function openSkillEngine(body: string, { env = {} }: Options = {}) {
  const directory = await skillsDirectory({ trial: withApproval(handlerSource(body)) });
  const log = join(directory.path, "effects");
  const engine = await openEngine({ env: { ORCH_CAPABILITIES: directory.path, ...env } });
  const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
  return {
    engine,
    directory: directory.path,
    run: (task_id: string, over: Record<string, unknown> = {}) =>
      engine.submit({ task_id, intent: "try_out", delegation_mode: "known_only", target: {}, constraints, ...over }),
    effects: async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== ""),
    decide: async (task_id: string, decision: "approve" | "reject", more: object = {}) => {
      const { approval_id } = await engine.approvalOf(task_id);
      return (await engine.call("approve", { approval_id, decision, wait_seconds: 20, ...more })).task;
    },
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const handlerSource = (body: string): string => `
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
const effect = (name: string) => (appendFileSync(join(import.meta.dirname, "../effects"), name + "\\n"), name);
const done = (result: unknown = null) => ({ status: "ok", code: "done", message: "Done.", result });
export const HANDLED_INTENTS = ["try_out"];
export async function handle(ctx: any, task: any) {
${body}
}
void [requestApproval, waitForApproval, notApproved, sleep, effect, done];
`;
