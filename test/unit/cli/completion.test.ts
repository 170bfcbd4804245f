import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/table/commands.ts";
import { runInProcess } from "../../support/cli-in-process.ts";

const NO_FILES = ":4";
const FILES = ":0";

async function completed(...words: string[]): Promise<{ values: string[]; directive: string | undefined }> {
  const { exit, stdout } = await runInProcess(["complete", "--", ...words]);
  expect(exit).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  return { values: lines.slice(0, -1).map((line) => line.split("\t")[0] ?? ""), directive: lines.at(-1) };
}

describe("completion", () => {
  test("offers every command for an empty line, each with a description", async () => {
    const { values, directive } = await completed("");
    expect(values).toEqual(expect.arrayContaining([...new Set(COMMANDS.map(({ name }) => name.split(" ")[0]))]));
    expect(directive).toBe(NO_FILES);
    const { stdout } = await runInProcess(["complete", "--", "tasks"]);
    expect(stdout).toContain("tasks\tlist tasks, newest first\n");
  });

  test.each([
    [["appr"], ["approvals", "approve"]],
    [
      ["sop", ""],
      ["show", "diff", "export", "import", "propose", "copy", "rollback"],
    ],
    [["sop", "ex"], ["export"]],
    [["--json", "sop", "sh"], ["show"]],
    [["--url", "tasks", "poli"], ["policy"]],
    [["tasks", "--st"], ["--status"]],
    [
      ["tasks", "--status", "need"],
      ["need_input", "need_approval"],
    ],
    [
      ["tasks", "--status=need"],
      ["need_input", "need_approval"],
    ],
    [
      ["tasks", "--status", "=", "need"],
      ["need_input", "need_approval"],
    ],
    [
      ["tasks", "--status", "="],
      ["accepted", "running", "need_input", "need_approval", "ok", "failed", "blocked", "cancelled"],
    ],
    [
      ["resolve", "t-1", ""],
      ["succeeded", "failed", "retry"],
    ],
    [["resolve", "--reason", "it is", "t-1", "s"], ["succeeded"]],
    [["task", ""], []],
    [["complete", "z"], ["zsh"]],
    [["nonsense", ""], []],
  ])("completes %j with %j", async (words, values) => {
    const found = await completed(...words);
    expect(found.values).toEqual(values);
    expect(found.directive).toBe(NO_FILES);
  });

  test.each([
    [["submit", ""]],
    [["submit", "--wait", "c"]],
    [["teach", "--task", "t-1", "./"]],
    [["explain", "c.yaml", "--steps", ""]],
    [["evidence", "t-1", "--out", ""]],
    [["evidence", ""]],
    [["sop", "import", ""]],
    [["sop", "export", "x", ""]],
    [["sop", "propose", "t-1", ""]],
    [["policy", "check", "--cwd", ""]],
  ])("offers files after %j", async (words) => {
    expect(await completed(...words)).toEqual({ values: [], directive: FILES });
  });

  test("offers the options of the command and the global ones after a hyphen", async () => {
    const { values } = await completed("task", "t-1", "--");
    expect(values).toEqual(["--wait", "--follow", "--json", "--url", "--version"]);
  });
});

test("an unknown shell is refused with the names of the known shells", async () => {
  const { exit, stderr } = await runInProcess(["complete", "tcsh"]);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("bash, zsh, fish, powershell") });
});
