// One task, what is done to the server while it lasts, and what must be true of it afterwards.
import { setTimeout as sleep } from "node:timers/promises";
import { Evidence } from "../../../src/engine/evidence/bundle.ts";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { journalFindings } from "../../support/journal-check.ts";
import type { Keeper } from "./keeper.ts";
import { begunIn, letGo, runsOf, type Scenario, triesOf } from "./scenarios.ts";
import { type Question, seeThrough } from "./supervisor.ts";

export type Trial = {
  readonly scenario: Scenario;
  /** The point at which the server is killed, and one at which the next server is. */
  readonly points?: readonly [string, string?];
  /** The question at which the server is killed. */
  readonly at?: Question;
  /** The signals that are sent, each after so many ms, once the slow step has begun for the first time, the second ... */
  readonly begun?: readonly (readonly (readonly [NodeJS.Signals, number])[])[];
};

// Long enough for a signal to have had its effect.
const LET_GO_MS = 1_000;

/** Sees the task through and resolves with everything that is wrong: sentences, and none when all is well. */
export async function undergo(keeper: Keeper, trial: Trial, task_id: string): Promise<string[]> {
  const { scenario: _scenario, ...disturbance } = trial;
  const found = await disturb(keeper, trial, task_id).catch((error: unknown) => [String(error), ...keeper.errors()]);
  return found.map((finding) => `${task_id}, killed at ${JSON.stringify(disturbance)}: ${finding}`);
}

async function disturb(keeper: Keeper, trial: Trial, task_id: string): Promise<string[]> {
  const { scenario, points: [point, next] = [], begun = [] } = trial;
  if (point !== undefined) keeper.order(point);
  if (next !== undefined) keeper.orderNext(next);
  const over = new AbortController();
  const strikes = strike(keeper, task_id, begun, over.signal);
  let at = trial.at;
  const task = await seeThrough(keeper, scenario, task_id, (question) => {
    if (question !== at) return;
    at = undefined;
    keeper.signal("SIGKILL");
  }).finally(() => over.abort());
  const struck = await strikes;
  const unheard = keeper.withdraw();
  return [
    ...(point !== undefined && unheard === point ? ["the server never came to this point"] : []),
    ...(at === undefined ? [] : [`${at} was never asked`]),
    ...(struck === begun.length ? [] : [`the slow step began ${struck} times only`]),
    ...endFindings(scenario, task),
    ...(await evidenceFindings(keeper, task_id)),
    ...(await runFindings(keeper, scenario, task_id)),
    ...((await scenario.findings?.(keeper, task_id)) ?? []),
  ];
}

async function strike(
  keeper: Keeper,
  task_id: string,
  begun: NonNullable<Trial["begun"]>,
  over: AbortSignal,
): Promise<number> {
  for (const [before, signals] of begun.entries()) {
    while (begunIn(keeper.data_dir, task_id) <= before) {
      if (over.aborted) return before;
      await sleep(10);
    }
    for (const [signal, delay_ms] of signals) {
      await sleep(delay_ms);
      keeper.signal(signal);
    }
  }
  if (begun.length > 0) await sleep(LET_GO_MS);
  await letGo(keeper.data_dir, task_id);
  return begun.length;
}

type Ended = Awaited<ReturnType<typeof seeThrough>>;

function endFindings({ ends }: Scenario, { status, outcome }: Ended): string[] {
  const is = { status, reason_code: outcome?.reason_code };
  const expected = JSON.stringify(ends);
  return JSON.stringify(is) === expected ? [] : [`it ended as ${JSON.stringify(is)} and not as ${expected}`];
}

/** The bundle is complete and in itself consistent. */
async function evidenceFindings(keeper: Keeper, task_id: string): Promise<string[]> {
  const { body } = await keeper.get(`/v1/tasks/${task_id}/evidence`);
  const { broken_link, procedure, step_results, approvals, journal, verdict, status } = Evidence.parse(body);
  const undecided = approvals.filter((approval) => approval.status === "pending").length;
  const ran = procedure !== null && status !== "blocked";
  const is_skipped = verdict?.reason_code === "already_done";
  return [
    ...(broken_link === null ? [] : [`its evidence is broken at ${broken_link}`]),
    ...(undecided === 0 ? [] : [`${undecided} of its approvals are left pending`]),
    ...(status === "ok" && procedure !== null && step_results.length !== (is_skipped ? 0 : procedure.steps.length)
      ? [`it is ok with ${step_results.length} of ${procedure.steps.length} step results`]
      : []),
    ...(ran && verdict === null ? ["it ran and there is no verdict"] : []),
    ...verifyBundle(body).faults,
    ...journalFindings(journal as Parameters<typeof journalFindings>[0]),
  ];
}

/** What the steps did is counted where they did it. */
async function runFindings(keeper: Keeper, { runs, steps }: Scenario, task_id: string): Promise<string[]> {
  const counted = runs.map((_, index) => runsOf(keeper.data_dir, task_id, index));
  const wrong = counted.flatMap((count, index) => {
    const expected = runs[index] ?? 0;
    const right = steps[index]?.kind === "check" && expected > 0 ? count >= expected : count === expected;
    return right ? [] : [`step ${index} ran ${count} times and not ${expected} times`];
  });
  const attempts = (await keeper.get(`/v1/tasks/${task_id}`)).body.steps[0]?.attempt ?? 0;
  const tries = triesOf(keeper.data_dir, task_id);
  return tries > attempts ? [...wrong, `${attempts} attempts are known and there were ${tries}`] : wrong;
}
