// Serves /healthz while the disk hangs, and says in /readyz that the database does not answer: strace delays what the server writes.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
/** Longer than the test asks. */
const HANG_US = 60_000_000;

describe.skipIf(!hasStrace)("a disk that hangs [promises 5.6]", () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let orch: OrchProcess;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    orch = await startOrchProcess({ data_dir: directory.path });
  });
  afterAll(async () => {
    await orch?.kill("SIGKILL");
    await directory?.[Symbol.asyncDispose]();
  });

  /** Resolves once strace delays these calls in every thread of the server. */
  async function delay(syscalls: string): Promise<AsyncDisposable> {
    const inject = `inject=${syscalls}:delay_enter=${HANG_US}`;
    const tracer = spawn("strace", ["-f", "-o", "/dev/null", "-p", String(orch.child.pid), "-e", inject]);
    let said = "";
    tracer.stderr.on("data", (text) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 15_000 }).toContain("attached");
    const ended = once(tracer, "exit");
    return {
      [Symbol.asyncDispose]: async () => {
        tracer.kill("SIGKILL");
        await ended;
      },
    };
  }

  test.each([["a flush"], ["a write of the file"]])("%s is waited for by no health check", async (what) => {
    expect((await orch.get("/readyz")).status).toBe(200);
    await using _hangs = await delay(what === "a flush" ? "fsync,fdatasync" : "pwrite64");
    const readiness = async () => (await orch.get("/readyz")).body.detail;
    await expect.poll(readiness, { timeout: 20_000 }).toBe("The database does not answer.");
    for (let asked = 0; asked < 3; asked++) {
      const started = performance.now();
      expect((await orch.get("/healthz")).status).toBe(200);
      expect(performance.now() - started, "a fraction of the time for which the disk hangs").toBeLessThan(20_000);
    }
  });
});
