// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash spells its variables that way
// Shells that wait at a gate: what runs after it is what any command runs, and nothing runs before it (D-310).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { atGate } from "../../../../../src/execution/local/containment/gate.ts";
import type { Ends } from "../../../../support/gated-process.ts";
import { home, inEachContainment } from "../a-command.ts";
import { LOOKS_AT_ITSELF, script } from "./gate-scripts.ts";

const ROOT = join(import.meta.dirname, "../../../../..");
const directory = mkdtempSync(join(tmpdir(), "orch-gate-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** They may do anything: the machine is read-only in there, without network, devices and other processes. */
const JAIL = [
  ...["--ro-bind", "/", "/", "--tmpfs", "/tmp", "--dev", "/dev", "--proc", "/proc"],
  ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"],
];
const canJail = existsSync("/usr/bin/bwrap");

function endsOf(scripts: readonly string[]): Ends[] {
  const file = join(directory, "scripts.json");
  writeFileSync(file, JSON.stringify(scripts));
  const program = join(ROOT, "test/support/gated-process.ts");
  const shown = [
    "--ro-bind",
    file,
    "/tmp/scripts.json",
    ...(ROOT.startsWith("/tmp/") ? ["--ro-bind", ROOT, ROOT] : []),
  ];
  const args = [...JAIL, ...shown, "--", process.execPath, program, "/tmp/scripts.json"];
  const options = { stdio: ["ignore", "pipe", "inherit"] as const, maxBuffer: 2 ** 28 };
  return JSON.parse(execFileSync("/usr/bin/bwrap", args, { ...options, stdio: [...options.stdio] }).toString());
}

/** Those that end in the same way twice, and are for the gate. */
const comparable = (scripts: readonly string[]) =>
  endsOf(scripts).flatMap(({ plain, again, gated }, at) =>
    gated !== null && JSON.stringify(plain) === JSON.stringify(again) ? [{ script: scripts[at], plain, gated }] : [],
  );

const labelled = (name: string): string[] =>
  readFileSync(join(ROOT, "test/guard", name), "utf8")
    .trim()
    .split("\n")
    .map((line): string => JSON.parse(line).command);

/** Evenly over the files; at night 200 of them can be compared. */
const EVERY = process.env["ORCH_TESTS"] === "all" ? 44 : 264;

function sampled(): string[] {
  const all = ["labelled-benign.jsonl", "labelled-blocked.jsonl", "diagnostic.jsonl"].flatMap(labelled);
  return all.filter((script, at) => at % EVERY === 0 && !/\b(?:docker|sleep|watch)\b/.test(script));
}

test.skipIf(!canJail)("scripts of the labelled files end as without a gate", { timeout: 180_000 }, () => {
  const compared = comparable(sampled());
  expect(compared.length).toBeGreaterThanOrEqual(8_800 / EVERY);
  for (const { script, plain, gated } of compared) expect({ script, ...gated }).toEqual({ script, ...plain });
});

test.skipIf(!canJail)("a script finds its shell as it is without a gate", () => {
  const compared = comparable(LOOKS_AT_ITSELF);
  expect(compared.map(({ script }) => script)).toEqual([...LOOKS_AT_ITSELF]);
  for (const { script, plain, gated } of compared) expect({ script, ...gated }).toEqual({ script, ...plain });
});

test.skipIf(!canJail)("generated scripts end as without a gate", { timeout: 180_000 }, () => {
  const count = process.env["ORCH_TESTS"] === "all" ? 300 : 60;
  const compared = comparable(fc.sample(script, count));
  expect(compared.length).toBeGreaterThan(count / 2);
  for (const { script: one, plain, gated } of compared) expect({ one, ...gated }).toEqual({ one, ...plain });
});

test("a script that looks at texts of processes is not for the gate", () => {
  for (const one of [
    "ps aux",
    "! pgrep -f orch",
    "tr '\\0' ' ' < /proc/$$/cmdline",
    "killall nginx",
    "declare -p",
    "set | grep x",
    "(set)",
    "declare",
    "x=$(typeset)",
    "compgen -v",
  ])
    expect(atGate(one)).toBeNull();
  expect(atGate("psql -c 'select 1'")).not.toBeNull();
});

test("a list that may be a job is not for the gate: what follows the job would not wait for it", () => {
  for (const one of ["true && true & touch made", "true && echo \\>&1 touch made", "a || b &", "a &\nb && c"])
    expect(atGate(one)).toBeNull();
  for (const one of ["a && b 2>&1", "a |& b && c", "a &> /dev/null || b", "a & b"]) expect(atGate(one)).not.toBeNull();
});

inEachContainment(({ run, ran }) => {
  describe("a command at its gate", () => {
    const made = () => existsSync(join(home(), "made"));

    test("runs nothing before it is allowed", async () => {
      await ran("true");
      await sleep(300);
      const { promise: allowed, resolve } = Promise.withResolvers<boolean>();
      const end = run("touch made; echo $SECONDS", { allowed });
      await sleep(1_200);
      expect(made()).toBe(false);
      resolve(true);
      expect(await end).toMatchObject({ ran: true, exit_code: 0, stdout: { text: "0\n" } });
      expect(made()).toBe(true);
    });

    test("runs nothing when it is not allowed", async () => {
      await ran("true");
      await sleep(300);
      const { promise: allowed, resolve } = Promise.withResolvers<boolean>();
      const end = run("touch made", { allowed });
      await sleep(100);
      resolve(false);
      expect(await end).toMatchObject({ ran: false });
      await sleep(100);
      expect(made()).toBe(false);
    });

    test.each(["stopped before", "stopped while it is allowed"])("runs nothing when it is %s", async (when) => {
      await ran("true");
      const abort = new AbortController();
      const { promise: allowed, resolve } = Promise.withResolvers<boolean>();
      // What SIGTERM does not end would go on until the grace period is over.
      const end = run("trap '' TERM; touch made", { allowed }, abort.signal);
      await sleep(100);
      if (when === "stopped before") abort.abort();
      resolve(true);
      abort.abort();
      expect(await end).toEqual({ ran: false, reason: "it was not allowed to run" });
      expect(made()).toBe(false);
    });

    test("has its time limit from when it is allowed", async () => {
      await ran("true");
      const { promise: allowed, resolve } = Promise.withResolvers<boolean>();
      const end = run("sleep 0.2; echo done", { allowed, limit_ms: 1_500 });
      await sleep(1_600);
      resolve(true);
      expect(await end).toMatchObject({ stopped: null, stdout: { text: "done\n" } });
    });

    test("is stopped like any other", async () => {
      await ran("true");
      const end = await run("sleep 30", { allowed: Promise.resolve(true), limit_ms: 200, grace_ms: 100 });
      expect(end).toMatchObject({ ran: true, stopped: "time_limit" });
    });
  });
});

test("a shell that waits ends with the process that would open its gate, and has run nothing", async () => {
  const module = (path: string) => JSON.stringify(join(ROOT, "src/execution/local", path));
  const program = `
    const { createRunCommand } = await import(${module("run-command.ts")});
    const order = { script: "touch made", strict: true, cwd: ${JSON.stringify(directory)}, env: { PATH: "/usr/bin:/bin" } };
    const never = new Promise(() => {});
    void createRunCommand()({ ...order, limit_ms: 9000, grace_ms: 100, allowed: never }, new AbortController().signal);
    setTimeout(() => console.log("waits"), 500);
    setTimeout(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const shells = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
  expect(shells).toHaveLength(1);
  child.kill("SIGKILL");
  await expect
    .poll(() => existsSync(`/proc/${shells[0]}/cmdline`) && readFileSync(`/proc/${shells[0]}/cmdline`, "utf8"))
    .toBeFalsy();
  expect(existsSync(join(directory, "made"))).toBe(false);
});
