// The npm package: written from this checkout, and used for the first time as its README says.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runCli, type Surround, startServe } from "./cli-process.ts";
import { faultOfLink, linkedFile, linksIn } from "./documents/links.ts";

const ROOT = join(import.meta.dirname, "../..");
const SUPPORT = join(ROOT, "test/support");

/** Runs `npm run dist` with these options. */
export function runDist(directory: string, ...options: string[]) {
  return runDistIn({}, directory, ...options);
}

export function runDistIn(env: Readonly<Record<string, string>>, directory: string, ...options: string[]) {
  const args = [
    "--disable-warning=ExperimentalWarning",
    join(ROOT, "src/tools/dist/dist.ts"),
    "--to",
    directory,
    ...options,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

export function writePackage(directory: string, ...options: string[]): string {
  const { status, stdout, stderr } = runDist(directory, ...options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

/** Every link of the README of a package that leads nowhere, and every one of the pages that it leads to. */
export function deadLinksIn(directory: string): string[] {
  const reached = new Set(["README.md"]);
  const dead: string[] = [];
  for (const from of reached)
    for (const target of linksIn(readFileSync(join(directory, from), "utf8"))) {
      const fault = faultOfLink(directory, from, target);
      const path = linkedFile(from, target);
      if (fault !== null) dead.push(fault);
      else if (path.endsWith(".md")) reached.add(path);
    }
  expect(reached.size).toBeGreaterThan(20);
  return dead;
}

export type Installed = Required<Pick<Surround, "program" | "env">>;

/** A server is started in an empty home, and a task is submitted, taught and done. Returns what its server logged. */
export async function firstSteps({ program, env }: Installed): Promise<string> {
  await using server = await served(env, program);
  const orch = (...args: string[]) => runCli(args, { program, env: { ...env, ORCH_URL: server.url } });
  expect(await orch("submit", join(SUPPORT, "cli-contract.yaml"), "--wait")).toMatchObject({ exit: 3 });
  const taught = await orch("teach", join(SUPPORT, "cli-lesson.yaml"), "--task", "t-yaml", "--wait");
  expect(taught).toMatchObject({ exit: 0, stdout: expect.stringContaining("DONE") });
  expect(await orch("evidence", "t-yaml", "--verify")).toMatchObject({ exit: 0 });
  const { exit, stderr } = await server.stop();
  expect(exit).toBe(0);
  return stderr;
}

async function served(env: Installed["env"], program: Installed["program"]) {
  const { url, kill } = await startServe(env, { program });
  let stopping: ReturnType<typeof kill> | null = null;
  const stop = () => (stopping ??= kill("SIGTERM"));
  return { url, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
