// Puts the script of the flow together: a flow engine takes one file and no other, so main.ts and all it imports become
// that file (npm run flow, and after npm install). What runs on an engine is thus the code that runs here.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { programIn } from "../../execution/execution.ts";

export const SCRIPT = join(import.meta.dirname, "../../execution/flow/f/orch/execute_task_steps.flow/run_steps.ts");

const HEADER = `// orch: runs the steps of a task on a flow engine and reports each. Put together from src/tools/flow-script by
// "npm run flow"; change it there. It needs nothing beside it.
// Parts of it are under the MIT licence: @modelcontextprotocol/sdk, Copyright (c) 2024 Anthropic, PBC; zod, Copyright (c) 2025
// Colin McDonnell; eventsource-parser, Copyright (c) 2026 Espen Hovlandsdal; content-type, Copyright (c) 2015 Douglas Christopher Wilson.
// @ts-nocheck`;

/** The texts that the product reads from files beside its modules go into the script. */
const texts: Plugin = {
  name: "texts",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = (_: string, name: string) => JSON.stringify(programIn(dirname(path), name));
      const contents = (await readFile(path, "utf8")).replace(/programIn\(import\.meta\.dirname, "([\w.-]+)"\)/g, text);
      return { contents, loader: "ts" };
    }),
};

const UNUSED =
  /\/(@modelcontextprotocol\/sdk\/.*\/(client\/auth|validation\/ajv-provider)|zod-to-json-schema\/.*\/index)\.js$/;
const UNUSED_NAMES =
  "export const auth = null, extractWWWAuthenticateParams = null, UnauthorizedError = Error, AjvJsonSchemaValidator = Object, zodToJsonSchema = null;";

/**
 * The SDK's client logs in with OAuth, checks outputs of tools and describes schemas of an earlier zod. Orch has it do none of that: it is
 * left out.
 */
const unused: Plugin = {
  name: "unused",
  setup: ({ onLoad }) => onLoad({ filter: UNUSED }, () => ({ contents: UNUSED_NAMES })),
};

/** Loading a module of orch does nothing but define what it exports: what the script does not use of a door stays out of it. */
const usedOnly: Plugin = {
  name: "used-only",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    })),
};

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
    legalComments: "inline",
    plugins: [usedOnly, texts, unused],
    banner: { js: HEADER },
  });
  const text = outputFiles[0]?.text ?? "";
  if (!text.includes(DECLARED) || !EXPORTED.test(text)) throw new Error("the bundle does not declare and export main");
  if (text.includes("import.meta")) throw new Error("the bundle needs a file beside it");
  return text.replace(DECLARED, `export ${DECLARED}`).replace(EXPORTED, "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(SCRIPT, await buildScript());
