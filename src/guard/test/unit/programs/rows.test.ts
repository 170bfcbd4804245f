// What the guard says of each labelled row beside the records: its verdict and a finding, its effect, its consequences, and what it
// reaches.
import { describe, expect, test } from "vitest";
import { consequencesOf, effectOf } from "../../../guard.ts";
import { CONTEXT, codesOf, outcomeOf } from "../guard-outcome.ts";
import { ALL_PROGRAM_ROWS, PROGRAM_ROWS, type ProgramRow } from "../program-rows.ts";

function said(row: ProgramRow): ProgramRow {
  const { command, finding } = row;
  const { consequences, reach } = consequencesOf(command, CONTEXT);
  const codes: readonly string[] = finding === undefined ? [] : codesOf(command);
  return {
    command,
    ...(row.verdict && { verdict: outcomeOf(command) }),
    ...(finding !== undefined && codes.includes(finding) && { finding }),
    ...(row.effect && { effect: effectOf(command, CONTEXT).is }),
    ...(row.consequences && { consequences: consequences.map(({ is }) => is).sort() }),
    ...(row.paths && { paths: [...reach.paths] }),
    ...(row.containers && { containers: [...reach.containers] }),
    ...(row.hosts && { hosts: [...reach.hosts] }),
  };
}

describe.each([...PROGRAM_ROWS])("a command of %s", (_family, rows) => {
  test.each(rows)("is judged as its row says: $command", (row) => {
    expect(said(row)).toEqual(
      row.consequences === undefined ? row : { ...row, consequences: row.consequences.toSorted() },
    );
  });
});

test("no command has two rows, and each row says something", () => {
  const commands = ALL_PROGRAM_ROWS.map(({ command }) => command);
  expect(commands.filter((command, at) => commands.indexOf(command) !== at)).toEqual([]);
  expect(ALL_PROGRAM_ROWS.filter((row) => Object.keys(row).length < 2)).toEqual([]);
  expect(commands.length).toBeGreaterThan(1900);
});
