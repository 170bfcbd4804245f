// What a diagnostic task may run: commands of home labs and small platforms over some 800 programs, labelled from their
// manuals as looking or changing. A command that changes something may be judged unknown, and never a look.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { effectOf } from "../../guard.ts";
import { CONTEXT } from "./context.ts";

const Line = z.strictObject({ command: z.string(), looks: z.boolean() });
const LINES = readFileSync(new URL("./diagnostic.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => Line.parse(JSON.parse(line)));

const isLook = (command: string): boolean => effectOf(command, CONTEXT).is === "reads";
const labelled = (looks: boolean): string[] =>
  LINES.filter((line) => line.looks === looks).map(({ command }) => command);

test("the list is whole: every line differs", () => {
  expect(new Set(LINES.map(({ command }) => command)).size).toBe(LINES.length);
  expect(labelled(true).length).toBeGreaterThan(1_000);
  expect(labelled(false).length).toBeGreaterThan(1_000);
});

test("no command that changes something is judged a look", () => {
  expect(labelled(false).filter(isLook)).toEqual([]);
});

test("at most 3 % of the commands that only look need an approval", () => {
  const looking = labelled(true);
  const asked = looking.filter((command) => !isLook(command));
  expect(asked.length / looking.length, asked.join("\n")).toBeLessThanOrEqual(0.03);
});
