// The labelled files that share a question: what the guard decides on a command. A command has one line for each answer.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { ALL_PROGRAM_ROWS } from "./program-rows.ts";

const LABELLED = join(import.meta.dirname, "../guard");
const VERDICTS = join(import.meta.dirname, "verdicts");
const EXPECTED = { always_blocked: "block", not_blocked: "allow" } as const;

const Line = z.object({
  command: z.string(),
  verdict: z.enum(["always_blocked", "not_blocked", "either", "block", "ask", "allow"]),
});

const ROWS = ALL_PROGRAM_ROWS.flatMap(({ command, verdict }) =>
  verdict === undefined ? [] : [JSON.stringify({ command, expected: verdict })],
);

const files = [
  ...["labelled-benign.jsonl", "labelled-blocked.jsonl"].map((file) => join(LABELLED, file)),
  ...readdirSync(VERDICTS).map((file) => join(VERDICTS, file)),
];

const lines = files.flatMap((file) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { command, verdict } = Line.parse(JSON.parse(line));
      const expected = verdict === "always_blocked" || verdict === "not_blocked" ? EXPECTED[verdict] : verdict;
      return JSON.stringify({ command, expected });
    }),
);

test("no command has the same expectation in two labelled files", () => {
  expect(lines.length).toBeGreaterThan(7_000);
  const seen = new Set<string>();
  expect([...ROWS, ...lines].filter((line) => seen.size === seen.add(line).size)).toEqual([]);
});
