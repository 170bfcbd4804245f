// What a run of a skill may print, hold and leave, and no more.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { faultOf, isAlive, printed, run } from "./a-run.ts";

test("what a run prints is heard line by line, within bounds, also what is printed at last", async () => {
  printed.length = 0;
  await run("console.log('one\\ntwo'); console.error('three'); return done;");
  await run("process.stdout.write('without an end'); return done;");
  await run("process.stdout.write('x'.repeat(1e6) + '\\n'); return done;");
  await expect
    .poll(() => printed.toSorted())
    .toEqual(["[a line of more than 65536 bytes]", "one", "three", "two", "without an end"]);
  printed.length = 0;
  await run("for (let n = 0; n < 5_000; n++) console.log(n); await sleep(200); return done;");
  await expect.poll(() => printed.slice(-2)).toEqual(["999", "[no more than 1000 lines of a run are kept]"]);
});

test("a lock has a short name, and a run holds a number of them", async () => {
  expect(await faultOf("return await ctx.exclusive('y'.repeat(201), () => 1);")).toMatch(/at most 200 characters/);
  const hold =
    "for (let n = 0; n < 1_001; n++) await new Promise((r, no) => ctx.exclusive(String(n), () => { r(1); return new Promise(() => {}); }).catch(no)); return done;";
  expect(await faultOf(hold)).toMatch(/holds at most 1000 locks/);
});

test("what escapes the end of a run keeps nothing of the server open", async () => {
  const spawned = `
    const { spawn } = await import("node:child_process");
    const { pid } = spawn("env", ["-i", "setsid", "sleep", "600"], { stdio: "inherit" });
    await sleep(1_000);
    return pid ?? 0;
  `;
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  const pid = Number(await run(spawned));
  await expect.poll(open, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});
