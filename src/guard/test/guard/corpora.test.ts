// The guard on commands that other people wrote, for what they say themselves. Nothing in them is labelled: the bars are what is
// blocked and asked about today, and may only fall.
import { describe, expect, test } from "vitest";
import { rowsOf, wrongReads } from "./corpora.ts";

const CORPORA = [
  // All that is blocked here makes a file system, writes a device or removes a volume group, as the page says.
  ["tldr.jsonl", { blocked: 13, asked: 8, wrong_reads: 12 }],
  ["nl2bash.jsonl", { blocked: 4, asked: 50, wrong_reads: 48 }],
] as const;

describe.each(CORPORA)("of the commands in %s", (file, bars) => {
  const rows = rowsOf(file);
  const judgedAs = (wanted: string) => rows.filter(({ verdict }) => verdict === wanted).map(({ command }) => command);

  test(`at most ${bars.blocked} are blocked and ${bars.asked} asked about`, () => {
    expect(rows.length).toBeGreaterThan(2_400);
    expect(judgedAs("block").length, judgedAs("block").join("\n")).toBeLessThanOrEqual(bars.blocked);
    expect(judgedAs("ask").length, judgedAs("ask").join("\n")).toBeLessThanOrEqual(bars.asked);
  });

  test(`at most ${bars.wrong_reads} that are said to change something only read`, () => {
    const reads = wrongReads(rows);
    expect(reads.length, reads.map(({ command }) => command).join("\n")).toBeLessThanOrEqual(bars.wrong_reads);
  });
});
