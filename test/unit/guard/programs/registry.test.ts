// One record for each program: no name twice, and no name spelled outside the files of its record.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { RECORDS, recordOf, runsOf } from "../../../../src/guard/programs/registry.ts";
import { words } from "../../../../src/guard/words/options.ts";

const NAMES = RECORDS.flatMap(({ names }) => words(names));

test("no program has two records", () => {
  expect(NAMES.filter((name, at) => NAMES.indexOf(name) !== at)).toEqual([]);
  expect(NAMES.length).toBeGreaterThan(900);
});

test("a name that is a property of every object has no record", () => {
  for (const name of ["constructor", "__proto__", "toString"]) expect(recordOf(name)).toBeUndefined();
});

test("a version after a name leads to the program only when the program has versions", () => {
  expect(runsOf("python3.11")).toBe(runsOf("python"));
  expect(runsOf("lua-5.4")).toBe(runsOf("lua"));
  expect(runsOf("git2")).toBeUndefined();
});

const GUARD = join(import.meta.dirname, "../../../../src/guard");
const FILES = readdirSync(GUARD, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

/** Names that are also words of options, of subcommands or of the guard's own code. */
const AMBIGUOUS = new Set(
  words(`. [ : command cp env eval exec export false file fmt help ls nc node parallel pip printf read set source split tee
    test true type unset watch write yes base64`),
);

/** A file that starts another program spells its name. The self-test spells whole commands. */
const SPELLED_ELSEWHERE: Readonly<Record<string, string>> = {
  "self-test.ts": "*",
  "interpreter/start-state.ts": "bash",
  "interpreter/arithmetic.ts": "bash",
  "interpreter/shown-numbers.ts": "exit",
  "programs/run-program.ts": "bash",
  "programs/launchers.ts": "sh",
  "programs/xargs.ts": "echo",
  "programs/code.ts": "rm mv chmod",
  "readings/acts-elsewhere.ts": "git",
  "readings/lasting.ts": "git kill",
  // Options with the name of a program, and a name that PowerShell shares with the shell.
  "programs/accounts.ts": "sh R",
  "programs/copy.ts": "R",
  "programs/rm.ts": "R",
  "programs/runs-texts.ts": "rm",
  // An option of docker has the name of a program.
  "programs/docker.ts": "mount unshare ssh wait",
  "programs/containers.ts": "docker",
  "programs/filters.ts": "openssl",
  // Words of options and of subcommands.
  "programs/clusters.ts": "ssh",
  "programs/disks.ts": "readonly",
  "programs/guests.ts": "mv ssh",
  "programs/many-machines.ts": "ssh",
  "programs/looks/clusters.ts": "view",
  "programs/looks/storage.ts": "readonly",
  "programs/side-effects.ts": "*",
  // Tables over all programs, one for what their uses have in common.
  "programs/consequences/table.ts": "*",
  "programs/consequences/of-command.ts": "*",
  "programs/consequences/reach.ts": "*",
  "programs/applied-files.ts": "*",
  "programs/written-files.ts": "git",
  "programs/language-packages.ts": "install python3",
  "programs/git-verbs.ts": "bundle",
};

/** String literals of a source file, those of `names` separately. */
function literalsOf(path: string): { readonly names: readonly string[]; readonly others: readonly string[] } {
  const file = ts.createSourceFile(path, readFileSync(join(GUARD, path), "utf8"), ts.ScriptTarget.Latest, true);
  const [names, others]: string[][] = [[], []];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) {
      const isNames = ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === "names";
      (isNames ? names : others)?.push(...(isNames ? words(node.text) : [node.text]));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { names: names ?? [], others: others ?? [] };
}

test("a program's name is spelled in the files of its record only", () => {
  const literals = new Map(FILES.map((path) => [path, literalsOf(path)]));
  const home = new Map([...literals].flatMap(([path, { names }]) => names.map((name) => [name, stem(path)] as const)));
  const acting = RECORDS.filter(({ runs, prints, alwaysBlocked }) => runs ?? prints ?? alwaysBlocked);
  const watched = new Set(acting.flatMap(({ names }) => words(names)).filter((name) => !AMBIGUOUS.has(name)));
  const stray = [...literals].flatMap(([path, { others }]) => {
    const allowed = SPELLED_ELSEWHERE[path];
    return others
      .filter((text) => watched.has(text) && !stem(path).startsWith(home.get(text) ?? "?"))
      .filter((text) => allowed !== "*" && !words(allowed ?? "").includes(text))
      .map((text) => `${path}: ${text}`);
  });
  expect(stray).toEqual([]);
});

const stem = (path: string): string => path.replace(/\.ts$/, "");
