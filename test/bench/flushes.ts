// Counts how often a process asks the disk for durability, by the system calls that it makes: strace attaches to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Null where strace is not installed, or may not attach. */
export async function countFlushes(pid: number, work: () => Promise<unknown>): Promise<number | null> {
  const directory = await mkdtemp(join(tmpdir(), "orch-flushes-"));
  const file = join(directory, "calls");
  const strace = spawn("strace", ["-f", "-e", "trace=fsync,fdatasync", "-o", file, "-p", String(pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(strace, "close").catch(() => null);
  try {
    // Its first words are that it is attached, or why not.
    const [words] = await Promise.race([once(strace.stderr, "data"), ended.then(() => [""])]);
    if (!String(words).includes("attached")) return null;
    await work();
    strace.kill("SIGINT");
    await ended;
    return readFileSync(file, "utf8").split("\n").filter(isCall).length;
  } finally {
    strace.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  }
}

/** A call that another thread's calls interrupt is written as two lines, the second of them `resumed`. */
const isCall = (line: string): boolean => /\b(fsync|fdatasync)\(/.test(line);
