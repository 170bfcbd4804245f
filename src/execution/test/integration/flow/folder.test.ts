// The folder that is pushed to the flow engine unchanged: its files match each other, and each check finds its fault.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { WindmillYamlValidator } from "windmill-yaml-validator";
import { FLOW_FOLDER, faultsOf, readFolder } from "./folder-check.ts";

const FLOW = "f/orch/execute_task_steps.flow";
const files = await readFolder();
const yaml = files.get(`${FLOW}/flow.yaml`) ?? "";

const accepts = (text: string) => new WindmillYamlValidator().validate(text, { type: "flow" }).errors.length === 0;

/** A copy of the files with one text replaced. */
function broken(path: string, what: string, instead: string): Map<string, string> {
  const text = files.get(path) ?? "";
  expect(text).toContain(what);
  return new Map(files).set(path, text.replace(what, instead));
}

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
  test("holds only the files that are pushed", () => {
    expect([...files.keys()].sort()).toEqual([
      "f/orch/execute_task_steps.flow/flow.yaml",
      "f/orch/execute_task_steps.flow/run_steps.lock",
      "f/orch/execute_task_steps.flow/run_steps.ts",
      "f/orch/folder.meta.yaml",
      "wmill.yaml",
    ]);
  });

  test("has no fault", () => {
    expect(faultsOf(files)).toEqual([]);
  });

  test.each([
    [
      "a key that means nothing",
      `${FLOW}/flow.yaml`,
      "same_worker: true",
      "same_worker: true\n  same_wrker: true",
      "same_wrker",
    ],
    ["a job that may be queued again", `${FLOW}/flow.yaml`, "same_worker: true", "same_worker: false", "same_worker"],
    [
      "a retry",
      `${FLOW}/flow.yaml`,
      "      timeout:",
      "      retry: {constant: {attempts: 1, seconds: 1}}\n      timeout:",
      "retry",
    ],
    ["a time limit of another form", `${FLOW}/flow.yaml`, "{ type: static, value: 86400 }", "86400", "timeout"],
    ["a script that is not there", `${FLOW}/flow.yaml`, "!inline run_steps.ts", "!inline run_step.ts", "not there"],
    ["a lock that is not there", `${FLOW}/flow.yaml`, "!inline run_steps.lock", "!inline run_steps.lck", "not there"],
    [
      "an argument that is not given",
      `${FLOW}/flow.yaml`,
      "steps: { type: javascript",
      "stepz: { type: javascript",
      "main takes",
    ],
    [
      "an argument that is given another's value",
      `${FLOW}/flow.yaml`,
      "flow_input.steps",
      "flow_input.context",
      "is given",
    ],
    [
      "another order",
      `${FLOW}/flow.yaml`,
      "order: [task_contract, steps, context]",
      "order: [steps, task_contract, context]",
      "main takes",
    ],
    [
      "an argument that is not required",
      `${FLOW}/flow.yaml`,
      "required: [task_contract, steps, context]",
      "required: [steps]",
      "main takes",
    ],
    [
      "another argument of main",
      `${FLOW}/run_steps.ts`,
      "export async function main(task_contract",
      "export async function main(contract",
      "main takes",
    ],
    ["no main", `${FLOW}/run_steps.ts`, "export async function main", "async function main", "no main"],
    ["a dependency", `${FLOW}/run_steps.ts`, 'from "node:http"', 'from "undici"', "undici"],
    ["a lock with a line end", `${FLOW}/run_steps.lock`, "<empty>", "<empty>\n", "lock"],
    [
      "names with the other kind of folder",
      "wmill.yaml",
      "nonDottedPaths: false",
      "nonDottedPaths: true",
      "nonDottedPaths",
    ],
    ["another language by default", "wmill.yaml", "defaultTs: bun", "defaultTs: deno", "defaultTs"],
    ["owners", "f/orch/folder.meta.yaml", "owners: []", "owners: [u/someone]", "owners"],
  ])("with %s has a fault", (_what, path, what, instead, fault) => {
    expect(faultsOf(broken(path, what, instead)).join("\n")).toContain(fault);
  });
});

test("the script runs under Node without a build", async () => {
  const source = `const { main } = await import(${JSON.stringify(join(FLOW_FOLDER, FLOW, "run_steps.ts"))});
    console.log(typeof main, main.length, JSON.stringify(await main()));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source]);
  expect(stdout).toMatch(/^function 3 \{"ok":false,/);
  expect(stderr).toBe("");
});
