// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash spells its variables that way
// A launched command is, sees and does what the same bash does as a child of anything else.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { IN_PIDS } from "../../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { createRunCommand, type ShellCommand } from "../../../../local/run-command.ts";
import { createLaunch } from "../../../../sandbox/launcher.ts";
import { PLAIN_STEP, type Sandbox } from "../../../../sandbox/sandbox.ts";
import { createSpaces } from "../../../../sandbox/spaces.ts";
import { canSandbox } from "../a-command.ts";
import { MODES } from "../confinement/confined-commands.ts";
import { LOOKS_AT_ITSELF, script as someScript } from "./some-scripts.ts";

const directory = mkdtempSync(join(tmpdir(), "orch-launcher-"));
const hidden = join(directory, "hidden");
const cwd = join(directory, "place of\nwork");
for (const path of [hidden, cwd]) mkdirSync(path);
symlinkSync("loop", join(directory, "loop"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const env: Record<string, string> = {
  ...baseEnvironment({ home: directory }),
  ORCH_PAYLOAD: '{"a":"line one\\nline two","b":"$(id) `id` \\\\"}',
  ORCH_TARGET_ODD: "\u00e9 = 'x' \" \t\n",
  ORCH_TARGET_EMPTY: "",
  script: "mine",
  code: "mine",
  REPLY: "mine",
};

const CONTAINMENTS = [
  ["a process group", true, PLAIN_STEP],
  ["a process group that hides something", MODES[0]?.fault === null, { ...PLAIN_STEP, hidden: [hidden] }],
  ["a pid namespace", canSandbox, { ...IN_PIDS, hidden: [hidden] }],
] as const;

type Over = Partial<ShellCommand>;

function runnerIn(plain: Sandbox) {
  const run = createRunCommand({ plain, launch: createLaunch({ spaces: createSpaces() }) });
  return async (script: string, over: Over = {}) => {
    const order = { script, strict: true, cwd, env, limit_ms: 20_000, grace_ms: 500, ...over };
    const end = await run(order, new AbortController().signal);
    if (!end.ran) return { reason: end.reason };
    const { exit_code, signal, stdout, stderr } = end;
    return { exit_code, signal, stdout: stdout.text, stderr: stderr.text };
  };
}

/** As a child of this process. */
async function asChild(script: string, strict = true) {
  const options = strict ? ["-euo", "pipefail"] : ["-o", "pipefail"];
  const child = spawn("/bin/bash", ["--noprofile", "--norc", "-p", ...options, "-c", script], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    child.once("exit", (...end) => resolve(end)),
  );
  const [stdout, stderr, [exit_code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const isRoutine = signal === "SIGINT" || signal === "SIGPIPE";
  return isRoutine
    ? { exit_code: 128 + constants.signals[signal], signal: null, stdout, stderr }
    : { exit_code, signal, stdout, stderr };
}

const SCRIPTS: readonly (readonly [script: string, strict?: boolean])[] = [
  ...LOOKS_AT_ITSELF.map((one) => [one] as const),
  ["tr '\\0' '|' < /proc/self/environ | tr '|' '\\n' | sort"],
  ["pwd; pwd -P; declare -p PWD OLDPWD"],
  ["tr '\\0' '|' < /proc/$$/cmdline"],
  ["cat /proc/self/limits; umask; ulimit -a"],
  ["readlink /proc/$$/fd/0 /proc/self/cwd"],
  ["read -r line || echo none; cat"],
  ["locale; printf '%s' \u00e9 | wc -m"],
  ["exit 7"],
  ["exit 137"],
  ["exit 143"],
  ["false; echo no"],
  ["false | true"],
  ["false | true", false],
  ...["HUP", "ILL", "ABRT", "INT", "KILL", "PIPE", "SEGV", "TERM", "USR1"].map(
    (name) => [`kill -${name} $$; sleep 5`] as const,
  ),
  ["exec perl -e 'kill 9, $$'"],
  ["exec /no/such/program"],
  ["exec /etc/passwd"],
  ["trap 'echo bye' EXIT; trap -p; exit 3"],
  ["printf 'out'; printf 'err' >&2; exit 130"],
  ["yes | head -n 1"],
  ["exec -a other bash -c 'echo $0'"],
  ["echo one\necho $LINENO; caller; echo 'a\\0b'"],
  ["(sleep 0.1; kill -CONT $$) & kill -STOP $$; echo went on; exit 3"],
  [`printf %s "${"x".repeat(100_000)}" | wc -c`],
  ["echo the_mark_$((1 + 1)); pgrep -fc the_mark_[$]"],
];

describe.each(CONTAINMENTS)("in %s a command", (name, works, sandbox) => {
  const generated = fc.sample(someScript, process.env["ORCH_TESTS"] === "all" ? 300 : 20);
  const all = [...SCRIPTS, ...generated.map((one) => [one] as const)];
  test.skipIf(!works)("ends as a child of any process", { timeout: 180_000 }, async () => {
    const run = runnerIn(sandbox);
    for (const [script, strict = true] of all) {
      const [first, again] = [await asChild(script, strict), await asChild(script, strict)];
      // One that ends in another way each time says nothing.
      if (JSON.stringify(first) !== JSON.stringify(again)) continue;
      // What bubblewrap gives up is seen in a pid namespace.
      if (name === "a pid namespace" && script.includes("NoNew")) continue;
      const end = await run(script, { strict });
      if (end.reason === undefined) expect({ script, ...end }).toEqual({ script, ...first });
      else expect(end.reason).toContain("bash does not accept the script");
    }
  });

  test.skipIf(!works)("takes its environment and its directory from its order alone", async () => {
    const run = runnerIn(sandbox);
    await run("true", { env: { ...env, LEFT: "over" } });
    const { stdout = "" } = await run("env; pwd", { cwd: "/" });
    expect(stdout).not.toContain("LEFT");
    expect(stdout).not.toContain("LAUNCH");
    expect(stdout.trimEnd().endsWith("\n/")).toBe(true);
  });

  test.skipIf(!works)("ends as it should beside many others, and their output is not mixed", async () => {
    const run = runnerIn(sandbox);
    const one = async (number: number) => {
      const over: Over = number % 3 === 0 ? { allowed: sleep(number % 7, true) } : {};
      const script = `for n in {1..200}; do echo "${number} $n"; done; echo "${number}" >&2; exit ${number}`;
      const lines = Array.from({ length: 200 }, (_, at) => `${number} ${at + 1}\n`).join("");
      const end = { exit_code: number, signal: null, stdout: lines, stderr: `${number}\n` };
      expect(await run(script, over)).toEqual(end);
    };
    for (let round = 0; round < 2; round += 1) await Promise.all(Array.from({ length: 40 }, (_, at) => one(at + 1)));
  });

  test.skipIf(!works)("runs once when it has waited, however soon it ends", async () => {
    const run = runnerIn(sandbox);
    const made = join(directory, `made-${name}`);
    const one = (number: number) => run(`echo ${number} >> '${made}'`, { allowed: sleep(5 + (number % 3), true) });
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, at) => one(round * 10 + at)));
    const lines = readFileSync(made, "utf8").trim().split("\n").map(Number);
    expect(lines.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  });

  test.skipIf(!works)("is never lost where commands work in several directories of what is hidden", async () => {
    const places = ["a", "b"].map((one) => join(hidden, `${name}-${one}`));
    for (const place of places) mkdirSync(place, { recursive: true });
    const run = runnerIn(sandbox);
    for (let round = 0; round < 5; round += 1) {
      const ends = await Promise.all([...places, ...places].map((place) => run("pwd", { cwd: place })));
      expect(ends.map(({ stdout }) => stdout)).toEqual([...places, ...places].map((at) => `${at}\n`));
    }
  });

  test.skipIf(!works)("is in its directory when that was made anew", async () => {
    const place = join(hidden, `${name}-anew`);
    const run = runnerIn(sandbox);
    for (const file of ["one", "two"]) {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
      expect(await run(`touch ${file}; ls`, { cwd: place })).toMatchObject({ stdout: `${file}\n`, stderr: "" });
      expect(existsSync(join(place, file))).toBe(true);
    }
  });

  test.skipIf(!works)("has nothing open of what runs beside it, and nothing of its launcher", async () => {
    const run = runnerIn(sandbox);
    const beside = Array.from({ length: 5 }, () => run("sleep 1"));
    await sleep(200);
    const script = "ls /proc/$$/fd; true";
    expect(await run(script)).toEqual(await asChild(script));
    await Promise.all(beside);
  });

  test.skipIf(!works).each(["missing", "loop"])("does not run where its directory is %s", async (which) => {
    const place = join(directory, which);
    expect(await runnerIn(sandbox)("touch made", { cwd: place })).toMatchObject({
      reason: expect.stringContaining(`there is no directory ${place}`),
    });
  });

  test.skipIf(!works)("does not run where a word of it has no end", async () => {
    expect(await runnerIn(sandbox)("true", { env: { ...env, BAD: "a\0b" } })).toMatchObject({
      reason: expect.stringContaining("ERR_INVALID_ARG_VALUE"),
    });
  });
});

test.skipIf(!canSandbox || process.getuid?.() !== 0)(
  "in a pid namespace of an account other than root a command is of that account",
  () => {
    const module = (path: string) => JSON.stringify(join(import.meta.dirname, "../../../../local", path));
    const program = `
    const { PLAIN_STEP } = await import(${module("../sandbox/sandbox.ts")});
    const { createRunCommand } = await import(${module("run-command.ts")});
    const script = "id -u; id -G; grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status; cat /proc/1/comm";
    const order = { script, strict: true, cwd: "/", env: { PATH: "/usr/bin:/bin" }, limit_ms: 9000, grace_ms: 100 };
    const end = await createRunCommand({ plain: { ...PLAIN_STEP, processes: "pid_namespace" } })(order, new AbortController().signal);
    console.log(end.stdout.text);
  `;
    const as_another = ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"];
    const node = [process.execPath, "--input-type=module", "-e", program];
    const none = "0000000000000000";
    expect(
      execFileSync("setpriv", [...as_another, ...node], { encoding: "utf8" })
        .trim()
        .split(/\s+/),
    ).toEqual([
      ...["65534", "65534"],
      ...["CapInh:", none, "CapPrm:", none, "CapEff:", none, "CapAmb:", none],
      ...["orch-launcher"],
    ]);
  },
);
