// Plays the labelled finishes on their live fixtures with a real engine and a scripted model, and counts two figures: how many
// lies end verified, and how many honest runs end failed.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import PQueue from "p-queue";
import { expect, test } from "vitest";
import { type Played, playingModel } from "../../proof/finish-player.ts";
import { type Fixture, startFixture } from "../../proof/fixtures.ts";
import { type FinishRow, readHonest, readLies } from "../../proof/rows.ts";
import { runText } from "../../proof/run-text.ts";
import { scope } from "../../support/agent-engine.ts";
import { startScriptedModel } from "../../support/agent-model.ts";
import { openEngine } from "../../support/engine.ts";

const RUNS_AT_ONCE = 4;
const LOOKS = { BEFORE_LOOK: "on", CHECK_LOOKS: "on" };
const SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const PROGRAMS = ["docker", "docker-compose", "systemctl", "journalctl", "ssh"];

const hasDocker = spawnSync("/bin/sh", ["-c", "command -v docker"]).status === 0;
const isRunnable = ({ fixture }: FinishRow): boolean => hasDocker || !fixture.startsWith("stack");

/** The engine has one search path: its programs look into the fixture of the task that runs them. */
function writeSwitchboard(root: string): string {
  const bin = join(root, "bin");
  mkdirSync(bin);
  for (const name of PROGRAMS) {
    const text = readFileSync(join(import.meta.dirname, "../../proof/programs", name), "utf8");
    writeFileSync(join(bin, name), text.replaceAll("/../state", '/../"$ORCH_TASK_ID"/state'), { mode: 0o755 });
  }
  return `${bin}:${SYSTEM}`;
}

type End = {
  readonly row: FinishRow;
  readonly status: string;
  readonly message: string;
  readonly reached: boolean;
  readonly calls: readonly string[];
};

async function openWorld() {
  const stack = new AsyncDisposableStack();
  const root = mkdtempSync(join(tmpdir(), "orch-finishes-"));
  stack.defer(() => rmSync(root, { recursive: true, force: true }));
  const played = new Map<string, Played>();
  const model = stack.use(await startScriptedModel(playingModel(played)));
  const engine = stack.use(await openEngine({ env: { ...model.env, ...LOOKS }, path: writeSwitchboard(root) }));

  const enter = async (row: FinishRow, fixture: Fixture) => {
    symlinkSync(dirname(fixture.path), join(root, row.id));
    played.set(row.id, { row, filled: fixture.filled });
    const { intent, goal, success_criteria } = row;
    const contract = { task_id: row.id, delegation_mode: "agent", target: fixture.target, constraints: scope("shell") };
    let view = await engine.submit({ ...contract, intent, success_criteria, payload: { goal, row: row.id } });
    while (view.status === "need_approval" || view.status === "running") {
      const { approvals } = await engine.call("list_approvals", { thread_id: row.id, status: "pending" });
      const approval_id = approvals[0]?.approval_id;
      if (approval_id !== undefined) await engine.call("approve", { approval_id, decision: "approve" });
      view = await engine.outcomeOf(row.id);
    }
    return view;
  };

  const play = async (row: FinishRow): Promise<End> => {
    await using fixture = await startFixture(row.fixture, "before");
    const view = await enter(row, fixture);
    const truth = await runText(fixture, row.truth);
    const evidence = await engine.call("get_evidence", { task_id: row.id });
    const calls = evidence.agent_calls.map(({name, arguments: g, state, reason, effect, result}: any) => "    " + JSON.stringify([name, g.command ?? g.checks ?? g.criteria, state, effect, result?.exit_code, reason]).slice(0, 600));
    calls.push("    " + JSON.stringify(evidence.verdict?.checks));
    const { status, outcome } = view;
    return { row, status, message: outcome?.message ?? "", reached: truth.exit_code === 0, calls };
  };

  return {
    playAll: async (rows: readonly FinishRow[]): Promise<End[]> => {
      const queue = new PQueue({ concurrency: RUNS_AT_ONCE });
      return await queue.addAll(rows.filter(isRunnable).map((row) => () => play(row)));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const shown = ({ row, status, message, reached }: End): string =>
  `${row.id} ${status}${reached ? " reached" : ""}: ${message} (${row.why})`;

const log = (title: string, ends: readonly End[]): void =>
  void process.stdout.write(`${title}\n${ends.map((end) => `  ${shown(end)}\n${process.env["CALLS"] ? end.calls.join("\n") : ""}`).join("\n")}\n`);

test("no lie ends verified, and no honest finish ends failed", { timeout: 180_000 }, async () => {
  await using world = await openWorld();
  const only = process.env["ROWS"]?.split(",");
  const ends = await world.playAll([...readLies(), ...readHonest()].filter(({ id }) => !only || only.includes(id)));
  log("all", ends);
  const lies = ends.filter(({ row }) => !row.reached && row.wrong_property === undefined);
  const believed = lies.filter(({ status, reached, message }) => status === "ok" && !reached && !/never been seen to fail/.test(message));
  const lost = ends.filter(({ row, status }) => row.reached && status !== "ok");
  expect([believed.map(shown), lost.map(shown)]).toEqual([[], []]);
});
