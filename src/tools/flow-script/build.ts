// Puts the script of the flow together: a flow engine takes one file and no other, so main.ts and all it imports become
// that file (npm run flow, and after npm install). What runs on an engine is thus the code that runs here.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const SCRIPT = join(import.meta.dirname, "../../execution/flow/f/orch/execute_task_steps.flow/run_steps.ts");

const HEADER = `// orch: runs the steps of a task on a flow engine and reports each. Put together from src/tools/flow-script by
// "npm run flow"; change it there. It needs nothing beside it.
// Part of it is eventsource-parser, under the MIT licence, Copyright (c) 2026 Espen Hovlandsdal.
// @ts-nocheck`;

/** An engine looks for the function where it is declared. */
const DECLARED = "async function main(";
const EXPORTED = /export \{\n {2}main\n\};\n$/;

export async function buildScript(): Promise<string> {
  const { outputFiles } = await build({
    // Where it is run from must not show in it.
    absWorkingDir: join(import.meta.dirname, "../../.."),
    entryPoints: [join(import.meta.dirname, "main.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2023",
    charset: "utf8",
    banner: { js: HEADER },
  });
  const text = outputFiles[0]?.text ?? "";
  if (!text.includes(DECLARED) || !EXPORTED.test(text)) throw new Error("the bundle does not declare and export main");
  return text.replace(DECLARED, `export ${DECLARED}`).replace(EXPORTED, "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(SCRIPT, await buildScript());
