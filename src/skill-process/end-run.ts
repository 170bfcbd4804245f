// Ends the process of a skill's run and all that it has started, in groups of their own too: each has the mark of the run in the
// environment that it began with.
import { readdir, readFile } from "node:fs/promises";

/** The variable with the mark. */
export const RUN = "ORCH_SKILL_RUN";

export function endRun(pid: number | undefined, run: string): void {
  if (pid !== undefined) kill(-pid);
  void endMarked(Buffer.from(`${RUN}=${run}\0`));
}

async function endMarked(mark: Buffer): Promise<void> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    // That of another account cannot be read, and is not one of these.
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
    if (environment?.includes(mark)) kill(Number(pid));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended, and nothing of it is left.
  }
}
