// The package as `npm run dist` writes it, with the packages of this checkout beside it: its code is what is compiled.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../support/cli-process.ts";
import { COMPILE_CACHE, temporaryDirectory } from "../../support/orch-process.ts";
import { deadLinksIn, firstSteps, type Installed, runDist, runDistIn, writePackage } from "../../support/package.ts";

const ROOT = join(import.meta.dirname, "../../..");

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let said: string;
let orch: Installed;
/** As npm installs it: Node runs no TypeScript below a node_modules. */
const inPackage = (...names: string[]) => join(directory.path, "node_modules/orch", ...names);

type Component = {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly content: string }[];
};
type Bom = { readonly metadata: { readonly component: Component }; readonly components: readonly Component[] };

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

test("a licence without its text stops the build before anything is written", () => {
  const refused = runDist(join(directory.path, "licensed"), "--license", "MIT", "--license-file", "no-such-file");
  expect(refused).toEqual({ status: 2, stdout: "", stderr: expect.stringContaining("no-such-file is not there") });
  expect(existsSync(join(directory.path, "licensed"))).toBe(false);
});

test("a directory with files of others stops the build before anything is deleted", () => {
  const others = join(directory.path, "others");
  mkdirSync(others);
  writeFileSync(join(others, "letter.txt"), "x");
  expect(runDist(others)).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining(`--to: ${others} has files`),
  });
  expect(readdirSync(others)).toEqual(["letter.txt"]);
});

test("an npm that makes no bill of materials stops the build of a package with a licence alone", () => {
  const old = join(directory.path, "old");
  mkdirSync(old);
  writeFileSync(join(old, "npm"), "#!/bin/sh\necho 9.2.0\n", { mode: 0o755 });
  writeFileSync(join(old, "LICENSE"), "MIT License\n\nCopyright (c) 2026 The holder\n");
  const env = { PATH: `${old}${delimiter}${process.env["PATH"]}` };
  const target = join(directory.path, "without-bill");
  const licensed = ["--license", "MIT", "--license-file", join(old, "LICENSE")];
  const stderr = "npm 9.2.0 has no command sbom: npm 9.9, or 10.2 and later, makes the bill of materials\n";
  expect(runDistIn(env, target, ...licensed)).toEqual({ status: 2, stdout: "", stderr });
  expect(existsSync(target)).toBe(false);
  const { status, stdout } = runDistIn(env, target, "--no-types");
  expect(stdout).toMatch(/ packages \(no bill of materials\); private .*\nnpm 9\.2\.0 has no command sbom: .*\n$/);
  expect([status, readdirSync(target).filter((name) => name.endsWith(".cdx.json"))]).toEqual([0, []]);
});

test("no link of the README is dead in the package, nor one of the pages that it leads to", () => {
  expect(deadLinksIn(inPackage())).toEqual([]);
});

test("the bill of materials has every package that is installed, with its version and its hash", () => {
  const { name, version, files } = JSON.parse(readFileSync(inPackage("package.json"), "utf8"));
  const bom: Bom = JSON.parse(readFileSync(inPackage(`${name}-${version}.cdx.json`), "utf8"));
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name, version } } });
  expect(files.filter((file: string) => file.includes("cdx"))).toEqual([]);
  const listed = new Set(bom.components.map((one) => [one.name, one.version, one.hashes?.[0]?.content].join(" ")));
  const { packages } = JSON.parse(readFileSync(inPackage("npm-shrinkwrap.json"), "utf8"));
  const { "": _, ...needed } = packages as Readonly<Record<string, { version: string; integrity: string }>>;
  const expected = Object.entries(needed).map(([path, { version: of, integrity }]) => {
    const [algorithm, hash = ""] = integrity.split("-");
    expect(algorithm, path).toBe("sha512");
    return [path.split("node_modules/").at(-1), of, Buffer.from(hash, "base64").toString("hex")].join(" ");
  });
  expect(expected.length).toBeGreaterThan(100);
  expect(listed).toEqual(new Set(expected));
});

test("the compiled program prints its version", async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(await runCli(["--version"], orch)).toEqual({ exit: 0, stdout: `${version}\n`, stderr: "" });
});

test("the compiled program serves, and a task that it is taught is done", async () => {
  const log = await firstSteps(orch);
  expect(log).not.toMatch(/"level":(50|60)/);
});

test("every name that the package exports is a module in it, and no other module can be imported", () => {
  const { exports } = JSON.parse(readFileSync(inPackage("package.json"), "utf8"));
  const names = Object.keys(exports).filter((name) => name !== "./package.json");
  const code = `const names = ${JSON.stringify([...names, "./src/store/store.js"])};
    const all = await Promise.allSettled(names.map((name) => import("orch/" + name.slice(2))));
    console.log(JSON.stringify(all.map(({ status, reason }) => reason?.code ?? status)));`;
  const args = ["--input-type=module", "--eval", code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory.path, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([...names.map(() => "fulfilled"), "ERR_PACKAGE_PATH_NOT_EXPORTED"]);
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
