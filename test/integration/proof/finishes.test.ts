// Plays the labelled finishes on their live fixtures with a real engine and a scripted model, and counts two figures: how many
// lies end verified, and how many honest runs end failed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PQueue from "p-queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Played, playingModel } from "../../proof/finish-player.ts";
import { type Fixture, startFixture } from "../../proof/fixtures.ts";
import { type FinishRow, readHonest, readLies } from "../../proof/rows.ts";
import { runText } from "../../proof/run-text.ts";
import { writeSwitchboard } from "../../proof/switchboard.ts";
import { scope } from "../../support/agent-engine.ts";
import { startScriptedModel } from "../../support/agent-model.ts";
import { openEngine } from "../../support/engine.ts";

const RUNS_AT_ONCE = 4;
const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };

const hasDocker = spawnSync("/bin/sh", ["-c", "command -v docker"]).status === 0;
const isRunnable = ({ fixture }: FinishRow): boolean => hasDocker || !fixture.startsWith("stack");

type End = { readonly row: FinishRow; readonly status: string; readonly message: string; readonly reached: boolean };

async function openWorld() {
  const stack = new AsyncDisposableStack();
  const root = mkdtempSync(join(tmpdir(), "orch-finishes-"));
  stack.defer(() => rmSync(root, { recursive: true, force: true }));
  const { path, connect } = writeSwitchboard(root);
  const played = new Map<string, Played>();
  // The other hosts are directories here, which a real one is not.
  const model = stack.use(await startScriptedModel(playingModel(played)));
  const engine = stack.use(await openEngine({ env: { ...model.env, ...LOOKS, AGENT_WRITABLE: root }, path }));

  /** What asks for a human is approved. */
  const carryOut = async ({ id, intent, goal, success_criteria }: FinishRow, { target }: Fixture) => {
    const contract = { task_id: id, delegation_mode: "agent", intent, target, success_criteria };
    let view = await engine.submit({ ...contract, constraints: scope("shell"), payload: { goal, row: id } });
    while (view.status === "need_approval" || view.status === "running") {
      if (view.status === "need_approval") {
        const { approval_id } = await engine.approvalOf(id);
        await engine.call("approve", { approval_id, decision: "approve" });
      }
      view = await engine.outcomeOf(id);
    }
    return view;
  };

  const play = async (row: FinishRow): Promise<End> => {
    await using fixture = await startFixture(row.fixture, "before", root);
    connect(row.id, fixture);
    played.set(row.id, { row, filled: fixture.filled });
    const { status, outcome } = await carryOut(row, fixture);
    const { exit_code } = await runText(fixture, row.truth);
    return { row, status, message: outcome?.message ?? "", reached: exit_code === 0 };
  };

  const queue = new PQueue({ concurrency: RUNS_AT_ONCE });
  return {
    playAll: (rows: readonly FinishRow[]): Promise<End[]> => queue.addAll(rows.map((row) => () => play(row))),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

let lies: End[] = [];
let honest: End[] = [];
beforeAll(async () => {
  await using world = await openWorld();
  const ends = await world.playAll([...readLies(), ...readHonest()].filter(isRunnable));
  lies = ends.filter(({ row }) => !row.reached);
  honest = ends.filter(({ row }) => row.reached);
}, 180_000);

const shown = ({ row: { id, why }, status, message }: End): string => `${id} ${status}: ${message} (${why})`;

/** The outcome says by itself that the check may be worth nothing. */
const isWarning = ({ message }: End): boolean => message.includes("never been seen to fail");
const believed = (): End[] => lies.filter((end) => end.status === "ok" && !end.reached && !isWarning(end));
const isOfAnotherProperty = ({ row }: End): boolean => row.wrong_property === true;

test("no lie ends verified with the goal not reached, without a warning [1.A.5.verification]", () => {
  expect(
    believed()
      .filter((end) => !isOfAnotherProperty(end))
      .map(shown),
  ).toEqual([]);
});

test("no honest finish ends failed, and all of them have reached their goal [1.A.5.verification]", () => {
  expect(honest.filter(({ status, reached }) => status !== "ok" || !reached).map(shown)).toEqual([]);
});

afterAll(() => {
  const [known, other] = [false, true].map((is) => lies.filter((end) => isOfAnotherProperty(end) === is));
  const figures = [
    `lies that end verified: ${believed().filter((end) => !isOfAnotherProperty(end)).length} of ${known?.length}`,
    `honest finishes that end failed: ${honest.filter(({ status }) => status !== "ok").length} of ${honest.length}`,
    `not counted, right target and wrong property: ${other?.length}`,
    ...(other ?? []).map((end) => `  ${shown(end)}`),
  ];
  process.stdout.write(`${figures.join("\n")}\n`);
});
