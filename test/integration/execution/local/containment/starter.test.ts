// Commands that the starter has started are and see what those are and see that are children of their runner.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { STARTER } from "../../../../../src/execution/local/containment/starter-script.ts";
import { canSandbox } from "../a-command.ts";
import { none, type Over, openPlaces, startersFromNow } from "./a-starter.ts";

const { directory, hidden, env, containments, runnerIn } = openPlaces();

const SCRIPTS: readonly (readonly [script: string, over?: Over])[] = [
  ["env -0 | sort -z | tr '\\0' '|'"],
  ["tr '\\0' '|' < /proc/self/environ | tr '|' '\\n' | sort"],
  ["pwd; pwd -P; declare -p PWD OLDPWD"],
  ['echo "$0 $- $# $SHLVL $LINENO $_ [$*] $BASHOPTS $SHELLOPTS"'],
  ["tr '\\0' '|' < /proc/$$/cmdline"],
  ["cat /proc/self/limits; umask; ulimit -a"],
  ["grep -E '^(SigBlk|SigIgn|SigCgt|Cap|NoNew|Seccomp|Groups|Uid|Gid)' /proc/self/status"],
  ["ls /proc/$$/fd"],
  ["readlink /proc/$$/fd/0 /proc/self/root /proc/self/cwd"],
  ["read -r line || echo none; cat"],
  ["[ \"$(ps -o pgid= -p $$ | tr -d ' ')\" = $$ ] && echo leads"],
  ["locale; printf '%s' \u00e9 | wc -m"],
  ["exit 7"],
  ["false; echo no"],
  ["echo $unset"],
  ["false | true"],
  ["false | true", { strict: false }],
  ["kill -9 $$"],
  ["kill -TERM $$; sleep 5"],
  ["trap 'echo bye' EXIT; trap -p; exit 3"],
  ["printf 'out'; printf 'err' >&2; exit 130"],
  ["yes | head -n 1"],
  ["exec -a other bash -c 'echo $0'"],
  ["if then"],
  ["echo one\necho $LINENO; caller; echo 'a\\0b'"],
  ["no-such-program"],
  ["sleep 30", { limit_ms: 300 }],
  [`printf %s "${"x".repeat(100_000)}" | wc -c`],
];

describe.each(containments)("in %s a command that the starter has started", (_name, works, create) => {
  test.skipIf(!works).each(SCRIPTS.map(([script, over = {}]) => [script.slice(0, 40), script, over] as const))(
    "%j ends as one that is a child of its runner",
    async (_title, script, over) => {
      expect(await runnerIn(create)(script, over)).toEqual(await runnerIn(create, none)(script, over));
    },
  );

  test.skipIf(!works)("takes its environment and its directory from its order alone", async () => {
    const run = runnerIn(create);
    await run("true", { env: { ...env, LEFT: "over" } });
    const { stdout } = (await run("env; pwd", { cwd: "/" })) as { stdout: string };
    expect(stdout).not.toContain("LEFT");
    expect(stdout.trimEnd().endsWith("\n/")).toBe(true);
  });

  test.skipIf(!works)("ends as it should beside many others, and their output is not mixed", async () => {
    const run = runnerIn(create);
    const one = async (number: number) => {
      const gate: Over = number % 3 === 0 ? { allowed: sleep(number % 7, true) } : {};
      const script = `for n in {1..200}; do echo "${number} $n"; done; echo "${number}" >&2; exit ${number}`;
      const { exit_code, stdout, stderr } = (await run(script, gate)) as {
        [key in "exit_code" | "stdout" | "stderr"]: unknown;
      };
      const lines = Array.from({ length: 200 }, (_, at) => `${number} ${at + 1}\n`).join("");
      expect({ exit_code, stdout, stderr }).toEqual({ exit_code: number, stdout: lines, stderr: `${number}\n` });
    };
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 40 }, (_, at) => one(at + 1)));
  });

  test.skipIf(!works)("runs once when it has waited at its gate, however soon it ends", async () => {
    const run = runnerIn(create);
    const made = join(directory, `made-${create.name}`);
    const one = (number: number) => run(`echo ${number} >> ${made}`, { allowed: sleep(5 + (number % 3), true) });
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, at) => one(round * 10 + at)));
    const lines = readFileSync(made, "utf8").trim().split("\n").map(Number);
    expect(lines.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, at) => at));
  });

  test.skipIf(!works)(
    "is never lost where commands work in several directories of what is hidden, and none is left",
    async () => {
      const places = ["a", "b"].map((name) => join(hidden, `${create.name}-${name}`));
      for (const place of places) mkdirSync(place, { recursive: true });
      const startersNow = startersFromNow();
      const run = runnerIn(create);
      for (let round = 0; round < 5; round += 1) {
        const ends = await Promise.all([...places, ...places].map((place) => run("pwd", { cwd: place })));
        expect(ends.map((end) => "stdout" in end && end.stdout)).toEqual([...places, ...places].map((at) => `${at}\n`));
      }
      await expect.poll(() => startersNow().length).toBeLessThanOrEqual(4);
    },
  );

  test.skipIf(!works)("is in its directory when that was made anew", async () => {
    const place = join(hidden, `${create.name}-anew`);
    const run = runnerIn(create);
    for (const name of ["one", "two"]) {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
      expect(await run(`touch ${name}; ls`, { cwd: place })).toMatchObject({ stdout: `${name}\n`, stderr: "" });
      expect(existsSync(join(place, name))).toBe(true);
    }
  });

  test.skipIf(!works)("has nothing open of what runs beside it", async () => {
    const run = runnerIn(create);
    // The process that waits for a command closes its own part of what is open while the command begins.
    const open =
      'last=; now=; until now=$(ls /proc/$PPID/fd | wc -l); [ $now = "$last" ]; do last=$now; sleep 0.2; done; echo $now';
    const alone = await run(open);
    expect(alone).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    const beside = Array.from({ length: 5 }, () => run("sleep 2"));
    await sleep(200);
    expect(await run(open)).toEqual(alone);
    await Promise.all(beside);
  });

  test.skipIf(!works).each(["missing", "loop"])("does not run where its directory is %s", async (name) => {
    const place = join(directory, name);
    expect(await runnerIn(create)("touch made", { cwd: place })).toMatchObject({
      reason: expect.stringContaining(`there is no directory ${place}`),
    });
  });

  test.skipIf(!works)("does not run where a word of it has no end", async () => {
    expect(await runnerIn(create)("true", { env: { ...env, BAD: "a\0b" } })).toMatchObject({
      reason: expect.stringContaining("ERR_INVALID_ARG_VALUE"),
    });
  });
});

test.skipIf(!canSandbox || process.getuid?.() !== 0)(
  "in a pid namespace of an account other than root too",
  async () => {
    const module = (name: string) =>
      JSON.stringify(join(import.meta.dirname, "../../../../../src/execution/local", name));
    const script = `
    const { createNamespaceContainment } = await import(${module("containment/namespace-containment.ts")});
    const { createRunCommand } = await import(${module("run-command.ts")});
    const script = "id; id -G; grep -E '^(SigIgn|Cap|NoNew|Seccomp|Groups|Uid|Gid)' /proc/self/status; ls /proc/$$/fd; cat /proc/1/comm";
    const order = { script, strict: true, cwd: "/", env: { PATH: "/usr/bin:/bin" }, limit_ms: 9000, grace_ms: 100 };
    const none = () => ({ start: async () => null, prepare: () => undefined, rest: () => undefined, close: () => undefined });
    for (const keep of [undefined, none]) {
      const end = await createRunCommand({ containment: createNamespaceContainment(undefined, keep) })(order, new AbortController().signal);
      console.log(JSON.stringify(end.stdout.text));
    }
  `;
    const as_another = ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"];
    const node = [process.execPath, "--input-type=module", "-e", script];
    const [started = "", child] = execFileSync("setpriv", [...as_another, ...node], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(started).toContain(STARTER);
    expect(started.replace(STARTER, "bash")).toBe(child);
  },
);
