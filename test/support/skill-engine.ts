// An engine with one skill of the tests' own, which writes what it does into a file.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { verifyBundle } from "../../src/engine/evidence/verify/bundle.ts";
import { openEngine } from "./engine.ts";
import { skillsDirectory, withApproval } from "./skills.ts";

type Options = { readonly env?: Readonly<Record<string, string>> };

/** `body` is that of `handle(ctx, task)`, in JavaScript; `effect(name)` writes a line, which `effects` reads. */
export async function openSkillEngine(body: string, options: Options = {}) {
  const skills = await openSkillEngines(options);
  return { ...(await skills.trial(body)), [Symbol.asyncDispose]: skills[Symbol.asyncDispose] };
}

/** One engine for the handlers of several tests: each is a trial of its own, with its own target and its own effects. */
export async function openSkillEngines({ env = {} }: Options = {}) {
  const directory = await skillsDirectory({ trial: HANDLER });
  await mkdir(join(directory.path, "trial/bodies"));
  const engine = await openEngine({ env: { ORCH_CAPABILITIES: directory.path, ...env } });
  let trials = 0;
  const trial = async (body: string) => {
    const name = `trial-${++trials}`;
    await writeFile(join(directory.path, "trial/bodies", `${name}.ts`), withApproval(moduleOf(body)));
    const log = join(directory.path, "trial/bodies", `${name}.effects`);
    const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
    const around = { intent: "try_out", delegation_mode: "known_only", constraints };
    return {
      /** For the id of a task that no other trial has. */
      name,
      engine,
      directory: directory.path,
      run: (task_id: string, { target = {}, ...over }: { target?: object } & Record<string, unknown> = {}) =>
        engine.submit({ task_id, ...around, target: { trial: name, ...target }, ...over }),
      effects: async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== ""),
      decide: async (task_id: string, decision: "approve" | "reject", more: object = {}) => {
        const { approval_id } = await engine.approvalOf(task_id);
        return (await engine.call("approve", { approval_id, decision, wait_seconds: 20, ...more })).task;
      },
      faultsOf: async (task_id: string) =>
        verifyBundle(JSON.parse(JSON.stringify(await engine.call("get_evidence", { task_id })))).faults,
    };
  };
  return {
    engine,
    trial,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const HANDLER = `export const HANDLED_INTENTS = ["try_out"];
export async function handle(ctx: any, task: any) {
  const { handle } = await import("./bodies/" + task.target.trial + ".ts");
  return handle(ctx, task);
}`;

const moduleOf = (body: string): string => `
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
const effect = (name: string) => (appendFileSync(import.meta.filename.replace(/ts$/, "effects"), name + "\\n"), name);
const done = (result: unknown = null) => ({ status: "ok", code: "done", message: "Done.", result });
export async function handle(ctx: any, task: any) {
${body}
}
void [requestApproval, waitForApproval, notApproved, sleep, effect, done];
`;
