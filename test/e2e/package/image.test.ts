// The modules of the image: the stage of the Dockerfile that installs and prunes them is done in a directory, and tasks run with the
// result on both databases. What a container engine does is not done here.
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../support/cli-process.ts";
import { restsOf, stagesOf } from "../../support/dockerfile.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { firstSteps, writePackage } from "../../support/package.ts";
import { postgres } from "../../support/postgres.ts";

const database = postgres();
const ROOT = join(import.meta.dirname, "../../..");
const MAX_BYTES = 110_000_000;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
const place = () => join(directory.path, "opt/orch");
const orch = (home: string, env: Readonly<Record<string, string>> = {}) => ({
  program: [process.execPath, join(place(), "src/orch.cjs")] as const,
  env: { HOME: join(directory.path, home), ...env },
});

beforeAll(async () => {
  directory = await temporaryDirectory();
  writePackage(place(), "--no-types");
  const stage = stagesOf("Dockerfile").find(({ name }) => name === "modules");
  const [run = ""] = stage === undefined ? [] : restsOf(stage, "RUN");
  const line = run.replace("/tmp/prune-modules.sh", join(ROOT, "docs/deploy/prune-modules.sh"));
  const { status, stderr } = spawnSync("sh", ["-c", line], { cwd: place(), encoding: "utf8" });
  expect({ status, stderr }).toMatchObject({ status: 0 });
}, 600_000);
afterAll(async () => {
  await database?.stop();
  await directory[Symbol.asyncDispose]();
});

test("the modules of the image take at most 110 MB", () => {
  const modules = join(place(), "node_modules");
  const files = readdirSync(modules, { recursive: true, encoding: "utf8" }).map((name) =>
    lstatSync(join(modules, name)),
  );
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  process.stdout.write(`the modules of the image: ${(bytes / 1e6).toFixed(0)} MB\n`);
  expect(bytes).toBeLessThan(MAX_BYTES);
});

test("a task is done on SQLite, and doctor finds nothing broken", async () => {
  const doctor = await runCli(["doctor"], orch("sqlite"));
  expect(doctor, doctor.stdout).toMatchObject({ exit: 0 });
  expect(await firstSteps(orch("sqlite"))).not.toMatch(/"level":(50|60)/);
});

test.skipIf(database === null)("a task is done on PostgreSQL, whose address is in a file", async () => {
  const file = join(directory.path, "database-url");
  writeFileSync(file, `${await database?.createDatabase()}\n`);
  expect(await firstSteps(orch("postgresql", { DATABASE_URL_FILE: file }))).not.toMatch(/"level":(50|60)/);
});
