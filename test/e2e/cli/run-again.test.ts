// `orch run --id X` again: the same words are the same task, and other words are another contract.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cliOf } from "../../support/cli-process.ts";
import { type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { fileServers } from "../bad-input/sound-server.ts";

const { startServer } = fileServers();
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let orch: OrchProcess;
beforeAll(async () => {
  directory = await temporaryDirectory();
  orch = await startServer({ data_dir: directory.path });
});
afterAll(async () => {
  await orch.kill("SIGTERM");
  await directory[Symbol.asyncDispose]();
});

const run = (...words: string[]) =>
  cliOf(orch)(["run", ...words, "--mode", "known_only", "--json"], { cwd: directory.path, env: { USER: "me" } });

describe("orch run again with the same id (promises 4.11)", () => {
  test.each([
    ["a", ["deploy", "service=web"], ["deploy", "service=web"], 0],
    ["b", ["deploy", "service=web", "compose_dir=/srv/w"], ["deploy", "compose_dir=/srv/w/", "service=web"], 0],
    ["c", ["deploy", "--criterion", "it answers"], ["deploy", "--criterion", "it answers"], 0],
    ["d", ["deploy", "--payload", "n=1", "--minutes", "3"], ["deploy", "--minutes", "3", "--payload", "n=1"], 0],
    ["e", ["deploy", "service=web"], ["deploy", "service=db"], 1],
    ["f", ["deploy"], ["deploy", "--minutes", "3"], 1],
    ["g", ["deploy", "--criterion", "a"], ["deploy", "--criterion", "b"], 1],
  ])("%s: %j and %j", async (id, first, second, differs) => {
    const one = await run(...first, "--id", id);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const other = await run(...second, "--id", id);
    expect(JSON.parse(one.stdout)).toMatchObject({ task_id: id });
    if (differs === 0) expect(JSON.parse(other.stdout), other.stderr).toMatchObject({ task_id: id });
    else expect(other.stdout + other.stderr).toContain("task_exists");
  });
});
