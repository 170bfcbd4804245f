// `npm run dist` writes the npm package into dist/: the program as JavaScript, in the tree of the checkout, with what it reads
// beside its code. `--license MIT` makes it one that can be published, `--to DIRECTORY` writes it elsewhere, and `--no-types`
// leaves out the types, which take most of the time.
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../own-file.ts";
import { copyBundled } from "./bundled.ts";
import { compileModules, compileTypes } from "./compile.ts";
import { copyDocuments } from "./documents.ts";
import { manifest } from "./manifest.ts";
import { Lockfile, shrinkwrapOf } from "./shrinkwrap.ts";

/** Directories and files that the program reads while it runs, and what a reader of the package looks for. */
const READ = `src/console/built src/execution/flow src/http/docs-page src/execution/local/git-switched-off.gitconfig
  prisma/migrations prisma/node-version.cjs README.md ARCHITECTURE.md CONTRIBUTING.md`.split(/\s+/);
const IF_THERE = ["LICENSE"];

const { values: options } = parseArgs({
  options: { license: { type: "string" }, to: { type: "string" }, types: { type: "boolean", default: true } },
  allowNegative: true,
});
const target = resolve(ROOT, options.to ?? "dist");

const copy = (path: string) => cp(join(ROOT, path), join(target, path), { recursive: true });

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(target, path)), { recursive: true });
  await writeFile(join(target, path), text);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

await rm(target, { recursive: true, force: true });
await compileModules(target);
if (options.types) compileTypes(target);
for (const path of [...READ, ...IF_THERE.filter((name) => existsSync(join(ROOT, name)))]) await copy(path);
// What skills have beside their modules.
const besideModules = { recursive: true, filter: (path: string) => !path.endsWith(".ts") };
await cp(join(ROOT, "capabilities"), join(target, "capabilities"), besideModules);
await copyDocuments(join(ROOT, "docs"), join(target, "docs"));
await cp(join(ROOT, "docs/CHANGELOG.md"), join(target, "CHANGELOG.md"));
await copyBundled(target);
const program = await readFile(join(ROOT, "src/orch.cjs"), "utf8");
await write("src/orch.cjs", program.replace('import("./orch.ts")', 'import("./orch.js")'));
await chmod(join(target, "src/orch.cjs"), 0o755);
const packed = manifest(options.license);
await write("package.json", json(packed));
const lockfile = Lockfile.parse(JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")));
const { name, version, license, engines, bin, dependencies } = packed;
const shrinkwrap = shrinkwrapOf(lockfile, { name, version, ...{ license, engines, bin }, dependencies });
await write("npm-shrinkwrap.json", json(shrinkwrap));

const needed = Object.keys(shrinkwrap.packages).length - 1;
const may = license === "UNLICENSED" ? "private until a licence is chosen: npm run dist -- --license NAME" : license;
process.stdout.write(
  `${relative(process.cwd(), target) || target}: orch ${version}, needs ${needed} packages; ${may}\n`,
);
