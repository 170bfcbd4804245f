// The demo of several servers as a user runs it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/orch-process.ts";
import { server } from "./cluster/scene.ts";

const DEMO = join(import.meta.dirname, "cluster-demo/demo.ts");

async function runDemo(directory: string, PATH = process.env["PATH"] ?? "") {
  const child = spawn(process.execPath, [DEMO], {
    env: { PATH, TMPDIR: directory },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
}

test.skipIf(server === null)(
  "the demo of several servers plays to its end, every claim holds, and its files are removed",
  async () => {
    await using directory = await temporaryDirectory();
    // PostgreSQL runs as another user than root.
    await chmod(directory.path, 0o711);
    const { code, output } = await runDemo(directory.path);
    expect(code, output).toBe(0);
    expect(output.match(/^\d\. .+$/gm)).toHaveLength(4);
    expect(output).toMatch(/^All \d\d claims held/m);
    expect(await readdir(directory.path)).toEqual([]);
  },
  180_000,
);
