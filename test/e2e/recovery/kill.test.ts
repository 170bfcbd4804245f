// Recovery: the server is killed in every node, before and after every commit, during steps, at every kind of question
// and during shutdown. Each time it is started again on the same data and the supervisor continues. ORCH_KILLS=all
// kills at each point of each scenario, which takes minutes. The default is one point between two commits, and shared
// points once.
import { join } from "node:path";
import { expect, test } from "vitest";
import { answers, type Behaviour, refuses, startOllama } from "../../simulators/ollama/ollama.ts";
import { findingsIn } from "../../support/journal-check.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import * as known from "./scenarios.ts";
import { establish } from "./supervisor.ts";
import { type Trial, undergo } from "./trial.ts";

const { slow } = known;

const IN_THE_MIDDLE: readonly Trial[] = [
  { scenario: slow, begun: [[["SIGKILL", 0]]] },
  { scenario: slow, begun: [[["SIGKILL", 200]], [["SIGKILL", 0]]] },
];

// A step that the supervisor repeats because it had no effect keeps its retry.
const BEFORE_A_TRY: readonly Trial[] = [
  { scenario: known.flaky, points: ["commit:after:policy_judged+step_started#1"] },
];

const WHILE_PAUSED: readonly Trial[] = [
  { scenario: known.taught, at: "teaching" },
  { scenario: known.taught, at: "promotion" },
  { scenario: known.approved, at: "approval" },
  { scenario: known.edited, at: "approval" },
  { scenario: slow, begun: [[["SIGKILL", 0]]], at: "resolution" },
];

const WHILE_SHUTTING_DOWN: readonly Trial[] = [
  { scenario: slow, begun: [[["SIGTERM", 0]]] },
  {
    scenario: slow,
    begun: [
      [
        ["SIGTERM", 0],
        ["SIGKILL", 100],
      ],
    ],
  },
  { scenario: slow, begun: [[["SIGTERM", 0]]], points: ["commit:before:step_finished#1"] },
  { scenario: slow, begun: [[["SIGTERM", 0]]], points: ["commit:after:step_finished#1"] },
];

const EVERY_POINT = process.env["ORCH_KILLS"] === "all";

// The model judges only the flaky command. Every other request fails and takes the fallback.
const judgesTheFlaky: Behaviour = (response, body) =>
  (body.includes("echo connection refused") ? answers({ error_type: "transient" }) : refuses(500, "busy"))(
    response,
    body,
  );

test(
  "killed at any point, the server runs no step twice, loses nothing and ends every task as without the kill [3.rule.1] [3.rule.3] [7.1] [3.sop.promote] [3.update.6]",
  async ({ annotate }) => {
    await using model = await startOllama(judgesTheFlaky);
    await using first = await open({ ROUTING_MODEL: "fake:1b", ROUTING_URL: model.base_url });
    await using second = await open({ ROUTING_MODEL: "fake:1b", ROUTING_URL: model.base_url });
    const started = performance.now();
    const points = await Promise.all([
      record(first, [known.taught, known.approved, known.rejected, known.failing]),
      record(second, [known.flaky, known.edited, known.notEdited, known.notPromoted]),
    ]);
    const trials = [
      ...IN_THE_MIDDLE,
      ...BEFORE_A_TRY,
      ...WHILE_PAUSED,
      ...WHILE_SHUTTING_DOWN,
      ...trialsAt(points.flat()),
    ];
    await Promise.all([work(first, trials), work(second, trials)]);
    await Promise.all([close(first), close(second)]);
    const kills = first.keeper.kills() + second.keeper.kills();
    await annotate(`${kills} kills in ${Math.round((performance.now() - started) / 1000)} s`);
    expect([...first.findings, ...second.findings]).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(30);
  },
  EVERY_POINT ? 3_600_000 : 600_000,
);

/** Servers that run one after the other on one database. Each recovers from the kill of the one before. */
type Lane = AsyncDisposable & { readonly keeper: Keeper; readonly findings: string[] };

async function open(env: Readonly<Record<string, string>>): Promise<Lane> {
  const directory = await temporaryDirectory();
  const keeper = await createKeeper(directory.path, env);
  for (const sop of Object.values(known.KNOWN)) await establish(keeper, sop);
  const dispose = async () => {
    await keeper.stop();
    await directory[Symbol.asyncDispose]();
  };
  return { keeper, findings: [], [Symbol.asyncDispose]: dispose };
}

type Point = { readonly scenario: known.Scenario; readonly point: string };

/** Every point that the tasks pass when no server is killed. */
async function record({ keeper, findings }: Lane, scenarios: readonly known.Scenario[]): Promise<Point[]> {
  const points: Point[] = [];
  for (const scenario of scenarios) {
    keeper.takePoints();
    keeper.order(`none, count from ${scenario.name}`);
    findings.push(...(await undergo(keeper, { scenario }, `${scenario.name}-undisturbed`)));
    points.push(...keeper.takePoints().map((point) => ({ scenario, point })));
  }
  return points;
}

/** One trial per point. In every fourth the recovering server is killed too, at a later point each time. */
function trialsAt(points: readonly Point[]): Trial[] {
  const first = new Map(points.toReversed().map(({ scenario, point }) => [point, scenario]));
  const once = points.filter(({ scenario, point }) => first.get(point) === scenario);
  const chosen = EVERY_POINT ? points : oneBetweenCommits(once);
  return chosen.map(({ scenario, point }, nth) => ({
    scenario,
    points: nth % 4 === 0 ? [point, `point#${1 + ((nth / 4) % 8)}`] : [point],
  }));
}

/** Between two commits the stored state is the same. In turn: after a commit, in a node, before the next commit. */
function oneBetweenCommits(points: readonly Point[]): Point[] {
  const stretches: Point[][] = [];
  for (const at of points) {
    const stretch = stretches.at(-1);
    const isNew = at.point.startsWith("commit:after:") || at.scenario !== stretch?.[0]?.scenario;
    if (stretch === undefined || isNew) stretches.push([at]);
    else stretch.push(at);
  }
  return stretches.flatMap((stretch, nth) => stretch[nth % stretch.length] ?? []);
}

async function work({ keeper, findings }: Lane, trials: Trial[]): Promise<void> {
  for (let trial = trials.shift(); trial !== undefined; trial = trials.shift()) {
    findings.push(...(await undergo(keeper, trial, `${trial.scenario.name}-${trials.length}`)));
  }
}

async function close({ keeper, findings }: Lane): Promise<void> {
  expect(await keeper.stop()).toBe(0);
  findings.push(...(await findingsIn(`file:${join(keeper.data_dir, "state", "orch.db")}`)));
}
