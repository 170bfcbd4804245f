import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { SCRIPT } from "../../../../src/tools/flow-script/build.ts";
import { BUN } from "../../../simulators/flow-engine/flow-job.ts";

describe("the script of the flow", async () => {
  const shipped = await readFile(SCRIPT, "utf8");

  test("is the same wherever it is made", async () => {
    const url = pathToFileURL(join(import.meta.dirname, "../../../../src/tools/flow-script/build.ts")).href;
    const program = `process.stdout.write(await (await import(${JSON.stringify(url)})).buildScript())`;
    const made = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { cwd: "/" });
    expect(made.stdout).toBe(shipped);
  });

  test("can be bundled as an engine does before it runs it, with its entry point", async () => {
    const bundled = await promisify(execFile)(BUN, ["build", SCRIPT, "--target", "bun", "--minify-syntax"]);
    expect(bundled.stdout).toMatch(/^export \{\n? *main\n?\};$/m);
  });

  test("begins with no comment that an engine would take for a word to itself", () => {
    const header = shipped.split("\n").filter((line) => line.startsWith("//"));
    expect(header.filter((line) => /^\/\/ *(npm|native|nodejs|nobundling)( |$)/.test(line))).toEqual([]);
  });

  test("imports nothing but what comes with the runtime", () => {
    const imported = [...shipped.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
    expect(shipped).not.toMatch(/\bimport\(|\brequire\(/);
  });

  test("declares its entry point where an engine looks for it", () => {
    expect(shipped).toMatch(/^export async function main\(task_contract, steps, context\) \{$/m);
  });

  test("holds the protocol's SDK and what that needs, each with its licence, and nothing else", () => {
    const held = [...shipped.matchAll(/^ *\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name]) => name);
    // Of the last one the script has a name and no code.
    const libraries = ["@modelcontextprotocol/sdk", "content-type", "eventsource-parser", "zod", "zod-to-json-schema"];
    expect([...new Set(held)].sort()).toEqual(libraries);
    const header = shipped.slice(0, shipped.indexOf("@ts-nocheck")).replaceAll("\n// ", " ");
    for (const name of libraries.slice(0, -1)) expect(header).toContain(`${name}, Copyright`);
    expect(Buffer.byteLength(shipped)).toBeLessThan(560_000);
  });
});
