// The folder that is pushed to the flow engine unchanged: its files match each other, each check finds its fault, and the linter of the
// engine's command line, which needs no server, accepts it.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { WindmillYamlValidator } from "windmill-yaml-validator";
import { FLOW_FOLDER, faultsOf, readFolder } from "./folder-check.ts";

const FLOW = "f/orch/execute_task_steps.flow";
const YAML = `${FLOW}/flow.yaml`;
const SCRIPT = `${FLOW}/run_steps.ts`;
const LOCK = `${FLOW}/run_steps.lock`;
const FOLDER = "f/orch/folder.meta.yaml";
const SETTINGS = "wmill.yaml";
const files = await readFolder();
const yaml = files.get(YAML) ?? "";

const accepts = (text: string) => new WindmillYamlValidator().validate(text, { type: "flow" }).errors.length === 0;

test("the engine's own schema accepts the flow, and refuses broken ones", () => {
  expect(accepts(yaml)).toBe(true);
  for (const [what, instead] of [
    ["language: bun", "language: bunn"],
    ["modules:", "modulez:"],
    ["same_worker: true", "same_worker: 1"],
    ["input_transforms:", "transforms:"],
  ] as const) {
    expect(yaml).toContain(what);
    expect(accepts(yaml.replace(what, instead))).toBe(false);
  }
});

describe("the folder", () => {
  test("holds only the files that are pushed, and has no fault", () => {
    expect([...files.keys()].sort()).toEqual([YAML, LOCK, SCRIPT, FOLDER, SETTINGS]);
    expect(faultsOf(files)).toEqual([]);
  });

  const same_worker = "same_worker: true";
  const timeout = "      timeout:";
  const names = "[task_contract, steps, context]";
  const main = "export async function main";
  test.each([
    ["a key that means nothing", YAML, same_worker, `${same_worker}\n  same_wrker: true`, "same_wrker"],
    ["a job that may be queued again", YAML, same_worker, "same_worker: false", "same_worker"],
    ["a retry", YAML, timeout, `      retry: {constant: {attempts: 1, seconds: 1}}\n${timeout}`, "retry"],
    ["a time limit of another form", YAML, "{ type: static, value: 86400 }", "86400", "timeout"],
    ["a script that is not there", YAML, "!inline run_steps.ts", "!inline run_step.ts", "not there"],
    ["a lock that is not there", YAML, "!inline run_steps.lock", "!inline run_steps.lck", "not there"],
    ["an argument that is not given", YAML, "steps: { type: javascript", "stepz: { type: javascript", "main takes"],
    ["an argument with another's value", YAML, "flow_input.steps", "flow_input.context", "is given"],
    ["another order", YAML, `order: ${names}`, "order: [steps, task_contract, context]", "main takes"],
    ["an argument that is not required", YAML, `required: ${names}`, "required: [steps]", "main takes"],
    ["another argument of main", SCRIPT, `${main}(task_contract`, `${main}(contract`, "main takes"],
    ["no main", SCRIPT, main, "async function main", "no main"],
    ["a dependency", SCRIPT, 'from "node:http"', 'from "undici"', "undici"],
    ["a lock with a line end", LOCK, "<empty>", "<empty>\n", "lock"],
    [
      "names with the other kind of folder",
      SETTINGS,
      "nonDottedPaths: false",
      "nonDottedPaths: true",
      "nonDottedPaths",
    ],
    ["another language by default", SETTINGS, "defaultTs: bun", "defaultTs: deno", "defaultTs"],
    ["owners", FOLDER, "owners: []", "owners: [u/someone]", "owners"],
  ])("with %s has a fault", (_what, path, what, instead, fault) => {
    const text = files.get(path) ?? "";
    expect(text).toContain(what);
    expect(faultsOf(new Map(files).set(path, text.replace(what, instead))).join("\n")).toContain(fault);
  });

  test("is clean for the linter, which leaves no file and misses a lock", async () => {
    const place = await mkdtemp(join(tmpdir(), "orch-lint-"));
    onTestFinished(() => rm(place, { recursive: true, force: true }));
    await cp(FLOW_FOLDER, join(place, "folder"), { recursive: true });
    const wmill = createRequire(import.meta.url).resolve("windmill-cli/esm/main.js");
    const lint = () => {
      // An empty home knows no server.
      const env = {
        PATH: process.env["PATH"],
        HOME: join(place, "home"),
        XDG_CONFIG_HOME: join(place, "home/.config"),
      };
      const args = [wmill, "lint", ".", "--json", "--locks-required", "--fail-on-warn"];
      const options = { cwd: join(place, "folder"), env };
      return new Promise((resolve) => {
        execFile(process.execPath, args, options, (_error, stdout) => resolve(JSON.parse(stdout)));
      });
    };
    expect(await lint()).toMatchObject({ success: true, validFiles: 1, warnings: [], issues: [] });
    expect(await readdir(place)).toEqual(["folder"]);
    expect(await readdir(join(place, "folder", FLOW))).toEqual(["flow.yaml", "run_steps.lock", "run_steps.ts"]);
    await rm(join(place, "folder", LOCK));
    const refused = await lint();
    expect(refused).toMatchObject({ success: false });
    expect(JSON.stringify(refused)).toContain("lock");
  });
});

test("the script runs under Node without a build", async () => {
  const source = `const { main } = await import(${JSON.stringify(join(FLOW_FOLDER, SCRIPT))});
    console.log(typeof main, main.length, JSON.stringify(await main()));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source]);
  expect(stdout).toMatch(/^function 3 \{"ok":false,/);
  expect(stderr).toBe("");
});
