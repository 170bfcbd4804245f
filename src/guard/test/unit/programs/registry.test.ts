// One record for each program: no name twice, and no name outside the files of its record.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { RECORDS, recordOf, runsOf } from "../../../programs/registry.ts";
import { words } from "../../../words/options.ts";

const NAMES = RECORDS.flatMap(({ names }) => words(names));

test("no program has two records", () => {
  expect(NAMES.filter((name, at) => NAMES.indexOf(name) !== at)).toEqual([]);
  expect(NAMES.length).toBeGreaterThan(1700);
});

test("a name that is a property of every object has no record", () => {
  for (const name of ["constructor", "__proto__", "toString"]) expect(recordOf(name)).toBeUndefined();
});

test("a version after a name leads to the program only when the program has versions", () => {
  expect(runsOf("python3.11")).toBe(runsOf("python"));
  expect(runsOf("lua-5.4")).toBe(runsOf("lua"));
  expect(runsOf("git2")).toBeUndefined();
});

const GUARD = join(import.meta.dirname, "../../..");
const FILES = readdirSync(GUARD, { recursive: true, encoding: "utf8" }).filter((path) =>
  /^(?!test\/).*\.ts$/.test(path),
);

/** Names that are also words of options, of subcommands, of settings or of the guard's own code. */
const WORDS_AS_WELL = new Set(
  words(`. [ : base64 command cp diff dir dump env eval exec exit export false file fmt help history host init jobs kind last ls nc
    node parallel printf read readonly set source split tee test top tree true type umask unset w wait watch write yes`),
);

/** A file that starts another program spells its name. The self-test spells whole commands. */
const SPELLED_ELSEWHERE: Readonly<Record<string, string>> = {
  "self-test.ts": "*",
  "interpreter/interpret.ts": "bash",
  "programs/run-program.ts": "bash service",
  "programs/rules/shell.ts": "bash",
  "programs/rules/launch.ts": "sh",
  "programs/rules/code.ts": "rm mv chmod",
  "readings/lasting.ts": "createdb dropdb git kill",
  "programs/records/accounts.ts": "sh R",
  "programs/records/editors.ts": "rm",
  "programs/records/language-packages.ts": "install pkg python3",
  "programs/records/language-packages/scripts.ts": "install pkg",
  "programs/records/launchers.ts": "echo",
  // Options and subcommands with the name of a program, and modules of Python.
  "programs/rules/elsewhere.ts": "R",
  "programs/records/clusters.ts": "ssh service",
  "programs/records/docker.ts": "mount unshare ssh rename od service",
  "programs/records/git/verbs.ts": "bundle",
  "programs/records/guests.ts": "ssh mv rename perf",
  "programs/records/languages.ts": "occ",
  "programs/records/many-machines.ts": "view",
  "programs/records/python.ts": "pip",
  "programs/records/rm.ts": "R",
};

type Literals = {
  readonly names: readonly string[];
  readonly others: readonly string[];
  readonly patterns: readonly string[];
};

/** String literals of a source file, those of `names` separately, and its regular expressions. */
function literalsOf(path: string): Literals {
  const file = ts.createSourceFile(path, readFileSync(join(GUARD, path), "utf8"), ts.ScriptTarget.Latest, true);
  const [names, others, patterns]: string[][] = [[], [], []];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) patterns?.push(node.text);
    if (ts.isStringLiteralLike(node)) {
      const isNames = ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === "names";
      (isNames ? names : others)?.push(...(isNames ? words(node.text) : [node.text]));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { names: names ?? [], others: others ?? [], patterns: patterns ?? [] };
}

const LITERALS = new Map(FILES.map((path) => [path, literalsOf(path)]));

const WATCHED = new Set(NAMES.filter((name) => !WORDS_AS_WELL.has(name)));

test("a program's name is spelled in the files of its record only", () => {
  const home = new Map([...LITERALS].flatMap(([path, { names }]) => names.map((name) => [name, stem(path)] as const)));
  const stray = [...LITERALS].flatMap(([path, { others }]) => {
    const allowed = SPELLED_ELSEWHERE[path];
    return others
      .filter((text) => WATCHED.has(text) && !stem(path).startsWith(home.get(text) ?? "?"))
      .filter((text) => allowed !== "*" && !words(allowed ?? "").includes(text))
      .map((text) => `${path}: ${text}`);
  });
  expect(stray).toEqual([]);
});

/** A whole word that is one of several. */
const LIST = /^\/\^\((?:\?:)?[\w.|()?+-]+\)\$\/$/;

test("no pattern of the rules lists programs", () => {
  const rules = [...LITERALS].filter(([path]) => /^programs\/(?!records\/)/.test(path));
  const listed = rules.flatMap(([path, { patterns }]) =>
    patterns
      .filter((text) => LIST.test(text) && text.split(/[^\w.-]+/).filter((word) => WATCHED.has(word)).length > 1)
      .map((text) => `${path}: ${text}`),
  );
  // Whether a shell begins as bash does.
  expect(listed).toEqual(["programs/rules/shell.ts: /^(bash|rbash)$/"]);
});

const stem = (path: string): string => path.replace(/\.ts$/, "");
