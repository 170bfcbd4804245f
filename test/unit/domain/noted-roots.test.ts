// The file of noted roots, and the restore that explains why a bundle has another root than it.
import { describe, expect, test } from "vitest";
import type { EvidenceAnchor } from "../../../src/domain/anchor.ts";
import { provedBy, rootLines, rootsIn } from "../../../src/domain/anchor.ts";

const [F, E] = ["f", "e"].map((one) => one.repeat(64)) as [string, string];
const RESTORE = { restored_at: "2026-03-09T10:00:00.000Z", taken_at: "2026-03-06T11:00:00.000Z" };
const RESTORE_LINE = "# restored 2026-03-09T10:00:00.000Z from a backup of 2026-03-06T11:00:00.000Z";
const BEFORE = { ...RESTORE, bundle_is: "before", noted: true };
const AFTER = { ...RESTORE, bundle_is: "after", noted: true };

const noted = (...lines: string[]) => rootsIn(lines.join("\n")) ?? expect.fail("the lines are roots");
const anchor = (day: string, root: string): EvidenceAnchor => ({ day, root, seq: 3, hash: F, path: [] });
const compare = (lines: readonly string[], anchors: EvidenceAnchor[], restores = [RESTORE]) =>
  provedBy(noted(...lines), { anchors, restores });

describe("a file of roots", () => {
  test("is lines of a day and a root, and a line that is neither, or a second root of a day, is refused", () => {
    const { roots } = noted("# noted by hand", `2026-03-06 ${F}`, "");
    expect([...roots]).toEqual([["2026-03-06", { root: F, restores_before: 0 }]]);
    expect(rootsIn(`2026-03-06 ${F.slice(1)}`)).toBeNull();
    expect(noted(`2026-03-06 ${F}`, `2026-03-06 ${F}`).roots.size).toBe(1);
    expect(rootsIn(`2026-03-06 ${F}\n2026-03-06 ${E}`)).toBeNull();
  });

  test("has each restore before the roots of the restored server, as a comment", () => {
    const lines = rootLines(
      [
        { day: "2026-03-05", root: F },
        { day: "2026-03-09", root: E },
      ],
      [RESTORE],
    );
    expect(lines).toEqual([`2026-03-05 ${F}`, RESTORE_LINE, `2026-03-09 ${E}`]);
    const { roots, restores } = noted(...lines);
    expect(restores).toEqual([RESTORE]);
    expect([...roots.values()].map((one) => one.restores_before)).toEqual([0, 1]);
    expect(noted("# restored yesterday from a backup of last week").restores).toEqual([]);
  });
});

describe("a root that differs", () => {
  test("is explained by a restore that the bundle has seen and the root has not", () => {
    const found = compare([`2026-03-10 ${F}`, RESTORE_LINE], [anchor("2026-03-10", E)]);
    expect(found).toEqual({ fault: "the root of 2026-03-10 is not the one that was noted", between: AFTER });
    const unnoted = compare([`2026-03-10 ${F}`], [anchor("2026-03-10", E)]);
    expect(unnoted).toMatchObject({ between: { ...AFTER, noted: false } });
  });

  test("is explained by a restore that was noted before the root and that the bundle has not seen", () => {
    const found = compare([RESTORE_LINE, `2026-03-10 ${F}`], [anchor("2026-03-10", E)], []);
    expect(found).toMatchObject({ between: BEFORE });
  });

  test("is not explained by a restore that both have seen", () => {
    const found = compare([RESTORE_LINE, `2026-03-10 ${F}`], [anchor("2026-03-10", E)]);
    expect(found).toEqual({ fault: expect.stringContaining("2026-03-10"), between: null });
  });

  test("is not explained by a restore of a backup that is newer: up to it, both have the same journals", () => {
    const found = compare([`2026-03-05 ${F}`, RESTORE_LINE], [anchor("2026-03-05", E)]);
    expect(found).toMatchObject({ between: null });
  });
});

test("a day without a noted root is explained by a restore between, and a root that fits proves the bundle across one", () => {
  const other_server = compare([RESTORE_LINE, `2026-03-09 ${F}`], [anchor("2026-03-08", E)], []);
  expect(other_server).toEqual({ fault: "no root is noted for 2026-03-08", between: BEFORE });
  const fits = anchor("2026-03-05", F);
  expect(compare([`2026-03-05 ${F}`, RESTORE_LINE], [anchor("2026-03-09", E), fits])).toEqual({ proved: fits });
});
