// The linter of the flow engine's command line, which needs no server, accepts the folder.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FLOW_FOLDER } from "./folder-check.ts";

const WMILL = createRequire(import.meta.url).resolve("windmill-cli/esm/main.js");
const FLOW = "folder/f/orch/execute_task_steps.flow";

let place: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "orch-lint-"));
  await cp(FLOW_FOLDER, join(place, "folder"), { recursive: true });
});
afterEach(() => rm(place, { recursive: true, force: true }));

/** Runs in an empty home, so that it knows no server. */
function lint(): Promise<{
  readonly success: boolean;
  readonly validFiles: number;
  readonly issues: readonly unknown[];
}> {
  const home = join(place, "home");
  const options = {
    cwd: join(place, "folder"),
    env: { PATH: process.env["PATH"], HOME: home, XDG_CONFIG_HOME: join(home, ".config") },
  };
  const args = [WMILL, "lint", ".", "--json", "--locks-required", "--fail-on-warn"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (_error, stdout) => resolve(JSON.parse(stdout)));
  });
}

async function replace(file: string, what: string, instead: string): Promise<void> {
  const path = join(place, FLOW, file);
  const text = await readFile(path, "utf8");
  expect(text).toContain(what);
  await writeFile(path, text.replace(what, instead));
}

test("the folder is clean, and linting leaves no file", async () => {
  expect(await lint()).toMatchObject({ success: true, validFiles: 1, warnings: [], issues: [] });
  expect(await readdir(place)).toEqual(["folder"]);
  expect(await readdir(join(place, FLOW))).toEqual(["flow.yaml", "run_steps.lock", "run_steps.ts"]);
});

test.each([
  ["a language that is none", () => replace("flow.yaml", "language: bun", "language: bunn"), "language"],
  ["no lock", () => rm(join(place, FLOW, "run_steps.lock")), "lock"],
  ["no transforms", () => replace("flow.yaml", "input_transforms:", "transforms:"), "input_transforms"],
])("a folder with %s is refused", async (_what, breakIt, said) => {
  await breakIt();
  const { success, issues } = await lint();
  expect(success).toBe(false);
  expect(JSON.stringify(issues)).toContain(said);
});
