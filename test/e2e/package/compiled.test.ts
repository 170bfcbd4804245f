// The package as `npm run dist` writes it, with the packages of this checkout beside it: its code is what is compiled.
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../support/cli-process.ts";
import { COMPILE_CACHE, temporaryDirectory } from "../../support/orch-process.ts";
import { firstSteps, type Installed, writePackage } from "../../support/package.ts";

const ROOT = join(import.meta.dirname, "../../..");

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let said: string;
let orch: Installed;
/** As npm installs it: Node runs no TypeScript below a node_modules. */
const inPackage = (...names: string[]) => join(directory.path, "node_modules/orch", ...names);

beforeAll(async () => {
  directory = await temporaryDirectory();
  said = writePackage(inPackage(), "--no-types");
  // Beside the package, as npm puts them; those that it brings are inside of it.
  for (const name of readdirSync(join(ROOT, "node_modules")).filter((one) => /^[@a-z]/.test(one) && one !== "orch"))
    symlinkSync(join(ROOT, "node_modules", name), join(directory.path, "node_modules", name));
  orch = {
    program: [process.execPath, inPackage("src/orch.cjs")],
    env: { HOME: directory.path, NODE_COMPILE_CACHE: COMPILE_CACHE },
  };
});
afterAll(() => directory[Symbol.asyncDispose]());

test("the package holds no TypeScript but the script of the flow", () => {
  const files = readdirSync(inPackage("src"), { recursive: true, encoding: "utf8" });
  const written = files.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
  expect(written).toEqual(["execution/flow/f/orch/execute_task_steps.flow/run_steps.ts"]);
  for (const path of ["src/console/built/index.html", "prisma/migrations", "CHANGELOG.md", "README.md"])
    expect(existsSync(inPackage(path)), path).toBe(true);
});

test("the package has each file that its README links to", () => {
  const links = readFileSync(inPackage("README.md"), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g);
  const paths = [...links].flatMap(([, path = ""]) => path);
  expect(paths).toContain("docs/operations.md");
  expect(paths.filter((path) => !existsSync(inPackage(path)))).toEqual([]);
});

test("a package without a licence is private, and the line of the build says what makes it public", () => {
  expect(JSON.parse(readFileSync(inPackage("package.json"), "utf8"))).toMatchObject({ private: true });
  expect(said).toContain("private until a licence is chosen: npm run dist -- --license NAME");
});

test("the compiled program prints its version", async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(await runCli(["--version"], orch)).toEqual({ exit: 0, stdout: `${version}\n`, stderr: "" });
});

test("the compiled program serves, and a task that it is taught is done", async () => {
  const log = await firstSteps(orch);
  expect(log).not.toMatch(/"level":(50|60)/);
});

test("the skills of the package are found", async () => {
  const doctor = await runCli(["doctor", "--json"], orch);
  const skills = JSON.parse(doctor.stdout).find(({ name }: { name: string }) => name === "skills");
  expect(skills).toMatchObject({ state: "works", found: expect.stringContaining("notes") });
});

test("what comes inside of the package names no dependency, or npm would not install that one", () => {
  const { bundleDependencies } = JSON.parse(readFileSync(inPackage("package.json"), "utf8"));
  expect(bundleDependencies).toContain("better-sqlite3");
  for (const name of bundleDependencies) {
    const manifest = JSON.parse(readFileSync(inPackage("node_modules", name, "package.json"), "utf8"));
    expect(Object.keys(manifest), name).not.toEqual(expect.arrayContaining(["dependencies"]));
    expect(Object.keys(manifest), name).not.toEqual(expect.arrayContaining(["scripts"]));
  }
});
