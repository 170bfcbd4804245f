// What ARCHITECTURE.md and CONTRIBUTING.md promise of every file, where no other tool holds it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { EVERYTHING, filesIn, offenders, SOURCES } from "./source-files.ts";

/** The comment lines with which a file begins, after the line that names the interpreter of a program. */
function headerOf(text: string): string[] {
  const lines = text.replace(/^#!.*\n/, "").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines.slice(0, end);
}

test("every long test that waits for the night is there", () => {
  const config = readFileSync("vitest.config.ts", "utf8");
  const named = [...config.matchAll(/^ {2}(\w+(?:\/[\w.-]+)+)`?;?$/gm)].map(
    ([, name = ""]) => `${name.startsWith("src/") ? "" : "test/"}${name}.test.ts`,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

describe("every file", () => {
  test("is read by these tests", () => {
    expect(SOURCES).toEqual(
      expect.arrayContaining(["src/app/main.ts", "src/engine/policy/judge-plan.ts", "graphs/sop.ts"]),
    );
    expect(SOURCES).toContain("src/console/parts/status.tsx");
    expect(SOURCES.filter((path) => path.includes("generated"))).toEqual([]);
  });

  test("has at most 500 lines", () => {
    expect(offenders(SOURCES, (text) => text.trimEnd().split("\n").length > 500)).toEqual([]);
  });

  test("begins with a comment of one to five lines that says what it is for", () => {
    // The titles of a test say what it is for.
    const files = EVERYTHING.filter((path) => !path.endsWith(".test.ts"));
    expect(offenders(files, (text) => headerOf(text).length < 1 || headerOf(text).length > 5)).toEqual([]);
  });

  test("exports names, and no default", () => {
    expect(offenders(EVERYTHING, (text) => /^export (default\b|\{[^}]*\bas default\b)/m.test(text))).toEqual([]);
  });

  test("casts nothing to any", () => {
    expect(offenders(SOURCES, (text) => /\b(as|:) any\b|<any>/.test(text))).toEqual([]);
  });

  test("in src and graphs names no skill, no intent of one and none of its modules [4.skill.ignorance]", () => {
    const code = (text: string) => text.replaceAll(/^ *(\/\/|\*|\/\*).*$/gm, "");
    // The library is data, and no skill (D-374).
    const named = /reorganize_notes_tree|capabilities\/(?!library\b)[a-z]/;
    const sources = SOURCES.filter((path) => /^(src|graphs)\//.test(path));
    expect(offenders(sources, (text) => named.test(code(text)))).toEqual([]);
  });

  // Node 22 runs the same code, and nothing is translated: types are only removed.
  test("uses no syntax that came with Node 24", () => {
    const newer = /^\s*(await )?using \w+ =|\b(Async)?DisposableStack\b/m;
    const run_by_node_22 = SOURCES.filter((path) => /^(src|graphs|capabilities)\//.test(path));
    expect(offenders(run_by_node_22, (text) => newer.test(text))).toEqual([]);
  });

  test("holds no program of a shell, Python or Perl: these are files", () => {
    const in_a_shell = /set -[a-z]|trap '|while (IFS= )?read |for .*; do\b|(done|fi|esac)( [<|>&].*)?$/;
    const in_another = /(import|package) [\w:]+;?$|def \w+\(.*\):$|my \$|sub \w+ \{$/;
    const line = new RegExp(`^ *(${in_a_shell.source}|${in_another.source})`, "m");
    expect(["#!/bin/sh\nset -eu", "if true\n  fi\n", "import time\n"].filter((text) => !line.test(text))).toEqual([]);
    expect(offenders(SOURCES, (text) => line.test(text))).toEqual([]);
  });

  test("leaves nothing for later", () => {
    expect(offenders(EVERYTHING, (text) => /\/\/.*\b(TODO|FIXME|XXX|HACK)\b/.test(text))).toEqual([]);
  });

  test("in a simulator imports nothing from the code that talks with the simulator", () => {
    const ours = /from "(\.\.\/){3}(src|graphs|capabilities|voice|cookie)\//;
    expect(offenders(filesIn("test/simulators"), (text) => ours.test(text))).toEqual([]);
  });

  test("has a name of words with hyphens that says what it holds", () => {
    const name = /^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.[a-z]+(-[a-z0-9]+)*)?(\.test)?\.tsx?$/;
    const says_nothing = /(^|-)(utils?|helpers?|managers?|types?|index|common|misc)(-|\.)/;
    const bad = EVERYTHING.map((path) => basename(path)).filter((file) => !name.test(file) || says_nothing.test(file));
    expect(bad).toEqual([]);
  });
});

/** Files of a skill that a user writes: they are in no folder of this project. */
const OF_A_SKILL = ["test.ts", "capabilities/lamps/handler.ts"];

test("the files that documents and comments name are there", () => {
  const folders = ["src", "graphs", "capabilities", "voice", "cookie", "prisma", "test"];
  const inFolders = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  const files = [...readdirSync("."), ...inFolders];
  const isThere = (name: string) => files.some((path) => path === name || path.endsWith(`/${name}`));
  const documents = files.filter((path) => /^(ARCHITECTURE|CONTRIBUTING|README)\.md$|^src\/.*README\.md$/.test(path));
  const inDocuments = documents.flatMap((path) => [
    ...readFileSync(path, "utf8").matchAll(/`([\w./-]+\.(?:tsx?|jsonl?|css))`/g),
  ]);
  const inComments = EVERYTHING.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^\s*(?:\/\/|\/?\*).*$/gm)].flatMap(([line]) => [
      ...line.matchAll(/([\w-]+(?:\/[\w.-]+)*\.tsx?)\b/g),
    ]),
  );
  const names = [...inDocuments, ...inComments].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => !OF_A_SKILL.includes(name) && !isThere(name))).toEqual([]);
});
