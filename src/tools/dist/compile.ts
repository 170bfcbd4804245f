// Compiles the program for the package: each module by itself, so that the tree is that of the checkout (D-363).
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "../../own-file.ts";

/** The console is built for the browser, and the others are tools of the checkout. */
const LEFT_OUT = /^src\/([^/]+\/test|console|tools\/(dist|flow-script|measures)|execution\/flow)\/|^graphs\/studio/;

function read() {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const include = ["src", "graphs", "capabilities"];
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include, exclude: [] }, ts.sys, ROOT);
  const paths = fileNames.map((path) => relative(ROOT, path)).filter((path) => !LEFT_OUT.test(path));
  return { paths, options: { ...options, noEmit: false, rewriteRelativeImportExtensions: true } };
}

/**
 * The modules as JavaScript. Types become blanks, as Node does it when it runs the checkout, so that lines and columns stay the same.
 * `npm run typecheck` is what checks them.
 */
export async function compileModules(target: string): Promise<void> {
  for (const path of read().paths) await compileModule(path, join(target, path.replace(/\.ts$/, ".js")));
}

async function compileModule(path: string, to: string): Promise<void> {
  const source = await readFile(join(ROOT, path), "utf8");
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, withImportsOfScripts(stripTypeScriptTypes(source)));
}

/** The modules below a directory of the checkout, without their tests, in a tree of their own. The paths of the entries begin in the directory. */
export async function compileWorkspace(directory: string, target: string, entries: readonly string[]): Promise<void> {
  const inside = (path: string): string => relative(directory, path);
  const modules = read().paths.filter((path) => !inside(path).startsWith("..") && !inside(path).startsWith("test/"));
  for (const path of modules) await compileModule(path, join(target, inside(path).replace(/\.ts$/, ".js")));
  compileTypes(
    target,
    entries.map((entry) => join(directory, entry)),
    directory,
  );
}

/** Types, pages, rows of tests, and the manifest of a workspace are no part of the package. */
const BESIDE_SOURCES = /\.(ts|md|rows\.jsonl)$|^package\.json$/;

/** What modules have beside them: programs in other languages, and what they give to git. */
export async function copyBesideModules(target: string): Promise<void> {
  for (const directory of new Set(read().paths.map(dirname))) {
    const entries = await readdir(join(ROOT, directory), { withFileTypes: true });
    for (const { name } of entries.filter((entry) => entry.isFile() && !BESIDE_SOURCES.test(entry.name)))
      await copyFile(join(ROOT, directory, name), join(target, directory, name));
  }
}

/** Imports of the program's own modules, by the names that they have in the package. */
function withImportsOfScripts(text: string): string {
  const ends: number[] = [];
  const look = (node: ts.Node): void => {
    const named =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
    if (named !== undefined && ts.isStringLiteral(named) && /^\.\.?\/.*\.ts$/.test(named.text))
      ends.push(named.getEnd() - 1);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile("module.js", text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS));
  return ends.reduceRight((written, end) => `${written.slice(0, end - "ts".length)}js${written.slice(end)}`, text);
}

/** The types of these modules, and of those that they name, beside the code. Throws where the compiler finds a fault. */
export function compileTypes(target: string, modules: readonly string[], root = "."): void {
  const { options } = read();
  const files = modules.map((path) => join(ROOT, path));
  const only = {
    noEmitOnError: true,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: join(ROOT, root),
    outDir: target,
  };
  const { diagnostics } = ts.createProgram(files, { ...options, ...only }).emit();
  if (diagnostics.length === 0) return;
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => ROOT, getNewLine: () => "\n" };
  throw new Error(ts.formatDiagnostics(diagnostics, host));
}
