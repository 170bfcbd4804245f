// What npm installs with the package: what the program needs, in the versions of this checkout, and no more.
import { expect, test } from "vitest";
import metadata from "../../../../package.json" with { type: "json" };
import { manifest } from "../../../../src/tools/dist/manifest.ts";
import { Lockfile, shrinkwrapOf } from "../../../../src/tools/dist/shrinkwrap.ts";
import { textOf } from "../../architecture/source-files.ts";

const lockfile = Lockfile.parse(JSON.parse(textOf("package-lock.json")));
const { packages } = shrinkwrapOf(lockfile, { ...metadata });
const named = (name: string) => Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));

const root = { name: "orch", version: "1.0.0" };
const small = (over: Readonly<Record<string, object>>) =>
  Lockfile.parse({ lockfileVersion: 3, packages: { "node_modules/a": { version: "1.0.0" }, ...over } });
const keptOf = (lock: Lockfile, dependencies: Readonly<Record<string, string>> = { a: "1" }) =>
  shrinkwrapOf(lock, { ...root, dependencies }).packages;

test("the shrinkwrap has each package of the program, and none of development", () => {
  for (const name of Object.keys(metadata.dependencies)) expect(named(name), name).not.toEqual([]);
  for (const name of ["vitest", "typescript", "prisma", "react", "openai", "esbuild"]) expect(named(name)).toEqual([]);
});

test("better-sqlite3 is there once, inside of the package, and no package has an install script", () => {
  expect(named("better-sqlite3")).toHaveLength(1);
  expect(packages["node_modules/better-sqlite3" as keyof typeof packages]).toMatchObject({ inBundle: true });
  expect(Object.entries(packages).filter(([, entry]) => "hasInstallScript" in entry)).toEqual([]);
});

test("a dependency is the nearest one upwards, as Node finds it", () => {
  const kept = keptOf(
    small({
      "node_modules/a": { dependencies: { b: "2", c: "1" } },
      "node_modules/a/node_modules/b": { dependencies: { c: "1" } },
      "node_modules/b": { version: "1.0.0" },
      "node_modules/c": {},
    }),
  );
  expect(Object.keys(kept)).toEqual(["", "node_modules/a", "node_modules/a/node_modules/b", "node_modules/c"]);
});

test("a peer is kept where it is needed, and left out where it is optional", () => {
  const peers = { peerDependencies: { b: "1", c: "1" }, peerDependenciesMeta: { c: { optional: true } } };
  const kept = keptOf(small({ "node_modules/a": peers, "node_modules/b": { dev: true }, "node_modules/c": {} }));
  expect(kept).toMatchObject({ "node_modules/b": {} });
  expect(kept).not.toHaveProperty("node_modules/c");
  expect(kept["node_modules/b" as keyof typeof kept]).not.toHaveProperty("dev");
});

test("what only an optional dependency needs is optional, and may be missing", () => {
  const kept = keptOf(
    small({ "node_modules/a": { optionalDependencies: { b: "1", gone: "1" } }, "node_modules/b": {} }),
  );
  expect(kept).toMatchObject({ "node_modules/b": { optional: true } });
  expect(kept).not.toHaveProperty("node_modules/gone");
});

test("a dependency that the lockfile does not have stops the build", () => {
  expect(() => keptOf(small({}), { missing: "1" })).toThrow(
    "package-lock.json has no missing, which the program needs",
  );
});

test("a licence makes the package public, and the switch is the only one", () => {
  expect(manifest()).toMatchObject({ private: true, license: "UNLICENSED" });
  expect(manifest({ license: "MIT" })).toMatchObject({ license: "MIT" });
  expect(manifest({ license: "MIT" })).not.toHaveProperty("private");
});

test("the package names its repository where the checkout does, for the provenance", () => {
  expect(manifest()).not.toHaveProperty("repository");
  expect(manifest({ about: { repository: "github:owner/orch" } })).toMatchObject({ repository: "github:owner/orch" });
});

test("the package has no install script, and exports each name that a skill imports with types and code", () => {
  expect(manifest()).not.toHaveProperty("scripts");
  expect(manifest()).not.toHaveProperty("devDependencies");
  expect(manifest().exports).toMatchObject({
    "./approval": { types: "./src/features/skills/api.d.ts", default: "./src/features/skills/api.js" },
    "./domain/contract": {
      types: "./src/domain/contract.d.ts",
      default: "./src/domain/contract.js",
    },
  });
});

test("the package exports names of files, and no pattern that would open all of it", () => {
  expect(Object.keys(manifest().exports).filter((name) => name.includes("*"))).toEqual([]);
});
