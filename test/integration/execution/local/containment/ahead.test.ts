// Commands that were started ahead: what they are and see is what those are and see that are started when they are wanted.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createHidingSpawn, hidingBinds } from "../../../../../src/execution/local/confinement/hiding.ts";
import { createGroupContainment } from "../../../../../src/execution/local/containment/group-containment.ts";
import { createNamespaceContainment } from "../../../../../src/execution/local/containment/namespace-containment.ts";
import { baseEnvironment } from "../../../../../src/execution/local/environment.ts";
import { createRunCommand, type ShellCommand } from "../../../../../src/execution/local/run-command.ts";
import { canSandbox } from "../a-command.ts";
import { MODES } from "../confinement/confined-commands.ts";

const directory = mkdtempSync(join(tmpdir(), "orch-ahead-"));
const hidden = join(directory, "hidden");
const cwd = join(directory, "place of\nwork");
for (const path of [hidden, cwd]) mkdirSync(path);
symlinkSync("loop", join(directory, "loop"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const env = {
  ...baseEnvironment({ home: directory }),
  ORCH_PAYLOAD: '{"a":"line one\\nline two","b":"$(id) `id` \\\\"}',
  ORCH_TARGET_ODD: "\u00e9 = 'x' \" \t\n",
  ORCH_TARGET_EMPTY: "",
};
/** `ahead` is false for what is not given to one that waits. */
type Over = Partial<ShellCommand> & { readonly ahead?: false };

const inGroup = () => createGroupContainment(undefined, createHidingSpawn([hidden]));
const inNamespace = () => createNamespaceContainment(hidingBinds([hidden]));
/** What it is compared with is started without one that waits. */
const CONTAINMENTS = [
  ["a process group", MODES[0]?.fault === null, inGroup, () => createGroupContainment()],
  ["a pid namespace", canSandbox, inNamespace, inNamespace],
] as const;
type Create = (typeof CONTAINMENTS)[number][2];

/** A new runner each: its first command is started when it is wanted, and the later ones ahead. */
const runnerIn = (create: Create) => {
  const run = createRunCommand({ containment: create() });
  return async (script: string, over: Over = {}, abort = new AbortController().signal) => {
    const end = await run({ script, strict: true, cwd, env, limit_ms: 20_000, grace_ms: 500, ...over }, abort);
    if (!end.ran) return { reason: end.reason };
    const { stdout, stderr, ...ending } = end;
    return { ...ending, stdout: stdout.text, stderr: stderr.text };
  };
};

/** A runner with the two processes that wait for its orders. */
async function readyIn(create: Create, first: Over = {}) {
  const before = new Set(waitingPids());
  const run = runnerIn(create);
  await run("true", first);
  const own = () => waitingPids().filter((pid) => !before.has(pid));
  let waited: number[] = [];
  await expect
    .poll(() => {
      waited = own();
      return waited.length;
    })
    .toBe(2);
  // Until it is known which process of it waits.
  await sleep(50);
  return { run, own, waited };
}

/** Some are left out while one of them ends, so a known one is looked at by its number. */
const children = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean);
/** Those that are still on their way too. */
afterEach(async () => {
  for (let quiet = 0; quiet < 3; quiet += 1) {
    for (const pid of children()) {
      process.kill(Number(pid), "SIGKILL");
      quiet = 0;
    }
    await sleep(40);
  }
});

const waitingPids = (): number[] => children().map(Number).filter(isWaiting);

function isWaiting(pid: number): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    // While nsenter becomes what waits, it has no words for a moment.
    const begun = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8") !== "";
    return begun && words.includes("sub take") && !words.includes("nsenter");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

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
  ["touch made", { cwd: join(directory, "missing"), ahead: false }],
  ["touch made", { cwd: join(directory, "loop"), ahead: false }],
  ["sleep 30", { limit_ms: 300 }],
  [`printf %s "${"x".repeat(100_000)}" | wc -c`, { ahead: false }],
];

describe.each(CONTAINMENTS)("in %s a command that was started ahead", (_name, works, create, compared) => {
  const ready = (first?: Over) => readyIn(create, first);
  test.skipIf(!works).each(SCRIPTS.map(([script, over = {}]) => [script.slice(0, 40), script, over] as const))(
    "%j ends as one that is started when it is wanted",
    async (_title, script, over) => {
      const { run, waited } = await ready();
      const end = await run(script, over);
      expect(waited.filter(isWaiting)).toHaveLength(over.ahead === false ? 2 : 1);
      expect(end).toEqual(await runnerIn(over.ahead === false ? create : compared)(script, over));
    },
  );

  test.skipIf(!works)("takes its environment and its directory from its order alone", async () => {
    const { run } = await ready({ env: { ...env, LEFT: "over" } });
    const { stdout } = (await run("env; pwd", { cwd: "/" })) as { stdout: string };
    expect(stdout).not.toContain("LEFT");
    expect(stdout.trimEnd().endsWith("\n/")).toBe(true);
  });

  test.skipIf(!works)("is replaced when it is ended while it waits", async () => {
    const { run, own } = await ready();
    for (const pid of own()) process.kill(pid, "SIGKILL");
    await expect.poll(own).toEqual([]);
    expect(await run("echo there")).toMatchObject({ exit_code: 0, stdout: "there\n" });
  });
});

test.skipIf(MODES[0]?.fault !== null)(
  "what waits ends with the process that would give it its order, and has run nothing",
  () => {
    const module = (name: string) =>
      JSON.stringify(join(import.meta.dirname, "../../../../../src/execution/local", name));
    const program = `
    const { createHidingSpawn } = await import(${module("confinement/hiding.ts")});
    const { createGroupContainment } = await import(${module("containment/group-containment.ts")});
    const { createRunCommand } = await import(${module("run-command.ts")});
    const run = createRunCommand({ containment: createGroupContainment(undefined, createHidingSpawn([${JSON.stringify(hidden)}])) });
    const order = { script: "true", strict: true, cwd: "/", env: { PATH: "/usr/bin:/bin" }, limit_ms: 9000, grace_ms: 100 };
    await run(order, new AbortController().signal);
    setTimeout(() => {
      console.log(require("node:fs").readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim());
      process.kill(process.pid, "SIGKILL");
    }, 1500);
  `;
    const script = `const { createRequire } = await import("node:module"); const require = createRequire("/"); ${program}`;
    let printed = "";
    try {
      execFileSync(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    } catch (error) {
      printed = String((error as { stdout: Buffer }).stdout).trim();
    }
    const pids = printed.split(" ").filter(Boolean);
    const isAlive = (pid: string) => {
      try {
        return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
      } catch {
        return false;
      }
    };
    return expect.poll(() => pids.filter(isAlive)).toEqual([]);
  },
);
