// The verdict on each command of verdicts/*.jsonl, by topic. `code` is one of the findings. A command that only needs a
// verdict is a line of src/guard/test/guard/labelled-*.jsonl instead.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { codesOf, outcomeOf } from "./guard-outcome.ts";

const DIRECTORY = join(import.meta.dirname, "verdicts");

const Line = z.strictObject({
  command: z.string(),
  verdict: z.enum(["block", "ask", "allow"]),
  code: z.string().optional(),
});

const topics = readdirSync(DIRECTORY).map((file) => ({
  topic: file.replace(".jsonl", "").replaceAll("-", " "),
  lines: readFileSync(join(DIRECTORY, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line))),
}));

describe.each(topics)("a command about $topic", ({ lines }) => {
  test.each(lines)("has the verdict $verdict: $command", ({ command, verdict, code }) => {
    expect(outcomeOf(command)).toBe(verdict);
    if (code !== undefined) expect(codesOf(command)).toContain(code);
  });
});

test("no command has two lines", () => {
  const commands = topics.flatMap(({ lines }) => lines.map(({ command }) => command));
  expect(commands.filter((command, at) => commands.indexOf(command) !== at)).toEqual([]);
});
