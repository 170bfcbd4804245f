// What an installation must not need: a compiler, or a download from anywhere but the registry.
import { expect, test } from "vitest";
import { z } from "zod";
import { textOf } from "./source-files.ts";

const read = (name: string): unknown => JSON.parse(textOf(name));

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({ gypfile: z.boolean().optional(), hasInstallScript: z.boolean().optional() }),
  ),
});
const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

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
