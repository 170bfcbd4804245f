// The server is killed at the commits of a promotion with proof, of a replacement with proof, and of the trials that follow, with
// every look on (D-200). After each kill the end is the same: one active version, none lost, no step run twice, one message.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { close, EVERY_POINT, open, type Point, record, trialsAtEach, work } from "./lane.ts";
import { versionScenarios } from "./versions.ts";

const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };

// kill.test.ts has what these tasks share with all others.
const ONLY_HERE = new Map([
  ["proving", /sop_examined|sop_changed\+reported/],
  ["overtaken", /(?:sop_examined|:approval_requested)#3/],
  ["trial-failing", /sop_changed\+sop_changed/],
  ["trial-unproved", /sop_changed/],
]);

/** A run takes one in so many of them; ORCH_KILLS=all takes each. */
const SHARE = 3;

const isOnlyHere = ({ scenario, point }: Point): boolean => ONLY_HERE.get(scenario.name)?.test(point) === true;

test(
  "killed at any point of a promotion and of a trial, the server ends with the version that the run calls for [3.sop.promote] [3.update.6]",
  async ({ annotate }) => {
    // No world shows the directory of a server's data.
    const root = await mkdtemp(join(tmpdir(), "targets-"));
    const { scenarios, learnShop } = versionScenarios(root);
    await using lane = await open(LOOKS, learnShop);
    const started = performance.now();
    const points = await record(lane, scenarios);
    const own = points.filter(isOnlyHere);
    await work(lane, trialsAtEach(own.filter((_point, nth) => EVERY_POINT || nth % SHARE === 0)));
    await close(lane);
    await rm(root, { recursive: true, force: true });
    const seconds = Math.round((performance.now() - started) / 1000);
    await annotate(`${lane.keeper.kills()} kills in ${seconds} s`);
    expect(lane.findings).toEqual([]);
    expect(lane.keeper.kills()).toBeGreaterThanOrEqual(6);
  },
  EVERY_POINT ? 3_600_000 : 600_000,
);
