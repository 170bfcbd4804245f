// The parser of the guard against another one, that of shfmt: both accept the same lines, see the same statements, and a line that
// shfmt has written anew is judged as before. `ORCH_TESTS=all` takes every line.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { print, parse as secondParse } from "sh-syntax";
import { parse } from "unbash";
import { expect, test } from "vitest";
import { inspect } from "../../guard.ts";
import { CONTEXT } from "./context.ts";

const FILES = ["labelled-benign.jsonl", "labelled-blocked.jsonl", "evasions.jsonl"];
const STEP = process.env["ORCH_TESTS"] === "all" ? 1 : 40;

/** shfmt takes a carriage return for a part of the end of a line, and bash does not; it writes nested backquotes wrongly. */
const DIFFERS = /[\r`]/;

const LINES = FILES.flatMap((file) =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): string => JSON.parse(line).command),
).filter((line, at) => at % STEP === 0 && !DIFFERS.test(line));

/** Null for a line that it does not accept. */
async function bySecond(line: string) {
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

const verdictOn = (line: string): string => inspect(line, CONTEXT).verdict;

test(`two parsers agree on ${LINES.length} lines`, async () => {
  const differences: string[] = [];
  for (const line of LINES) {
    const { commands, errors }: ReturnType<typeof parse> & { readonly errors?: unknown } = parse(line);
    const second = await bySecond(line);
    if (second === null || errors !== undefined) {
      if ((second === null) !== (errors !== undefined)) differences.push(`one of them rejects ${line}`);
      continue;
    }
    if (second.starts.join() !== commands.map(({ pos }) => pos).join()) differences.push(`other statements in ${line}`);
    if (verdictOn(line) !== verdictOn(second.written)) differences.push(`judged otherwise as ${second.written}`);
  }
  expect(differences).toEqual([]);
});
