// The labelled rows beside the records, src/guard/programs/records/*.rows.jsonl: each is labelled from what the real program does,
// not from its record.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CONSEQUENCES, GUARD_CODES } from "../../codes.ts";

const RECORDS = join(import.meta.dirname, "../../programs/records");

const Names = z.array(z.string());

const ProgramRow = z.strictObject({
  command: z.string(),
  verdict: z.enum(["block", "ask", "allow"]).optional(),
  finding: z.enum(GUARD_CODES).optional(),
  effect: z.enum(["reads", "changes", "unknown"]).optional(),
  consequences: z.array(z.enum(CONSEQUENCES)).optional(),
  paths: Names.optional(),
  containers: Names.optional(),
  hosts: Names.optional(),
});

export type ProgramRow = z.infer<typeof ProgramRow>;

const rowsIn = (path: string): readonly ProgramRow[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => ProgramRow.parse(JSON.parse(line)));

const ENDING = ".rows.jsonl";

/** By the name of their file of records; those of the language of the shell are beside this file. */
export const PROGRAM_ROWS: ReadonlyMap<string, readonly ProgramRow[]> = new Map(
  [RECORDS, import.meta.dirname].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(ENDING))
      .map((file) => [file.slice(0, -ENDING.length), rowsIn(join(folder, file))] as const),
  ),
);

export const ALL_PROGRAM_ROWS: readonly ProgramRow[] = [...PROGRAM_ROWS.values()].flat();
