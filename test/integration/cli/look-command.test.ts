// The command of `orch verify --command`, with real processes.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookWith } from "../../../src/cli/look-with-command.ts";
import { createRedactor } from "../../../src/redact/find-secrets.ts";

const SECRET = "the-operators-own-secret-4711";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "look-"));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const look = (command: string, over: { limit_ms?: number; signal?: AbortSignal } = {}) =>
  lookWith(command, {
    cwd,
    environment: { PATH: process.env["PATH"], SECRET },
    redact: createRedactor([SECRET]),
    limit_ms: 20_000,
    signal: new AbortController().signal,
    ...over,
  });

async function shown(command: string) {
  const end = await look(command);
  if (!end.ok) throw new Error(end.reason);
  return end.look;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("the look", () => {
  test("has the command, both of its streams and its exit code", async () => {
    const command = "echo out; echo err >&2; exit 7";
    expect(await shown(command)).toEqual({ command, exit_code: 7, output: "out\nerr\n" });
    expect((await shown("kill -9 $$")).exit_code, "ended by a signal").toBeUndefined();
  });

  test("has no secret, also where the output is cut next to one", async () => {
    const { command, output } = await shown(
      `printf 'x%.0s' $(seq 4090); echo "$SECRET"; printf 'é%.0s' $(seq 30000) # ${SECRET}`,
    );
    expect(command).toMatch(/# \[redacted\]$/);
    expect(output).toMatch(/^x{4090}\[redac\n\[\.\.\. the middle is left out \.\.\.\]\né+$/);
    expect(output.length).toBeLessThanOrEqual(16_384);
  });

  test("keeps the beginning and the end of an output that is too long to be kept", async () => {
    const { output } = await shown("echo first; seq 200000; printf '😀%.0s' $(seq 9000); echo last");
    expect(output).toMatch(/^first\n1\n2\n/);
    expect(output).toMatch(/😀last\n$/);
    expect([output.length <= 16_384, output.isWellFormed(), output.includes("\uFFFD")]).toEqual([true, true, false]);
  });

  test("does not wait for what the command has left running, and ends it", async () => {
    const began = performance.now();
    expect(await shown("sleep 60 & echo $! > left; echo done")).toMatchObject({ exit_code: 0, output: "done\n" });
    expect(performance.now() - began).toBeLessThan(15_000);
    const left = Number(await readFile(join(cwd, "left"), "utf8"));
    await expect.poll(() => isAlive(left), { timeout: 5_000 }).toBe(false);
  });

  test("fails, with everything ended, where the command does not end in time", async () => {
    const end = await look("sleep 60 & echo $! > late; wait; touch after", { limit_ms: 500 });
    expect(end).toEqual({ ok: false, reason: "The command did not end within 0.5 s, and was killed." });
    const late = Number(await readFile(join(cwd, "late"), "utf8"));
    await expect.poll(() => isAlive(late), { timeout: 5_000 }).toBe(false);
    expect(existsSync(join(cwd, "after"))).toBe(false);
  });

  test("fails where the command cannot be started", async () => {
    const gone = { cwd: join(cwd, "gone"), environment: {}, redact: String, limit_ms: 1_000 };
    const end = await lookWith("true", { ...gone, signal: new AbortController().signal });
    expect(end).toMatchObject({ ok: false, reason: expect.stringMatching(/^The command could not be started: /) });
  });
});
