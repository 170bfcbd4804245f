// The package as a user has it: published to a registry, installed by npm into an empty home on each Node that it is for, with
// nothing of this checkout and without a compiler.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../../support/cli-process.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { deadLinksIn, firstSteps, type Installed, writePackage } from "../../support/package.ts";
import { type Registry, startRegistry } from "../../support/package-registry.ts";

const MAX_BYTES = 220_000_000;
const MINUTES = 60_000;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let registry: Registry;
beforeAll(async () => {
  directory = await temporaryDirectory();
  registry = await startRegistry(directory.path);
  const license = join(directory.path, "LICENSE");
  writeFileSync(license, "MIT License\n\nCopyright (c) 2026 The holder\n");
  writePackage(join(directory.path, "package"), "--license", "MIT", "--license-file", license);
  registry.publish(join(directory.path, "package"));
}, 10 * MINUTES);
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

/** Of this machine: its name on the path, where it is there. */
const programOf = (name: string): string => {
  const found = (process.env["PATH"] ?? "").split(delimiter).map((path) => join(path, name));
  return realpathSync(found.find((path) => existsSync(path)) ?? name);
};

/** npm in `place` on that Node, and the directory of all programs that it finds: no compiler is among them. */
function npmIn(place: string, node: string) {
  const bin = join(place, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(node, join(bin, "node"));
  for (const name of ["bash", "sh", "git"]) symlinkSync(programOf(name), join(bin, name));
  const options = { cwd: place, env: { ...registry.env, PATH: bin }, encoding: "utf8" } as const;
  return (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(node, [programOf("npm"), ...args], options);
    return { status, stdout, stderr };
  };
}

/** The program of that release of Node, from the registry. */
function nodeOf(release: string): string {
  if (process.versions.node.startsWith(`${release}.`)) return process.execPath;
  const place = join(directory.path, `node-${release}`);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  const env = { ...registry.env, PATH: process.env["PATH"] ?? "" };
  const { status, stderr } = spawnSync("npm", ["install", `node@${release}`], { cwd: place, env, encoding: "utf8" });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return join(place, "node_modules/node/bin/node");
}

const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => lstatSync(join(path, name)))
    .reduce((sum, { size }) => sum + size, 0);

describe.each([
  { release: "24", says: true },
  { release: "22", says: false },
])(
  "on Node $release, from a registry that says that there is a shrinkwrap: $says",
  ({ release, says }) => {
    let place: string;
    let npm: ReturnType<typeof npmIn>;
    let orch: Installed;

    beforeAll(() => {
      place = join(directory.path, `on-${release}`);
      mkdirSync(place);
      writeFileSync(join(place, "package.json"), JSON.stringify({ private: true }));
      npm = npmIn(place, nodeOf(release));
      registry.sayShrinkwrap("orch", says);
      const begun = performance.now();
      expect(npm("install", "orch", "--loglevel=warn", ...(says ? [] : ["--prefer-online"]))).toMatchObject({
        status: 0,
        stderr: "",
      });
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const megabytes = (sizeOf(join(place, "node_modules")) / 1e6).toFixed(0);
      process.stdout.write(`on Node ${release}: installed in ${seconds} s, ${megabytes} MB\n`);
      const home = join(place, "home");
      mkdirSync(home);
      orch = {
        program: [join(place, "bin/node"), join(place, "node_modules/orch/src/orch.cjs")],
        env: { HOME: home },
      };
    }, 15 * MINUTES);

    test("npm compiles nothing, runs no install script, and brings each package once", () => {
      const { packages } = JSON.parse(readFileSync(join(place, "package-lock.json"), "utf8"));
      const scripted = Object.entries<{ hasInstallScript?: boolean }>(packages).filter(
        ([, one]) => one.hasInstallScript,
      );
      expect(scripted.map(([path]) => path)).toEqual([]);
      const engines = Object.keys(packages).filter((path) => path.endsWith("/better-sqlite3"));
      expect(engines).toHaveLength(1);
      expect(existsSync(join(place, engines[0] ?? "", "build"))).toBe(false);
      expect(existsSync(join(place, "node_modules/@scarf"))).toBe(false);
    });

    test("the licence, the changes and every linked page are there", () => {
      const package_there = join(place, "node_modules/orch");
      expect(readFileSync(join(package_there, "LICENSE"), "utf8")).toMatch(/^MIT License/);
      expect(existsSync(join(package_there, "CHANGELOG.md"))).toBe(true);
      expect(deadLinksIn(package_there)).toEqual([]);
    });

    test("the installation takes less than 220 MB", () => {
      expect(sizeOf(join(place, "node_modules"))).toBeLessThan(MAX_BYTES);
    });

    test("npx runs it, and doctor finds nothing broken", async () => {
      const { version } = JSON.parse(readFileSync(join(place, "node_modules/orch/package.json"), "utf8"));
      expect(npm("exec", "--", "orch", "--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
      expect(await runCli(["--version"], orch)).toEqual({ exit: 0, stdout: `${version}\n`, stderr: "" });
      const doctor = await runCli(["doctor"], orch);
      expect(doctor, doctor.stdout).toMatchObject({ exit: 0, stderr: "" });
    });

    test("a server starts, and a task that it is taught is done", async () => {
      expect(await firstSteps(orch)).not.toMatch(/"level":(50|60)/);
    });

    test("a skill of the user is written, checked against the types of the package, and tried", async () => {
      const surround = { ...orch, cwd: place };
      expect(await runCli(["skill", "new", "lamps"], surround)).toMatchObject({ exit: 0, stderr: "" });
      const checked = await runCli(["skill", "check", "lamps"], surround);
      expect(checked, checked.stdout).toMatchObject({ exit: 0 });
      const tested = await runCli(["skill", "test", "lamps"], surround);
      expect(tested, tested.stdout).toMatchObject({ exit: 0 });
    });
  },
  5 * MINUTES,
);
