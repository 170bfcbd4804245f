// What the flow's script makes of commands, checks and waits is what the local backend makes of them: how they end, where
// they run and what they see.
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, cmd, wait } from "../../support/builders.ts";
import { expectSame } from "./differential.ts";

describe.concurrent("a run", () => {
  test("passes with steps of all kinds", async () => {
    const output = await expectSame({
      steps: [cmd("echo one"), check("test -d ."), wait("10ms"), cmd("echo two >&2")],
    });
    expect(output).toMatchObject({ ok: true, summary: "4 steps passed" });
  });

  test.each([
    ["one step", [cmd("true")]],
    ["a cmd that fails", [cmd("echo one"), cmd("echo oh >&2; exit 3"), cmd("echo three")]],
    ["a check that fails", [check("false; exit 7"), cmd("true")]],
    ["a wait that is no duration", [{ kind: "wait" as const, value: "soon" }]],
    ["a wait that is too long", [{ kind: "wait" as const, value: "2h" }]],
    ["waits in each unit", [wait("1.5ms"), wait("0.01s"), wait("0.001m"), wait("0h")]],
    ["files left for later steps", [cmd("echo x > f"), cmd("cat f"), check("test -s f")]],
  ])("can consist of %s", async (_what, steps) => {
    await expectSame({ steps });
  });
});

describe.concurrent("a script", () => {
  test.each([
    "false; echo after",
    "false || true; echo after",
    "if false; then :; fi; echo after",
    "echo $ORCH_NO_SUCH_VARIABLE",
    "test -v ORCH_NO_SUCH_VARIABLE || echo none",
    "false | true",
    "true | false | cat",
    "yes | head -n1",
    "set +e; false; echo after",
    "(exit 4); echo after",
    "f() { false; echo in; }; f || echo out",
    "cd /no/such/place",
    "no_such_program",
    "exec /no/such/program",
    "exec /etc/passwd",
    "echo one; echo 'unfinished",
    "echo a\necho b\nif true; then",
    "echo a\necho $(( 1 +",
    "shopt -s extglob\nls !(x) >/dev/null && echo ok",
    "cat <<X\nno end",
    "for i in 1 2 3\ndo echo $i\ndone\n",
    "trap 'echo bye' EXIT; echo hi",
    "trap 'echo bye; exit 5' EXIT; false",
    "exit 300",
    "return 3",
    "exec >&-; echo lost",
    "exec 2>&1; echo both; no_such_program",
    "read -r line; echo never",
    "cat; echo done",
    "sudo_none() { return 126; }; sudo_none",
    "kill -0 $$ && echo alive",
    "echo $0 $# $- $SHLVL; umask; pwd",
    "[[ $- == *i* ]] || echo not interactive; shopt login_shell",
  ])("as a cmd and as a check: %j", async (script) => {
    await expectSame({ steps: [cmd(script)] });
    await expectSame({ steps: [check(script), cmd("true")] });
  });
});

describe.concurrent("an ending", () => {
  test.each([0, 1, 2, 77, 126, 127, 128, 129, 130, 137, 141, 143, 255])("with exit code %i", async (code) => {
    await expectSame({ steps: [cmd(`echo out; exit ${code}`), cmd("true")] });
  });

  test.each("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL SEGV PIPE ALRM TERM USR1".split(" "))("by SIG%s", async (name) => {
    await expectSame({ steps: [cmd(`echo out; echo -n err >&2; kill -${name} $$; sleep 0.5`)] });
  });

  test("by a signal to its whole group", async () => {
    await expectSame({ steps: [cmd("sleep 5 & kill -KILL -- -$$")] });
  });

  test.each([
    ["by the signal", "echo up; sleep 60"],
    ["with an exit code of its own", "trap 'echo tidy; exit 0' TERM; echo up; sleep 60 & wait"],
    ["though bash has ended, with its children", "bash -c 'trap \"sleep 0.2; echo tidy\" TERM; sleep 60 & wait'; true"],
    ["with a background job", "sleep 60 & echo up; wait"],
    ["in a loop", "while :; do echo tick; sleep 10; done"],
    ["with its last line unfinished", "printf out; printf err >&2; sleep 60"],
  ])("at its time limit, %s", async (_how, script) => {
    const output = await expectSame({ steps: [cmd(script), cmd("true")], limit_ms: 600 });
    expect(output.step_results).toMatchObject([{ timed_out: true }]);
  });

  test("at its time limit, by SIGKILL", async () => {
    await expectSame({
      steps: [check("trap '' TERM; echo up; while :; do sleep 0.1; done")],
      limit_ms: 300,
      grace_ms: 200,
    });
  });

  test.each([
    "sleep 60 >/dev/null 2>&1 & echo up",
    "sleep 60 & echo up",
    "bash -c 'nohup sleep 60 >/dev/null 2>&1 &'; echo up",
    "(sleep 60 & sleep 60) & echo up; exit 3",
    "exec > >(sleep 0.05; sed s/a/b/); echo a",
    "setsid sleep 0.7 & echo up",
  ])("that leaves a process: %s", async (script) => {
    await expectSame({ steps: [cmd(script), cmd("jobs; echo next")] });
  });
});

describe.concurrent("the surroundings", () => {
  const furnish = async (home: string) => {
    await mkdir(join(home, "stack"));
    await mkdir(join(home, "größe 漢"));
    await symlink("stack", join(home, "link"));
    await symlink("loop", join(home, "loop"));
  };

  test.each([
    "$HOME/stack/../link",
    "$HOME/größe 漢",
    "$HOME/missing",
    "$HOME/loop",
    "relative",
    "",
    `/${"x".repeat(300)}`,
    "/tmp/a\"b'c\n",
  ])("are the directory %j", async (compose_dir) => {
    const steps = [cmd('pwd; echo "$PWD"'), cmd("rmdir ../stack || true"), check("test -d /")];
    await expectSame({ steps, target: { compose_dir }, furnish });
  });

  test.each<[string, Record<string, unknown>]>([
    ["every kind of character", { größe: "漢字 😀 \u2028 \n\t \" ' \\ $(id) `id` \u0001 \ud83d" }],
    ["numbers", { n: [1e21, 1e-7, 0.1, -0, 123456789012345680000, 5e-324] }],
    ["as much as it can", { text: "x".repeat(130_000) }],
    ["too much", { text: "x".repeat(140_000) }],
  ])("are a payload with %s", async (_what, payload) => {
    await expectSame({ steps: [cmd('printf %s "$ORCH_PAYLOAD"; env -0 | sort -z | head -c 500')], payload });
  });

  test("are those of a process with its own group, no input, and the signals as they were", async () => {
    const script = `ps -o pid=,pgid=,sid= -p $$ | awk '{ print ($1 == $2), ($2 == $3) }'; cat; tty
ls /proc/self/fd | wc -l; grep -E '^(Sig(Blk|Ign)|Cap|Seccomp)' /proc/self/status; stat -Lc %F /dev/std{in,out,err}
ulimit -a; umask; shopt; set -o; trap -p; tr '\\0' ' ' </proc/$$/cmdline`;
    await expectSame({ steps: [cmd(`${script}; true`), check(script)] });
  });
});
