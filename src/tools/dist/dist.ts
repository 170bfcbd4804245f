// `npm run dist` writes the npm package into dist/: the program as JavaScript, in the tree of the checkout, with what it reads
// beside its code, and its bill of materials beside them. `--license MIT` makes it one that can be published (D-385), `--to DIRECTORY`
// writes it elsewhere, and `--no-types` leaves out the types, which take most of the time.
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import metadata from "../../../package.json" with { type: "json" };
import { ROOT } from "../../own-file.ts";
import { buildScript, SCRIPT } from "../flow-script/build.ts";
import { compileModules, compileTypes, copyBesideModules } from "./compile.ts";
import { documentsFrom } from "./documents.ts";
import { bomFault, bomOf, licenseFault } from "./license.ts";
import { copyBundled, EXPORTED, manifest } from "./manifest.ts";
import { Lockfile, shrinkwrapOf } from "./shrinkwrap.ts";
import { targetFault } from "./target.ts";

/** Directories and files that the program reads while it runs. */
const READ = ["src/console/built", "src/execution/flow", "prisma/migrations", "prisma/node-version.cjs"];
const UNLICENSED = "UNLICENSED";
const WRONG_USE = 2;

const { values: options } = parseArgs({
  options: {
    license: { type: "string", default: metadata.license },
    "license-file": { type: "string", default: "LICENSE" },
    to: { type: "string" } as const,
    types: { type: "boolean", default: true } as const,
  },
  allowNegative: true,
});
const { license } = options;
const license_text = await readFile(resolve(ROOT, options["license-file"]), "utf8").catch(unlessMissing);
const target = resolve(ROOT, options.to ?? "dist");
const without_bom = bomFault();
const fault =
  (license === UNLICENSED ? null : (licenseFault(license, license_text, options["license-file"]) ?? without_bom)) ??
  (await targetFault(target, ROOT));
if (fault !== null) {
  process.stderr.write(`${fault}\n`);
  process.exit(WRONG_USE);
}

const copy = (path: string) => cp(join(ROOT, path), join(target, path), { recursive: true });

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(target, path)), { recursive: true });
  await writeFile(join(target, path), text);
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

await rm(target, { recursive: true, force: true });
await writeFile(SCRIPT, await buildScript());
await compileModules(target);
await copyBesideModules(target);
if (options.types) compileTypes(target, EXPORTED);
const documents = await documentsFrom(ROOT, "README.md");
for (const path of [...READ, ...documents]) await copy(path);
if (license_text !== null) await write("LICENSE", license_text);
// What skills have beside their modules.
const besideModules = { recursive: true, filter: (path: string) => !path.endsWith(".ts") };
await cp(join(ROOT, "capabilities"), join(target, "capabilities"), besideModules);
await cp(join(ROOT, "docs/CHANGELOG.md"), join(target, "CHANGELOG.md"));
await copyBundled(target);
const program = await readFile(join(ROOT, "src/orch.cjs"), "utf8");
await write("src/orch.cjs", program.replace('import("./orch.ts")', 'import("./orch.js")'));
await chmod(join(target, "src/orch.cjs"), 0o755);
const packed = manifest({ license, documents });
await write("package.json", json(packed));
const lockfile = Lockfile.parse(JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")));
const { name, version, engines, bin, dependencies } = packed;
const shrinkwrap = shrinkwrapOf(lockfile, { name, version, license, engines, bin, dependencies });
await write("npm-shrinkwrap.json", json(shrinkwrap));
// Beside the tarball of `npm pack dist`, and no part of it.
const bom = `${name}-${version}.cdx.json`;
if (without_bom === null) await write(bom, json(bomOf(target, name)));

const needed = Object.keys(shrinkwrap.packages).length - 1;
const may = license === UNLICENSED ? "private until a licence is chosen: npm run dist -- --license NAME" : license;
process.stdout.write(
  `${relative(process.cwd(), target) || target}: orch ${version}, needs ${needed} packages (${without_bom === null ? bom : "no bill of materials"}); ${may}\n`,
);
if (without_bom !== null) process.stdout.write(`${without_bom}. A package with a licence needs it.\n`);
