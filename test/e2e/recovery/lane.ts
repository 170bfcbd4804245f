// Servers that run one after the other on one database, each recovering from the kill of the one before, and the points at which
// they are killed.
import { join } from "node:path";
import { expect } from "vitest";
import { findingsIn } from "../../support/journal-check.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import type { Scenario } from "./scenarios.ts";
import { type Trial, undergo } from "./trial.ts";

export const EVERY_POINT = process.env["ORCH_KILLS"] === "all";

type Lane = AsyncDisposable & { readonly keeper: Keeper; readonly findings: string[] };

/** `prepare` runs on the first server. */
export async function open(
  env: Readonly<Record<string, string>>,
  prepare: (keeper: Keeper) => Promise<void>,
): Promise<Lane> {
  const directory = await temporaryDirectory();
  const keeper = await createKeeper(directory.path, env);
  await prepare(keeper);
  const dispose = async () => {
    await keeper.stop();
    await directory[Symbol.asyncDispose]();
  };
  return { keeper, findings: [], [Symbol.asyncDispose]: dispose };
}

export type Point = { readonly scenario: Scenario; readonly point: string };

/** Every point that the tasks pass when no server is killed. */
export async function record({ keeper, findings }: Lane, scenarios: readonly Scenario[]): Promise<Point[]> {
  const points: Point[] = [];
  for (const scenario of scenarios) {
    keeper.takePoints();
    keeper.order(`none, count from ${scenario.name}`);
    findings.push(...(await undergo(keeper, { scenario }, `${scenario.name}-undisturbed`)));
    points.push(...keeper.takePoints().map((point) => ({ scenario, point })));
  }
  return points;
}

/** Shared points once. */
export function trialsAt(points: readonly Point[]): Trial[] {
  const first = new Map(points.toReversed().map(({ scenario, point }) => [point, scenario]));
  const once = points.filter(({ scenario, point }) => first.get(point) === scenario);
  return trialsAtEach(EVERY_POINT ? points : oneBetweenCommits(once));
}

/** One trial per point. In every fourth the recovering server is killed too, at a later point each time. */
export const trialsAtEach = (points: readonly Point[]): Trial[] =>
  points.map(({ scenario, point }, nth) => ({
    scenario,
    points: nth % 4 === 0 ? [point, `point#${1 + ((nth / 4) % 8)}`] : [point],
  }));

/**
 * Between two commits the stored state is the same. In turn: after a commit, in a node, before the next commit. Eleven of
 * twelve stretches are left to ORCH_KILLS=all.
 */
function oneBetweenCommits(points: readonly Point[]): Point[] {
  const stretches: Point[][] = [];
  for (const at of points) {
    const stretch = stretches.at(-1);
    const isNew = at.point.startsWith("commit:after:") || at.scenario !== stretch?.[0]?.scenario;
    if (stretch === undefined || isNew) stretches.push([at]);
    else stretch.push(at);
  }
  return stretches.flatMap((stretch, nth) => (nth % 12 !== 0 ? [] : (stretch[nth % stretch.length] ?? [])));
}

export async function work({ keeper, findings }: Lane, trials: Trial[]): Promise<void> {
  for (let trial = trials.shift(); trial !== undefined; trial = trials.shift()) {
    findings.push(...(await undergo(keeper, trial, `${trial.scenario.name}-${trials.length}`)));
  }
}

export async function close({ keeper, findings }: Lane): Promise<void> {
  expect(await keeper.stop()).toBe(0);
  findings.push(...(await findingsIn(`file:${join(keeper.data_dir, "state", "orch.db")}`)));
}
