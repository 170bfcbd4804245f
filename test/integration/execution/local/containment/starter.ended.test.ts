// What is left of commands, and what becomes of them, when processes between them and orch end.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { keepStarter } from "../../../../../src/execution/local/containment/starter.ts";
import { MODES } from "../confinement/confined-commands.ts";
import { below, isRunning, isStarter, openPlaces, startersFromNow } from "./a-starter.ts";

const { directory, env, hidden, containments, runnerIn } = openPlaces();

/** With one, those that it has started end too. */
const end = (pids: readonly string[]) => spawnSync("kill", ["-KILL", ...pids]);

describe.each(containments)("in %s a command", (_name, works, create) => {
  test.skipIf(!works)("finds another starter when the one before was ended between two commands", async () => {
    const startersNow = startersFromNow();
    const run = runnerIn(create);
    await run("true");
    const own = startersNow();
    expect(own.length).toBeGreaterThan(0);
    end(own);
    await expect.poll(() => own.filter(isStarter)).toEqual([]);
    await sleep(50);
    expect(await run("echo there")).toMatchObject({ exit_code: 0, stdout: "there\n" });
  });

  test.skipIf(!works).each(["parent", "process that would become it"])(
    "runs when the %s that waited for it has been ended",
    async (which) => {
      const startersNow = startersFromNow();
      const run = runnerIn(create);
      for (let round = 0; round < 3; round += 1) {
        await run("sleep 0.2");
        const waits = which === "parent" ? 1 : 0;
        const found = () => startersNow().filter((pid) => below(pid).length === waits);
        await expect.poll(() => found().length, { timeout: 5_000 }).toBe(1);
        const waiting = found();
        end(waiting);
        await expect.poll(() => waiting.filter(isStarter)).toEqual([]);
        await sleep(50);
        expect(await run("echo there")).toMatchObject({ exit_code: 0, stdout: "there\n" });
      }
    },
  );

  test.skipIf(!works)(
    "runs when its order is larger than what a stopped process that waits for it can be given",
    async () => {
      const startersNow = startersFromNow();
      const run = runnerIn(create);
      await run("sleep 0.2");
      const found = () => startersNow().filter((pid) => below(pid).length === 0);
      await expect.poll(() => found().length, { timeout: 5_000 }).toBe(1);
      const [waiting = ""] = found();
      process.kill(Number(waiting), "SIGSTOP");
      const large = {
        ...env,
        ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`V${at}`, "x".repeat(100_000)])),
      };
      expect(await run("printf %s $V7 | wc -c", { env: large })).toMatchObject({ exit_code: 0, stdout: "100000\n" });
      expect(isRunning(waiting)).toBe(false);
    },
  );

  test.skipIf(!works)("does not go on when its starter is ended while it is started", async () => {
    const made = join(directory, `survivor-${create.name}`);
    for (let round = 0; round < 6; round += 1) {
      const startersNow = startersFromNow();
      const run = runnerIn(create);
      await run("true");
      const runs = Array.from({ length: 20 }, () => run(`sleep 0.5; touch ${made}`));
      await sleep(2 + round * 4);
      // The starter itself, and not what waits for a command.
      const own = startersNow();
      const below_one = new Set(own.flatMap(below));
      end(own.filter((one) => !below_one.has(one)));
      await Promise.allSettled(runs);
    }
    await sleep(1_000);
    expect(existsSync(made)).toBe(false);
  });

  test.skipIf(!works)("has an outcome that is unknown when its starter is ended meanwhile", async () => {
    const startersNow = startersFromNow();
    const run = runnerIn(create);
    await run("true");
    const ending = expect(run("sleep 30.25; true")).rejects.toThrow("what starts the commands was lost");
    await sleep(200);
    end(startersNow());
    await ending;
  });
});

test.skipIf(MODES[0]?.fault !== null)("the starter ends with its runner, and what it has started with it", async () => {
  const module = (name: string) =>
    JSON.stringify(join(import.meta.dirname, "../../../../../src/execution/local", name));
  const script = `
    const { createHidingSpawn } = await import(${module("confinement/hiding.ts")});
    const { createGroupContainment } = await import(${module("containment/group-containment.ts")});
    const { createRunCommand } = await import(${module("run-command.ts")});
    const run = createRunCommand({ containment: createGroupContainment(undefined, createHidingSpawn([${JSON.stringify(hidden)}])) });
    const order = { strict: true, cwd: "/", env: { PATH: "/usr/bin:/bin" }, limit_ms: 9000, grace_ms: 100 };
    const abort = new AbortController().signal;
    await run({ ...order, script: "true" }, abort);
    void run({ ...order, script: "sleep 31.5; true" }, abort);
    const { readFileSync } = await import("node:fs");
    const childrenOf = (pid) => {
      try {
        return readFileSync("/proc/" + pid + "/task/" + pid + "/children", "utf8").split(" ").filter(Boolean);
      } catch {
        return [];
      }
    };
    const below = (pid) => childrenOf(pid).flatMap((one) => [one, ...below(one)]);
    setInterval(() => {
      const started = below(process.pid);
      if (started.length < 5) return;
      console.log(started.join(" "));
      process.kill(process.pid, "SIGKILL");
    }, 100);
  `;
  const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(signal).toBe("SIGKILL");
  const started = stdout.trim().split(" ");
  // The starter, the parent of the command and the command; what waits for the next, and its parent.
  expect(started.filter(isStarter).length).toBeLessThanOrEqual(4);
  expect(started.length).toBeGreaterThanOrEqual(5);
  await expect.poll(() => started.filter(isRunning)).toEqual([]);
});

test("the starter ends when what it was entered by has ended alone", async () => {
  const note = join(directory, "entered");
  const script = `"$@" & echo $! > ${note}; sleep 0.5`;
  keepStarter({ enter: ["/bin/bash", "-c", script, "enter"] }).prepare();
  const started = () => (existsSync(note) ? readFileSync(note, "utf8").trim() : "none");
  await expect.poll(() => /^\d+$/.test(started()), { timeout: 5_000 }).toBe(true);
  await expect.poll(() => isRunning(started()), { timeout: 10_000 }).toBe(false);
});
