// Tests that every command is described in the help and has examples, each a command line that the parser takes.
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createParser } from "../../../src/cli/parser.ts";
import { COMMANDS } from "../../../src/cli/table/commands.ts";

const wordsOf = (line: string): string[] => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b ?? "");

/** The name of the command that the line runs. */
async function parsed(line: string): Promise<string | undefined> {
  let name: string | undefined;
  const surface = { stdout: new PassThrough(), stderr: new PassThrough(), version: "1", json: false };
  const program = createParser(COMMANDS, surface, async (entry) => {
    name = entry.name;
  });
  await program.parseAsync(wordsOf(line).slice(1), { from: "user" });
  return name;
}

test("each command and each group of commands says what it does", () => {
  const surface = { stdout: new PassThrough(), stderr: new PassThrough(), version: "1", json: false };
  const { commands } = createParser(COMMANDS, surface, async () => undefined);
  expect(commands.filter((command) => !/\w/.test(command.description())).map((command) => command.name())).toEqual([]);
});

describe("the examples of the help", () => {
  test.each(COMMANDS.map(({ name, examples }) => [name, examples] as const))("exist for %s", (_name, examples) => {
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(
    COMMANDS.flatMap(({ name, examples }) =>
      examples.flatMap((line) => line.split(" | ").map((one) => [one, name] as const)),
    ),
  )("%s", async (line, name) => {
    expect([name, "new contract"]).toContain(await parsed(line));
  });
});
