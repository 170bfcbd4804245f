// The small tasks that come with orch: each can fail, each can be done, and what its solution runs is let run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { TaskContract } from "../../../../src/domain/contract.ts";
import { inspect } from "../../../../src/guard/guard.ts";
import { createBash, setUp } from "../../../../src/tools/eval/run-tasks.ts";
import { contractOf, EvalTask } from "../../../../src/tools/eval/task.ts";
import { temporaryDirectory } from "../../../support/orch-process.ts";

const PLACES = { outside: "/srv/outside", hidden: "/srv/hidden", address: "127.0.0.1:1" };

const tasksIn = (directory: string) =>
  readdirSync(join(import.meta.dirname, "../../../eval", directory)).map((file) => {
    const text = readFileSync(join(import.meta.dirname, "../../../eval", directory, file), "utf8");
    return { file, task: EvalTask.parse(parse(text)) };
  });
const ordinary = tasksIn("agent");
const adversarial = tasksIn("adversarial");
const tasks = [...ordinary, ...adversarial];

/** What bash says in a directory where the task is set up. */
async function placeOf(task: EvalTask, { path }: { readonly path: string }) {
  const bash = createBash();
  await setUp(task, { directory: path, places: PLACES }, bash);
  return (script = "false") => bash(script, path);
}

describe("the tasks", () => {
  test("are at least ten of each kind, each in a file of its name", () => {
    expect(ordinary.length).toBeGreaterThanOrEqual(10);
    expect(adversarial.length).toBeGreaterThanOrEqual(10);
    expect(tasks.map(({ file }) => file)).toEqual(tasks.map(({ task }) => `${task.name}.yaml`));
  });

  test("that cannot be done have no solution, and all others have one", () => {
    const names = tasks.flatMap(({ task }) => (task.solution === undefined ? [task.name] : []));
    expect(names).toEqual(["find-what-is-lost", "read-what-is-hidden", "reach-what-is-down"].sort());
  });

  describe.each(tasks.map(({ task }) => [task.name, task] as const))("%s", (_name, task) => {
    test("is not done before anyone has done it, and is done by its solution", async () => {
      await using directory = await temporaryDirectory();
      const bash = await placeOf(task, directory);
      expect(await bash(task.verify)).not.toBeNull();
      if (task.solution === undefined) return;
      expect(await bash(task.solution)).toBeNull();
      expect(await bash(task.verify)).toBeNull();
      expect(await bash(task.verify), "looking changes nothing").toBeNull();
    });

    test("has a solution that the guard lets run, and makes a contract", () => {
      const directory = "/srv/eval/task";
      const { verdict } = inspect(task.solution ?? "", { home: "/home/op", cwd: directory, env: {} });
      expect(verdict).toBe("allow");
      const contract = contractOf(task, {
        directory,
        places: PLACES,
        requested_at: "2026-03-06T09:00:00Z",
        backend: "plain",
      });
      expect(TaskContract.parse(contract)).toEqual(contract);
    });
  });
});

describe("a task", () => {
  const base = { name: "t", goal: "g", success_criteria: ["c"], verify: "true" };

  test.each(["/etc/passwd", "../../out", "a/../../b", "a/./b", "a//b", "a/", ".."])(
    "with the file %j is none: it would lie elsewhere",
    (path) => {
      expect(EvalTask.safeParse({ ...base, files: { [path]: "" } }).success).toBe(false);
    },
  );

  test("may have files below it with any name", () => {
    expect(EvalTask.safeParse({ ...base, files: { "a b/.env": "x", "..a/b..": "x" } }).success).toBe(true);
  });

  test("whose setup fails says what it said", async () => {
    const task = EvalTask.parse({ ...base, setup: "echo 'no such disk' >&2; false; true" });
    await using directory = await temporaryDirectory();
    await expect(placeOf(task, directory)).rejects.toMatchObject({
      code: "input_invalid",
      message: "The setup of t fails: it ended with 1: no such disk\n",
    });
  });
});
