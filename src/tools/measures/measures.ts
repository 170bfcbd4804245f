// `npm run measures` prints how large the code is. With `--check` it fails where a figure is larger than in record.json, as CI does; with
// `--write` it records smaller ones, and a larger one only together with `--larger`.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../own-file.ts";

type Measures = ReturnType<typeof countMeasures>;
type File = { readonly path: string; readonly text: string };

/** The tests of a workspace are beside its sources. */
const IS_SOURCE = /^(src\/(?![^/]+\/test\/)|graphs\/|capabilities\/|voice\/|cookie\/).*\.tsx?$/;
const IS_TEST = /^(test|src\/[^/]+\/test)\/.*\.tsx?$/;
const RELATIVE_IMPORT = /\bfrom "(\.{1,2}\/[^"]+)"/g;
const SHORT_LINES = 40;

/** It imports each file of records, and is written by `npm run docs`. */
const ALL_RECORDS = "src/guard/programs/all-records.ts";

/** Names of the wire. Each is spoken of in as many files as a change of one like it has to read. */
const NAMED = { operation: "rollback_sop", event: "step_reconciled", field: "queued_behind", subject: "freezes?" };

function countMeasures(root: string) {
  const sources = filesOf(root, IS_SOURCE);
  const tests = filesOf(root, IS_TEST);
  const texts = sources.map(({ text }) => text);
  const product = sources.filter(({ path }) => !path.startsWith("src/tools/"));
  const imports = sources
    .filter(({ path }) => path !== ALL_RECORDS)
    .map(({ text }) => text.match(RELATIVE_IMPORT)?.length ?? 0);
  const decisions = filesOf(root, /^docs\/decisions\/.*\.md$/).map(({ text }) => text);
  return {
    "source files": sources.length,
    "source lines": sum(texts.map(linesOf)),
    [`source files under ${SHORT_LINES} lines`]: texts.filter((text) => linesOf(text) < SHORT_LINES).length,
    "source files with one importer in their folder": countAbsorbable(sources),
    "test lines": sum(tests.map(({ text }) => linesOf(text))),
    "literal spreads": count(texts, /\.\.\.\(?\{/g),
    "types by Omit": count(texts, /\bOmit</g),
    "types by Pick": count(texts, /\bPick</g),
    "types by Parameters": count(texts, /\bParameters</g),
    "most imports of one file": Math.max(...imports),
    [`files that name the operation ${NAMED.operation}`]: naming(product, NAMED.operation),
    [`files that name the event ${NAMED.event}`]: naming(product, NAMED.event),
    [`files that name the field ${NAMED.field}`]: naming(product, NAMED.field),
    "files that speak of freezes": naming(product.filter(isOfOrch).map(withoutFrozenObjects), NAMED.subject),
    decisions: count(decisions, /^### D-/gm),
  };
}

function filesOf(root: string, wanted: RegExp): File[] {
  const { stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 64 * 1_048_576 });
  const paths = stdout.split("\0").filter((path) => wanted.test(path) && existsSync(join(root, path)));
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

const linesOf = (text: string): number => text.trimEnd().split("\n").length;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const count = (texts: readonly string[], pattern: RegExp): number =>
  sum(texts.map((text) => text.match(pattern)?.length ?? 0));
const naming = (files: readonly File[], name: string): number =>
  files.filter(({ text }) => new RegExp(`\\b${name}\\b`, "i").test(text)).length;

/** The guard knows programs that have the word, such as pip freeze. */
const isOfOrch = ({ path }: File): boolean => !path.startsWith("src/guard/");
const withoutFrozenObjects = ({ path, text }: File): File => ({ path, text: text.replaceAll("Object.freeze", "") });

/** Files that one file alone imports, which is in the same folder: a reader opens the two together. */
function countAbsorbable(files: readonly File[]): number {
  const importers = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const [, imported = ""] of text.matchAll(RELATIVE_IMPORT)) {
      const target = normalize(join(dirname(path), imported));
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  return [...importers].filter(([path, by]) => by.length === 1 && by.every((one) => dirname(one) === dirname(path)))
    .length;
}

const RECORD = join(import.meta.dirname, "record.json");

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    larger: { type: "boolean", default: false },
  },
});

const found = countMeasures(ROOT);
const recorded: Partial<Measures> = JSON.parse(readFileSync(RECORD, "utf8"));
const rows = Object.entries(found).map(([name, value]) => ({
  name,
  value,
  before: Object.entries(recorded).find(([other]) => other === name)?.[1] ?? value,
}));
const larger = rows.filter(({ value, before }) => value > before);

for (const { name, value, before } of rows) {
  const change = value === before ? "" : `  (${value > before ? "+" : ""}${value - before})`;
  process.stdout.write(`${name.padEnd(50)}${value.toLocaleString("en").padStart(9)}${change}\n`);
}

if (options.write && (larger.length === 0 || options.larger)) {
  writeFileSync(RECORD, `${JSON.stringify(found, null, 2)}\n`);
} else if ((options.check || options.write) && larger.length > 0) {
  const names = larger.map(({ name }) => name).join(", ");
  process.stderr.write(
    `Larger than in src/tools/measures/record.json: ${names}. Make it smaller, or say in the commit why it has to be larger and run: npm run measures -- --write --larger\n`,
  );
  process.exitCode = 1;
}
