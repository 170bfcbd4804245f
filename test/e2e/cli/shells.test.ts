// The program with pipes, signals, shells and their completion.
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { cliEnvironment, ORCH, runCli } from "../../support/cli-process.ts";
import { type OrchProcess, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { fileServers } from "../bad-input/sound-server.ts";

const { startServer } = fileServers();

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: OrchProcess;
let bin: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startServer({ data_dir: directory.path });
  bin = join(directory.path, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "orch"), `#!/bin/sh\nexec ${process.execPath} ${ORCH} "$@"\n`);
  chmodSync(join(bin, "orch"), 0o755);
});
afterAll(async () => {
  expect(await server.kill("SIGTERM")).toBe(0);
  await directory[Symbol.asyncDispose]();
});

const bash = async (script: string) => {
  const env = cliEnvironment({ ORCH_URL: server.url, ORCH_TOKEN: TOKEN });
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], {
    cwd: directory.path,
    env: { ...env, PATH: `${bin}:${env.PATH}` },
  });
  return { stdout, stderr };
};

describe("in a pipe", () => {
  test("a reader that closes the pipe ends the program quietly", async () => {
    for (const task_id of Array.from({ length: 40 }, (_, at) => `t-${at}`))
      await server.post("/v1/tasks", contractBody({ task_id }));
    expect(await bash("orch tasks --json | head -c 1")).toEqual({ stdout: "{", stderr: "" });
    const followed = bash("orch messages --follow | head -1");
    const isOver = followed.then(() => true);
    // The program notices the closed pipe when it writes next.
    for (let at = 40; !(await Promise.race([isOver, sleep(200, false)])); at++)
      await server.post("/v1/tasks", contractBody({ task_id: `t-${at}` }));
    expect((await followed).stderr).toBe("");
  });

  test("an answer that is not read is no success", async () => {
    const unread = "{ sleep 0.5; orch tasks --all; echo $? > exit; } | true; cat exit";
    expect(await bash(unread)).toEqual({ stdout: "141\n", stderr: "" });
  });

  test("an answer that cannot be written is a fault, reported in one sentence", async () => {
    expect(await bash("orch tasks --json > /dev/full; echo $?")).toEqual({
      stdout: "70\n",
      stderr: expect.stringMatching(/^error: the answer cannot be written: ENOSPC.*\n$/),
    });
  });

  test("the exit code reports the error when no output can be written", async () => {
    expect(await bash("orch task nosuch 2> /dev/full; echo $?")).toEqual({ stdout: "5\n", stderr: "" });
    const closed = "{ sleep 0.5; orch --url http://127.0.0.1:9 tasks 2>&1; echo $? > exit; } | true; cat exit";
    expect(await bash(closed)).toEqual({ stdout: "6\n", stderr: "" });
  });

  test("there are no colours; FORCE_COLOR switches them on, and NO_COLOR switches them off", async () => {
    expect((await bash("orch tasks")).stdout).not.toContain("\u001b");
    expect((await bash("FORCE_COLOR=1 orch tasks")).stdout).toContain("\u001b[");
    expect((await bash("NO_COLOR=1 orch task t-1")).stdout).not.toContain("\u001b");
  });
});

test("Ctrl-C ends the program with exit code 130", async () => {
  const { stdout } = await bash(
    "orch messages --follow > seen & until test -s seen; do sleep 0.1; done; kill -INT $!; wait $!; echo $?",
  );
  expect(stdout).toBe("130\n");
}, 30_000);

describe("completion", () => {
  test.each(["bash", "zsh", "fish", "powershell"])("has a script for %s", async (shell) => {
    const { exit, stdout } = await runCli(["complete", shell]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/complete '?--/) });
  });

  test("prints a script for bash that bash accepts", async () => {
    const { stdout } = await runCli(["complete", "bash"]);
    execFileSync("bash", ["-n"], { input: stdout });
  });

  /** What bash offers for these typed words, split as readline splits them. */
  const offered = async (words: readonly string[]) => {
    const typed = words.map((word) => `'${word}'`).join(" ");
    const script = `source <(orch complete bash) || exit
      complete -p orch
      COMP_WORDS=(orch ${typed}); COMP_CWORD=${words.length}
      _orch
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const [registered, ...values] = (await bash(script)).stdout.trimEnd().split("\n");
    expect(registered).toBe("complete -o default -F _orch orch");
    return values.filter(Boolean);
  };

  test("works in a real bash", async () => {
    expect(await offered(["appr"])).toEqual(["approvals", "approve"]);
    expect(await offered(["sop", ""])).toEqual(["show", "diff", "export", "import", "propose", "copy", "rollback"]);
    expect(await offered(["tasks", "--status", "=", "need_"])).toEqual(["need_input", "need_approval"]);
    expect(await offered(["submit", ""])).toEqual([]);
  });

  test("runs nothing that was typed", async () => {
    await offered(["task", "$(touch evil)", "`touch evil`", ";touch evil", "--"]);
    expect((await bash("ls evil 2>&1 || true")).stdout).toContain("No such file");
  });
});

test("a list loads no module of the server", async () => {
  const loaded = join(directory.path, "loaded.mjs");
  writeFileSync(
    loaded,
    `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
     registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + "\\n"); return next(url, context); } });`,
  );
  const { stdout } = await bash(
    `export LOADED=$PWD/urls; ${process.execPath} --import ${loaded} ${ORCH} tasks > /dev/null; cat urls`,
  );
  expect(stdout).toContain("src/cli/commands/tasks.ts");
  expect(stdout).not.toMatch(
    /@langchain|prisma|express|pino|src\/main\.ts|src\/(api\/http|store|execution|dispatch)\/|@modelcontextprotocol/,
  );
});
