// Where the flow's script runs commands, and what it tells them, is what the local backend does.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { expectSame } from "./differential.ts";

const furnish = async (home: string) => {
  await mkdir(join(home, "stack/inner"), { recursive: true });
  await mkdir(join(home, "größe 漢"));
  await writeFile(join(home, "file"), "");
  await symlink("stack", join(home, "link"));
  await symlink("loop", join(home, "loop"));
  await symlink("/", join(home, "root"));
  await writeFile(join(home, ".bashrc"), "echo bashrc");
};

describe.concurrent("the compose directory", () => {
  test.each([
    "$HOME/stack",
    "$HOME/stack/../stack/inner/",
    "$HOME/link",
    "$HOME/größe 漢",
    "$HOME/missing",
    "$HOME/file",
    "$HOME/file/below",
    "$HOME/loop",
    "$HOME/root",
    "/",
    "",
    "stack",
    "./stack",
    "~/stack",
    `/${"x".repeat(300)}`,
    "/tmp/a\"b'c\n",
  ])("is %j and gives the same result", async (compose_dir) => {
    await expectSame({ steps: [cmd('pwd; echo "$PWD $ORCH_TARGET_COMPOSE_DIR"')], target: { compose_dir }, furnish });
    await expectSame({ steps: [check("true"), cmd("touch here; ls ..")], target: { compose_dir }, furnish });
  });

  test("that vanishes between two steps", async () => {
    const steps = [cmd("rmdir ../inner"), cmd("echo never")];
    const output = await expectSame({ steps, target: { compose_dir: "$HOME/stack/inner" }, furnish });
    expect(output.step_results[1]?.stderr).toContain("there is no directory");
  });

  test("that becomes a file between two steps", async () => {
    const steps = [cmd("rmdir ../inner; touch ../inner"), cmd("echo never")];
    await expectSame({ steps, target: { compose_dir: "$HOME/stack/inner" }, furnish });
  });
});

describe.concurrent("the environment", () => {
  test("has what a step is told, and nothing else", async () => {
    const output = await expectSame({
      steps: [cmd("env | sort; declare -p | grep -Ev '(PPID|BASHPID|RANDOM|SECONDS|EPOCH[A-Z]*)='")],
      target: { service: "web", environment: "prod" },
      furnish,
    });
    expect(output.step_results[0]?.stdout).toMatch(/^USER=someone$/m);
  });

  test.each<[string, Record<string, unknown>]>([
    ["is empty", {}],
    ["has keys in any order", { b: 1, a: { d: [1, { z: 1, y: 2 }], c: null }, B: true, "10": 1, "9": 2 }],
    ["has every kind of character", { größe: "漢字 😀 \u2028 \n\t \" ' \\ $(id) `id` \u0001 \ud83d" }],
    ["has numbers", { n: [1e21, 1e-7, 0.1, -0, 123456789012345680000, 5e-324] }],
    ["is as large as can be", { text: "x".repeat(130_000) }],
    ["is too large", { text: "x".repeat(140_000) }],
    ["is deep", JSON.parse(`${'{"a":['.repeat(12)}1${"]}".repeat(12)}`)],
  ])("when the payload %s", async (_what, payload) => {
    await expectSame({ steps: [cmd('printf %s "$ORCH_PAYLOAD"')], payload });
  });

  test("has targets of any text", async () => {
    const target = { service: "we b", a_1: "$(touch x)", host: "größe 😀\n'\"", empty: "" };
    await expectSame({ steps: [cmd("env -0 | sort -z | tr '\\0' '|'; ls")], target });
  });

  test("is that of a process with its own group, no input, and the signals as they were", async () => {
    const script = `ps -o pid=,pgid=,sid= -p $$ | awk '{ print ($1 == $2), ($2 == $3) }'; cat; tty
ls /proc/self/fd | wc -l; grep -E '^(Sig(Blk|Ign)|Cap|Seccomp)' /proc/self/status; stat -Lc %F /dev/std{in,out,err}
ulimit -a; umask; shopt; set -o; trap -p; tr '\\0' ' ' </proc/$$/cmdline`;
    await expectSame({ steps: [cmd(`${script}; true`), check(script)] });
  });
});
