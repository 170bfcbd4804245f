// Compares the parser that guard and proof use with two others, shfmt's and bash's own: they accept the same lines and see the same
// statements, and a line that another parser has written anew is judged as before. `ORCH_TESTS=all` takes every line. A new version of
// the parser is taken only when this passes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { print, parse as secondParse } from "sh-syntax";
import { parse } from "unbash";
import { expect, test } from "vitest";
import { inspect } from "../../guard.ts";
import { CONTEXT } from "./context.ts";

const STEP = process.env["ORCH_TESTS"] === "all" ? 1 : 40;
const ALL_LINES = { timeout: 1_800_000 };

const LABELLED = ["labelled-benign.jsonl", "labelled-blocked.jsonl", "evasions.jsonl"];
const CHECKS = "../../../../test/proof/checks.jsonl";

const LINES = [...LABELLED, CHECKS].flatMap(linesOf).filter((_, at) => at % STEP === 0);

function linesOf(file: string): string[] {
  const rows = readFileSync(join(import.meta.dirname, file), "utf8").split("\n");
  return rows
    .filter((row) => row !== "")
    .map((row) => JSON.parse(row))
    .map(({ command, text = command }) => text);
}

const verdictOn = (line: string): string => inspect(line, CONTEXT).verdict;

/** Undefined where the parser has no type for its errors. */
const parsed = (line: string): ReturnType<typeof parse> & { readonly errors?: unknown } => parse(line);

/** shfmt takes a carriage return for a part of the end of a line, and bash does not; it writes nested backquotes wrongly. */
const SHFMT_DIFFERS = /[\r`]/;

test("the parser sees what shfmt's parser sees", ALL_LINES, async () => {
  const differences: string[] = [];
  for (const line of LINES.filter((one) => !SHFMT_DIFFERS.test(one))) {
    const { commands, errors } = parsed(line);
    const second = await byShfmt(line);
    if (second === null || errors !== undefined) {
      if ((second === null) !== (errors !== undefined)) differences.push(`one of them rejects ${line}`);
      continue;
    }
    if (second.starts.join() !== commands.map(({ pos }) => pos).join()) differences.push(`other statements in ${line}`);
    if (verdictOn(line) !== verdictOn(second.written)) differences.push(`judged otherwise as ${second.written}`);
  }
  expect(differences).toEqual([]);
});

/** Null for a line that it does not accept. */
async function byShfmt(line: string) {
  try {
    const { Stmts } = await secondParse(line);
    const bytes = Buffer.from(line);
    return {
      starts: Stmts.map(({ Pos }) => bytes.subarray(0, Pos.Offset).toString().length),
      written: await print(line),
    };
  } catch {
    return null;
  }
}

/** Bash writes `coproc bash` as `coproc COPROC bash`, which runs something else. Whether it reads a pattern depends on `extglob`. */
const BASH_DIFFERS = /\bcoproc\b|\bextglob\b/;

/** Prints what it has read of each file, and runs nothing of it. */
const PRINT_EACH =
  'for file in *; do bash --pretty-print "$file" > "$file.written" 2> /dev/null || rm "$file.written"; done';

test.skipIf(!canPrint())("the parser sees what bash sees", ALL_LINES, () => {
  const differences: string[] = [];
  const lines = LINES.filter((one) => !BASH_DIFFERS.test(one));
  const written = byBash(lines);
  for (const [at, line] of lines.entries()) {
    const { errors } = parsed(line);
    const second = written[at] ?? null;
    if (second === null || errors !== undefined) {
      if ((second === null) !== (errors !== undefined)) differences.push(`one of them rejects ${line}`);
      continue;
    }
    if (verdictOn(line) !== verdictOn(second)) differences.push(`judged otherwise as ${second}`);
  }
  expect(differences).toEqual([]);
});

/** Null for a line that it does not accept. */
function byBash(lines: readonly string[]): (string | null)[] {
  const directory = mkdtempSync(join(tmpdir(), "orch-parsers-"));
  try {
    for (const [at, line] of lines.entries()) writeFileSync(join(directory, `${at}`), `${line}\n`);
    spawnSync("bash", ["-c", PRINT_EACH], { cwd: directory });
    return lines.map((_, at) => readIfThere(join(directory, `${at}.written`)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Bash 5.2 and later can. */
function canPrint(): boolean {
  return byBash(["true  ;  true"])[0]?.startsWith("true; true") === true;
}
