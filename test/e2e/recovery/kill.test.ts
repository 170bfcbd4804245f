// Recovery: the server is killed in every node, before and after every commit, during steps, at every kind of question
// and during shutdown. Each time it is started again on the same data and the supervisor continues. ORCH_KILLS=all
// kills at each point of each scenario, which takes minutes. The default is one point between two commits, and shared
// points once.
import { expect, test } from "vitest";
import { answers, type Behaviour, refuses, startOllama } from "../../simulators/ollama/ollama.ts";
import type { Keeper } from "./keeper.ts";
import { close, EVERY_POINT, open, record, trialsAt, work } from "./lane.ts";
import * as known from "./scenarios.ts";
import { establish } from "./supervisor.ts";
import type { Trial } from "./trial.ts";

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

const learnKnown = async (keeper: Keeper) => {
  for (const sop of Object.values(known.KNOWN)) await establish(keeper, sop);
};

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
    await using first = await open({ ROUTING_MODEL: "fake:1b", ROUTING_URL: model.base_url }, learnKnown);
    await using second = await open({ ROUTING_MODEL: "fake:1b", ROUTING_URL: model.base_url }, learnKnown);
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
    expect(kills).toBeGreaterThanOrEqual(15);
  },
  EVERY_POINT ? 3_600_000 : 600_000,
);
