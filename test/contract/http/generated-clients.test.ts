// Generates two TypeScript clients from the document of the real operations, compiles a program for each, and lets it live the life of
// a procedure.
import { execFile } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { expect, test } from "vitest";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { startHttp, TOKEN } from "../../support/http-endpoint.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

const engine = held(await openEngine());
const http = held(await startHttp({ operations: engine.operations }));

type Generate = (document: OpenAPI3, directory: string) => Promise<unknown>;

const generateTypes: Generate = async (document, directory) =>
  writeFile(join(directory, "openapi-typescript.ts"), astToString(await openapiTypescript(document)));

const generateSdk: Generate = (document, directory) =>
  createClient({
    input: document as never,
    output: { path: join(directory, "hey-api"), entryFile: false },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });

/** What the compiler says of the program and of the client that it uses. */
function faultsIn(program: string): string[] {
  const compiled = ts.createProgram([program], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  });
  return ts.getPreEmitDiagnostics(compiled).map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, " ");
    return `${file?.fileName ?? ""}: ${text}`;
  });
}

test.each<[name: string, generate: Generate]>([
  ["openapi-typescript", generateTypes],
  ["hey-api", generateSdk],
])("a client by %s compiles and lives the life of a procedure", async (name, generate) => {
  await using directory = await temporaryDirectory();
  const document = (await (await http.get("/openapi.json")).json()) as OpenAPI3;
  await generate(document, directory.path);
  const program = join(directory.path, "life.ts");
  await copyFile(join(import.meta.dirname, "lives", `${name}.ts.txt`), program);
  expect(faultsIn(program)).toEqual([]);
  const outfile = join(directory.path, "life.mjs");
  await build({ entryPoints: [program], outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, http.url, TOKEN]);
  expect(JSON.parse(stdout)).toEqual({
    asked: "teach",
    done: "DONE",
    evidence: true,
    sop: "active",
    steps: ["true", "test -d /"],
    again: "DONE",
  });
});
