// A server that is killed on duty is replaced by another one, after the time of its heartbeat.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { postgres } from "../support/postgres.ts";

const server = postgres();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => server?.stop());

const CHILD = fileURLToPath(new URL("wakeups-child.ts", import.meta.url));

function begin(url: string) {
  const child = spawn(process.execPath, [CHILD, url], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const lines: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => lines.push(...text.trim().split("\n")));
  return { child, lines };
}

test.skipIf(server === null)(
  "a duty is done by one of two servers, and by the other one when that is killed",
  async () => {
    const url = (await server?.createDatabase()) ?? "";
    await (await openDatabase({ url })).close();
    const servers = [begin(url), begin(url)];
    const onDuty = () => servers.filter(({ lines }) => lines.includes("on duty"));
    await expect.poll(() => servers.every(({ lines }) => lines.includes("started")), { timeout: 20_000 }).toBe(true);
    await expect.poll(onDuty, { timeout: 10_000 }).toHaveLength(1);
    const [first] = onDuty();
    const killed = performance.now();
    first?.child.kill("SIGKILL");
    await expect.poll(onDuty, { timeout: 29_000 }).toHaveLength(2);
    process.stdout.write(`the other server is on duty after ${Math.round(performance.now() - killed)} ms\n`);
    expect(performance.now() - killed).toBeGreaterThan(4_000);
  },
  60_000,
);
