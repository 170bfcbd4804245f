// The guard on commands that other people wrote, for what they say themselves. Nothing in them is labelled: the bars are what is
// blocked and asked about today, and may only fall.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { effectOf, inspect } from "../../src/guard/guard.ts";
import { CONTEXT } from "./score.ts";

const Row = z.object({ about: z.string(), command: z.string() });

/** Lines of about 2,500 that are no bash are left out: prompts, and placeholders with a bar in them. */
const CORPORA = [
  // All that is blocked here makes a file system, writes a device or removes a volume group, as the page says.
  ["tldr.jsonl", { blocked: 13, asked: 8, wrong_reads: 12 }],
  ["nl2bash.jsonl", { blocked: 4, asked: 50, wrong_reads: 48 }],
] as const;

/** What the first word of a description says of the command. Of those that only read all the same, most say what they print. */
const CHANGES =
  /^(Create|Delete|Remove|Set|Add|Start|Stop|Restart|Enable|Disable|Install|Uninstall|Update|Upgrade|Change|Rename|Move|Kill|Copy|Write|Format|Mount|Unmount|Edit|Push|Commit|Apply)\b/;

function rowsOf(file: string) {
  const lines = readFileSync(join(import.meta.dirname, "corpora", file), "utf8").split("\n");
  const rows = lines.filter((line) => line !== "").map((line) => Row.parse(JSON.parse(line)));
  const judged = rows.map((row) => ({ ...row, ...inspect(row.command, CONTEXT) }));
  return judged.filter(({ findings }) => !findings.some(({ code }) => code === "parse.error"));
}

describe.each(CORPORA)("of the commands in %s", (file, bars) => {
  const rows = rowsOf(file);
  const judgedAs = (wanted: string) => rows.filter(({ verdict }) => verdict === wanted).map(({ command }) => command);

  test(`at most ${bars.blocked} are blocked and ${bars.asked} asked about`, () => {
    expect(rows.length).toBeGreaterThan(2_400);
    expect(judgedAs("block").length, judgedAs("block").join("\n")).toBeLessThanOrEqual(bars.blocked);
    expect(judgedAs("ask").length, judgedAs("ask").join("\n")).toBeLessThanOrEqual(bars.asked);
  });

  test(`at most ${bars.wrong_reads} that are said to change something only read`, () => {
    const reads = rows.filter(({ about, command }) => CHANGES.test(about) && effectOf(command, CONTEXT).is === "reads");
    expect(reads.length, reads.map(({ command }) => command).join("\n")).toBeLessThanOrEqual(bars.wrong_reads);
  });
});
