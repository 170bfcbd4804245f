// Judges a labelled row as orch does: a look before the goal is reached, the other looks after it, and the class of all.
// An attack is judged with its goal not reached.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isRed, readsBefore } from "../../src/domain/step-run.ts";
import { shellContextOf } from "../../src/engine/policy/judge-plan.ts";
import { createExaminer } from "../../src/engine/tasks/check-looks.ts";
import { createRunCommand } from "../../src/execution/execution.ts";
import { createCheckProbes, type ProbesOf } from "../../src/execution/local/control/check-looks.ts";
import { createDisk, textAtOf } from "../../src/execution/local/disk.ts";
import { PLAIN_STEP } from "../../src/execution/sandbox/sandbox.ts";
import { effectOf } from "../../src/guard/guard.ts";
import { type CheckProof, type Examination, hasOnce, proofOf } from "../../src/proof/proof.ts";
import { aContract } from "../support/builders.ts";
import { judgeHere } from "../support/judge-here.ts";
import { memoryStore } from "../support/memory-store.ts";
import { anAgentSandbox } from "../support/sandboxes.ts";
import { type Fixture, startFixture } from "./fixtures.ts";
import { type CheckRow, readAttacks, readChecks } from "./rows.ts";
import { runText, SYSTEM_PATH } from "./run-text.ts";

const BEFORE_MS = 10_000;
const LIMIT_MS = 20_000;
const CHECKOUT = join(import.meta.dirname, "../..");

export type JudgedRow = {
  readonly row: CheckRow;
  readonly label: string;
  /** Only a check that passes is worth something. */
  readonly got: CheckProof["class"] | "failed";
  readonly proof: CheckProof;
  readonly examination: Examination;
  readonly before: "red" | "green" | "cannot_tell" | null;
  /** Of the examination. */
  readonly ms: number;
};

const find = (name: string) => spawnSync("/bin/sh", ["-c", `command -v ${name}`], { env: { PATH: SYSTEM_PATH } });
const JQ = spawnSync("/bin/sh", ["-c", "jq --version"], { encoding: "utf8" }).stdout ?? "";
const hasNewJq = /^jq-(1\.([7-9]|\d\d)|[2-9])/.test(JQ);

/** Rows whose programs are all here, and that need no network. */
export function runnableRows(): CheckRow[] {
  const rows = [...readChecks(), ...readAttacks()];
  const names = new Set(["jq", ...rows.flatMap(({ needs }) => needs)]);
  const missing = new Set([...names].filter((name) => find(name).status !== 0));
  const isMissing = ({ needs, jq, label }: CheckRow) =>
    label !== "cannot_tell" && (needs.some((name) => missing.has(name)) || (jq === true && missing.has("jq")));
  return rows.filter((row) => row.needs_network !== true && !isMissing(row));
}

const labelOf = ({ label, label_with_jq_17 }: CheckRow): string =>
  hasNewJq && label_with_jq_17 !== undefined ? label_with_jq_17 : label;

/** Closed with the process: the probes are shared, so that the machine is read once. */
export function createRowJudge({ before_ms = BEFORE_MS }: { readonly before_ms?: number } = {}) {
  const probes = createCheckProbes({
    textAt: textAtOf(createDisk([], (text) => text)),
    account: { home: "/root", path: SYSTEM_PATH },
    runCommand: createRunCommand(),
    hidden: [CHECKOUT],
    plain: PLAIN_STEP,
    agent: anAgentSandbox(),
    inNetwork: (run) => run,
  });
  return async (row: CheckRow): Promise<JudgedRow> => {
    await using fixture = await startFixture(row.fixture, "before");
    const text = fixture.filled(row.text);
    const contract = aContract({
      task_id: "labelled-1",
      target: fixture.target,
      payload: { version: "2.4.0" },
      constraints: { implicit_scope: [], require_approval_for: [], max_minutes: 10 },
    });
    const store = memoryStore();
    const clock = () => new Date();
    const parts = { probes: probesOn(fixture, probes), judge: judgeHere, home: fixture.home, version: "1" };
    const examiner = createExaminer({ store, clock, ...parts });
    const first = row.before === "none" ? null : await runText(fixture, row.text, { limit_ms: before_ms });
    // What an attack does in a task it may have done in an earlier one.
    if (first?.exit_code != null && isRed(first.exit_code) && row.kind === "attack")
      await store.commit({ thread_id: "t", after: null, events: [], changes: [examiner.redRun({ text, contract })] });
    const looksOnly = effectOf(text, shellContextOf(contract, fixture.home)).is === "reads";
    const before = first === null || !looksOnly || hasOnce(text) ? null : colourOf(first.exit_code);
    if (row.kind !== "attack") await fixture.reach();
    if (row.wait_s !== undefined) await setTimeout(row.wait_s * 1000);
    const given = readsBefore(text) && first !== null ? { before: first.stdout } : {};
    const last = await runText(fixture, row.text, { limit_ms: LIMIT_MS, ...given });
    const begun = performance.now();
    const examination = await examiner.examine({ text, contract, commands: [], decoy_on: "machine" });
    const ms = Math.round(performance.now() - begun);
    const proof = proofOf(examination, before === null ? null : { answer: before });
    const passed = last.exit_code === 0;
    return { row, label: labelOf(row), got: passed ? proof.class : "failed", proof, examination, before, ms };
  };
}

/**
 * The account of the fixture: its home, and its programs first. An empty world has the programs of the machine, which say there
 * what they say where nothing is installed.
 */
function probesOn(fixture: Fixture, probes: ProbesOf): ProbesOf {
  const home = { HOME: fixture.home };
  const own = { ...home, PATH: `${fixture.path}:${SYSTEM_PATH}` };
  return (by_agent) => {
    const here = probes(by_agent);
    return {
      ...here,
      control: (check) =>
        here.control({ ...check, env: { ...check.env, ...home }, directory: check.directory ?? fixture.home }),
      decoy: (scriptIn) =>
        here.decoy(async (directory) => {
          const { script, env } = await scriptIn(directory);
          return { script, env: { ...env, ...own } };
        }),
    };
  };
}

const colourOf = (exit_code: number | null): "red" | "green" | "cannot_tell" =>
  exit_code === 0 ? "green" : exit_code !== null && isRed(exit_code) ? "red" : "cannot_tell";
