// Recovery of a task that is done before anything has run (D-199): the server is killed in every node, and before and after every
// commit. No step runs, and the task ends as without the kill.
import { join } from "node:path";
import { expect, test } from "vitest";
import { findingsIn } from "../../support/journal-check.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { createKeeper } from "./keeper.ts";
import { DONE, done, reach } from "./scenarios.ts";
import { establish } from "./supervisor.ts";
import { undergo } from "./trial.ts";

const EVERY_POINT = process.env["ORCH_KILLS"] === "all";
const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };

test("killed at any point, the server runs no step of a task that is done already", async ({ annotate }) => {
  await using directory = await temporaryDirectory();
  const keeper = await createKeeper(directory.path, LOOKS);
  try {
    await establish(keeper, DONE);
    await reach(keeper.data_dir);
    keeper.takePoints();
    keeper.order("none");
    const findings = await undergo(keeper, { scenario: done }, "undisturbed");
    const passed = keeper.takePoints();
    // Before its steps it goes the way of every task.
    const points = EVERY_POINT ? passed : passed.slice(passed.indexOf("node:run_steps#1"));
    for (const [nth, point] of points.entries())
      findings.push(...(await undergo(keeper, { scenario: done, points: [point] }, `done-${nth}`)));
    expect(await keeper.stop()).toBe(0);
    findings.push(...(await findingsIn(`file:${join(keeper.data_dir, "state", "orch.db")}`)));
    await annotate(`${keeper.kills()} kills at ${points.join(", ")}`);
    expect(findings).toEqual([]);
    expect(points.filter((point) => point.startsWith("commit:")).length).toBeGreaterThanOrEqual(6);
    expect(points.at(-1)).toContain("checks_looked_at+checks_examined+verdict_reached+reported");
    expect(keeper.kills()).toBe(points.length);
  } finally {
    await keeper.stop();
  }
}, 600_000);
