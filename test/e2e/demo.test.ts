// The demo as a user runs it: it plays every chapter, and removes its files however it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fault } from "../../src/execution/test/integration/local/control/a-control.ts";
import { TOKEN, temporaryDirectory } from "../support/orch-process.ts";
import { CHAPTERS, headingOf } from "./demo/chapters.ts";

const DEMO = join(import.meta.dirname, "demo/demo.ts");

type Run = { readonly child: ChildProcess; readonly output: () => string };

function runDemo(directory: string, PATH = process.env["PATH"] ?? ""): Run {
  const child = spawn(process.execPath, [DEMO], {
    env: { PATH, TMPDIR: directory },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return { child, output: () => output };
}

async function exitCode({ child }: Run): Promise<number | null> {
  const [code] = await once(child, "close");
  return code;
}

test("the demo plays every chapter, every claim holds, and its files are removed", async () => {
  await using directory = await temporaryDirectory();
  const run = runDemo(directory.path);
  const code = await exitCode(run);
  expect(code, run.output()).toBe(0);
  const headings = run.output().match(/^\d+\. .+$/gm);
  expect(headings).toEqual(CHAPTERS.map(headingOf));
  expect(headings).toHaveLength(13);
  expect(run.output()).toMatch(/^All \d\d claims held/m);
  const has_warned = run.output().includes("the lesson was accepted with a warning");
  expect(has_warned, "what needs an empty world is left out only where there is none").toBe(fault === null);
  expect(run.output()).not.toContain(TOKEN);
  expect(run.output(), "no colours in a pipe").not.toContain("\u001b");
  expect(await readdir(directory.path)).toEqual([]);
});

test("a demo that fails says what failed, shows the server's log and removes its files", async () => {
  await using directory = await temporaryDirectory();
  const run = runDemo(directory.path, dirname(process.execPath));
  expect(await exitCode(run)).toBe(1);
  expect(run.output()).toContain("✘ spawn git ENOENT");
  expect(run.output()).toMatch(/The server's log:\n[\s\S]*no ROUTING_MODEL/);
  expect(await readdir(directory.path)).toEqual([]);
});

test("a demo that is interrupted removes its files", async () => {
  await using directory = await temporaryDirectory();
  const run = runDemo(directory.path);
  await expect.poll(run.output, { timeout: 60_000 }).toContain("2. ");
  run.child.kill("SIGINT");
  expect(await exitCode(run)).toBe(130);
  expect(run.output()).not.toContain("✘");
  expect(await readdir(directory.path)).toEqual([]);
});
