// The engine's official client, pointed at one of our servers: it keeps its settings in the process and its environment.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setClient } from "windmill-client";
import { type FlowEngineOptions, startFlowEngine } from "../simulators/flow-engine/flow-engine.ts";
import { writeScript } from "../simulators/flow-engine/script.ts";

/** Until it is disposed of. The variables of a job are taken away as well: the client would think itself inside one. */
export function pointOfficialClientAt(
  engine: { readonly url: string },
  { token, workspace }: { readonly token: string; readonly workspace: string },
): Disposable {
  const names = ["WM_WORKSPACE", "WM_JOB_ID", "WM_ROOT_FLOW_JOB_ID"];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  process.env["WM_WORKSPACE"] = workspace;
  setClient(token, engine.url);
  return {
    [Symbol.dispose]: () => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

/** The fields of one of the client's types, read in its own declarations. */
export async function fieldsOf(type: string): Promise<{ required: string[]; optional: string[] }> {
  const dist = dirname(createRequire(import.meta.url).resolve("windmill-client"));
  const declarations = await readFile(join(dist, "types.gen.d.ts"), "utf8");
  const body = declarations.split(`export type ${type} = {\n`)[1]?.split("\n};")[0];
  if (body === undefined) throw new Error(`the client declares no ${type}`);
  const fields = [...body.matchAll(/^ {4}(\w+)(\??): /gm)].map(([, name = "", mark]) => ({ name, mark }));
  const named = (mark: string) => fields.filter((field) => field.mark === mark).map(({ name }) => name);
  return { required: named(""), optional: named("?") };
}

/** An engine whose script does what its arguments tell it, and the official client pointed at it. */
export async function startDrivenEngine(options: FlowEngineOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const script = stack.use(await writeScript());
  const engine = stack.use(await startFlowEngine({ script: script.path, ...options }));
  stack.use(pointOfficialClientAt(engine, engine));
  const kept = stack.move();
  return { engine, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
