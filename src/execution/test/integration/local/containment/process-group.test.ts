// Ends a command with every process that it has started.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { signalGroup, stopGroup } from "../../../../sandbox/processes.ts";
import { isAlive } from "../a-command.ts";

async function started(script: string): Promise<number> {
  const child = spawn("/bin/bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  if (child.pid === undefined) throw new Error("bash did not start");
  return child.pid;
}

test("a group that ends on SIGTERM is not waited for further", async () => {
  const pid = await started("echo up; sleep 60");
  const begun = performance.now();
  await stopGroup(pid, 30_000);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(isAlive(pid)).toBe(false);
});

test("a group that ignores SIGTERM is killed after its grace period", async () => {
  const pid = await started("trap '' TERM; echo up; sleep 60");
  const begun = performance.now();
  await stopGroup(pid, 200);
  expect(performance.now() - begun).toBeGreaterThan(190);
  expect(isAlive(pid)).toBe(false);
});

test("a group that has already ended is no error", async () => {
  const pid = await started("echo up; sleep 60");
  await stopGroup(pid, 1_000);
  await stopGroup(pid, 1_000);
  // It is gone once Node has waited for it.
  await expect.poll(() => signalGroup(pid, "SIGKILL")).toBe(false);
});

// A subreaper adopts orphans as PID 1 does. Node never waits for them, so a dead background job stays in its group, as
// in a container without an init.
test("zombies in a group are not waited for", async () => {
  const group = new URL("../../../../sandbox/processes.ts", import.meta.url);
  const script = `
    import { spawn } from "node:child_process";
    import { once } from "node:events";
    import { signalGroup, stopGroup } from "${group}";
    const stdio = ["ignore", "pipe", "ignore"];
    const child = spawn("/bin/bash", ["-c", "sleep 60 & echo up; exec sleep 61"], { detached: true, stdio });
    await once(child.stdout, "data");
    const begun = performance.now();
    await stopGroup(child.pid, 60_000);
    console.log(JSON.stringify({ ms: performance.now() - begun, has_members: signalGroup(child.pid, 0) }));`;
  const prctl = process.arch === "arm64" ? 167 : 157;
  const asSubreaper = `syscall(${prctl}, 36, 1, 0, 0, 0) == 0 or die; exec @ARGV`;
  const node = [process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("perl", ["-e", asSubreaper, ...node], { timeout: 15_000 });
  const { ms, has_members } = JSON.parse(stdout);
  expect(has_members).toBe(true);
  expect(ms).toBeLessThan(10_000);
});
