// What an installation must not need: a compiler, or a download from anywhere but the registry.
import { expect, test } from "vitest";
import { z } from "zod";
import { textOf } from "./source-files.ts";

const read = (name: string): unknown => JSON.parse(textOf(name));

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      gypfile: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      resolved: z.string().optional(),
      dependencies: z.record(z.string(), z.string()).default({}),
    }),
  ),
});
const Manifest = z.object({
  allowScripts: z.record(z.string(), z.boolean()),
  overrides: z.record(z.string(), z.json()),
});

const { packages } = Lockfile.parse(read("package-lock.json"));

// npm drops this field when it writes the lockfile, and without it compiles what comes as a binary.
test("better-sqlite3 is not compiled: its binaries come with it", () => {
  expect(packages["node_modules/better-sqlite3"]).toMatchObject({ gypfile: false });
});

test("every package with an install script is allowed or denied by name", () => {
  const { allowScripts } = Manifest.parse(read("package.json"));
  const scripted = Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => path !== "" && hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(scripted.filter((name) => allowScripts[name] === undefined && name !== "fsevents")).toEqual([]);
});

// The generator of the database client reads it, also where `npm ci --omit=dev` has left the tools of development out.
test("tsconfig.json extends no package", () => {
  expect(read("tsconfig.json")).not.toHaveProperty("extends");
});

// npm 9, which Debian 12 and 13 have, cannot compare a tag with an override, and says then that there is no lockfile (D-388). Without an override npm
// takes what a tag means from the lockfile only where that has its address, which `omit-lockfile-registry-resolved` leaves out.
test("what a package wants by a tag has its address in the lockfile, and no override", () => {
  const wanted = Object.values(packages).flatMap(({ dependencies }) => Object.entries(dependencies));
  const tags = wanted.filter(([, range]) => /^[a-z]+$/.test(range) && range !== "x").map(([name]) => name);
  expect(tags).toEqual(["node-fetch"]);
  for (const name of tags) expect(packages[`node_modules/${name}`]?.resolved, name).toMatch(/^https:/);
  const { overrides } = Manifest.parse(read("package.json"));
  for (const name of tags) expect(JSON.stringify(overrides)).not.toContain(JSON.stringify(name));
});
