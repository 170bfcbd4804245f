import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import PQueue from "p-queue";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fixture, startFixture, type When } from "../../proof/fixtures.ts";
import { type CheckRow, readAttacks, readChecks, readHonest, readLies } from "../../proof/rows.ts";
import { runText } from "../../proof/run-text.ts";

const RUNS_AT_ONCE = 4;
const LIMIT_MS = 20_000;
/** A check that is to be red may go on waiting: it has not become green. */
const RED_LIMIT_MS = 2_000;

const has = (program: string): boolean => spawnSync("/bin/sh", ["-c", `command -v ${program}`]).status === 0;
const MISSING = new Set(["jq", ...[...readChecks(), ...readAttacks()].flatMap(({ needs }) => needs)]);
for (const program of MISSING) if (has(program)) MISSING.delete(program);
if (MISSING.size > 0)
  process.stdout.write(`Not installed here, so their rows are not run: ${[...MISSING].join(", ")}\n`);

const isRunnable = ({ needs, jq, needs_network, label }: CheckRow): boolean =>
  ![...needs, ...(jq === true ? ["jq"] : [])].some((program) => MISSING.has(program)) &&
  needs_network === undefined &&
  label !== "cannot_tell";

let fast = "";
beforeAll(() => {
  fast = mkdtempSync(join(tmpdir(), "orch-fast-"));
  const hundredths = `#!/bin/sh\nn=\${1%%.*}\nexec /bin/sleep "$(printf '%d.%02d' $((n / 100)) $((n % 100)))"\n`;
  writeFileSync(join(fast, "sleep"), hundredths, { mode: 0o755 });
});
afterAll(() => rmSync(fast, { recursive: true, force: true }));

/** What differs from the colour that is expected, a line a row. The rows of a fixture share it, because a check writes nothing. */
async function differences(
  rows: readonly CheckRow[],
  when: When,
  expected: (row: CheckRow) => string,
): Promise<string[]> {
  await using stack = new AsyncDisposableStack();
  const fixtures = new Map<string, Promise<Fixture>>();
  const fixtureOf = (row: CheckRow) => {
    const started = fixtures.get(row.fixture) ?? startFixture(row.fixture, when).then((one) => stack.use(one));
    fixtures.set(row.fixture, started);
    return started;
  };
  return await forEachRow(rows, async (row) => {
    const wanted = expected(row);
    const limit_ms = wanted === "green" ? LIMIT_MS : RED_LIMIT_MS;
    const { exit_code, stderr } = await runText(await fixtureOf(row), row.text, { first: fast, limit_ms });
    // Only a loop may be red by going on.
    const waits = exit_code === null && row.kind !== "loop";
    const seen = exit_code === 0 ? "green" : waits ? "slow" : "red";
    return seen === wanted ? null : `${row.id} is to be ${wanted} and exits with ${exit_code}: ${stderr.slice(-200)}`;
  });
}

async function forEachRow<Row>(rows: readonly Row[], look: (row: Row) => Promise<string | null>): Promise<string[]> {
  const queue = new PQueue({ concurrency: RUNS_AT_ONCE });
  const found = await queue.addAll(rows.map((row) => () => look(row)));
  return found.filter((one) => one !== null);
}

test("bash reads every text", () => {
  const texts = [...readChecks(), ...readAttacks()].map(({ id, text }) => ({ id, text }));
  const commands = [...readLies(), ...readHonest()].flatMap(({ id, calls, truth }) =>
    [...calls.map((call) => call.arguments.command), truth].map((text) => ({ id, text })),
  );
  const faults = [...texts, ...commands].flatMap(({ id, text }) => {
    const { status, stderr } = spawnSync("/bin/bash", ["--norc", "-n"], { input: text, encoding: "utf8" });
    return status === 0 ? [] : [`${id}: ${stderr}`];
  });
  expect(faults).toEqual([]);
});

const runnable = readChecks().filter(isRunnable);

describe("a labelled check", { timeout: 120_000 }, () => {
  test("is green when the goal of its fixture is reached, for each label", async () => {
    expect(await differences(runnable, "after", () => "green")).toEqual([]);
  });

  test("has the colour of its row before the goal is reached", async () => {
    const looked = runnable.filter(({ before }) => before !== "none");
    expect(await differences(looked, "before", ({ before }) => before)).toEqual([]);
  });
});

test("an attack is green with the goal not reached, at the latest in its second run", {
  timeout: 120_000,
}, async () => {
  const attacks = readAttacks().filter((row) => isRunnable(row) && row.before !== "none");
  const wrong = await forEachRow(attacks, async ({ id, fixture: name, text, before, wait_s = 0 }) => {
    await using fixture = await startFixture(name, "before");
    const first = await runText(fixture, text, { limit_ms: LIMIT_MS });
    await setTimeout(wait_s * 1000);
    const second = await runText(fixture, text, { limit_ms: LIMIT_MS, before: first.stdout });
    const isAsLabelled = (first.exit_code === 0) === (before === "green") && second.exit_code === 0;
    return isAsLabelled ? null : `${id} ${first.exit_code} ${second.exit_code} ${second.stderr.slice(-200)}`;
  });
  expect(wrong).toEqual([]);
});

test("a scripted finish reaches its goal exactly when its row says so", { timeout: 120_000 }, async () => {
  const wrong = await forEachRow([...readLies(), ...readHonest()], async (row) => {
    await using fixture = await startFixture(row.fixture, "before");
    for (const { arguments: given } of row.calls)
      await runText(fixture, given.command, { strict: given.check === undefined, limit_ms: LIMIT_MS });
    const { exit_code, stderr } = await runText(fixture, row.truth, { limit_ms: LIMIT_MS });
    return (exit_code === 0) === row.reached ? null : `${row.id} ${exit_code} ${stderr}`;
  });
  expect(wrong).toEqual([]);
});
