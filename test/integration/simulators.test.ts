// Every simulator starts by hand as its README says, prints where it listens, and ends when it is asked to.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import metadata from "../../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "../..");
const scripts = z.record(z.string(), z.string()).parse(metadata.scripts);
const SIMULATORS = Object.keys(scripts).filter((name) => name.startsWith("simulate:"));

/** What it has printed when it listens. */
async function firstLines(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout ?? child, "data");
  return String(chunk);
}

test("there is a command for each of five simulators", () => {
  expect(SIMULATORS).toHaveLength(5);
});

test.each(SIMULATORS)("npm run %s listens where it says, and ends on SIGTERM", async (name) => {
  const file = scripts[name]?.replace(/^node /, "") ?? "";
  expect(existsSync(join(ROOT, file.replace("serve.ts", "README.md")))).toBe(true);
  const child = spawn(process.execPath, [join(ROOT, file)], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  try {
    const [url = ""] = (await firstLines(child)).split("\n");
    const { protocol, hostname, port } = new URL(url);
    expect({ hostname, has_port: Number(port) > 0 }).toEqual({ hostname: "127.0.0.1", has_port: true });
    if (protocol === "http:") expect((await fetch(url)).status).toBeGreaterThanOrEqual(200);
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
});

test.each(SIMULATORS)(
  "npm run %s -- --help prints its options, and an unknown one ends it with one line",
  async (name) => {
    const file = scripts[name]?.replace(/^node /, "") ?? "";
    const run = (flag: string) => spawnSync(process.execPath, [join(ROOT, file), flag], { encoding: "utf8" });
    expect(run("--help")).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(`^npm run ${name} -- `),
    });
    expect(run("--nonsense")).toMatchObject({ status: 2, stdout: "", stderr: "Unknown option '--nonsense'\n" });
  },
);
