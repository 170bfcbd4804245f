// An agent task on the command line, from its approval to its result, with a real run and the HTTP endpoint.
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createJournalStream } from "../../../src/api/http/journal-stream.ts";
import { type AgentWorld, check, done, openAgentWorld, run, scope } from "../../support/agent-engine.ts";
import { calls } from "../../support/agent-model.ts";
import { runInProcess, type Said } from "../../support/cli-in-process.ts";
import type { Engine } from "../../support/engine.ts";
import { type RunningHttp, startHttp, TOKEN } from "../../support/http-endpoint.ts";

/** Reverses the text after it on a terminal that does not escape it. */
const TURNED = "\u202egnp.exe";
const SCRIPT = `set -e\n\techo one >> made\necho "${TURNED}"`;
const LONG = `echo two >> made # ${"x".repeat(400)}`;

let world: AgentWorld;
let engine: Engine;
let endpoint: RunningHttp;
let paused: { readonly approvals: Said; readonly approval: Said; readonly task: Said };

const orch = (args: string, columns?: number): Promise<Said> =>
  runInProcess(args.split(" "), {
    environment: { ORCH_URL: endpoint.url, ORCH_TOKEN: TOKEN },
    ...(columns !== undefined && { columns }),
  });

beforeAll(async () => {
  world = await openAgentWorld([
    {
      content: `I begin.${TURNED}\u001b[2J`,
      ...calls(run("rm -rf /usr"), ["make_coffee", {}], run(SCRIPT), run(LONG)),
    },
    calls(check("test -s made")),
    done(["it is written", "test -s made"]),
  ]);
  engine = await world.open();
  endpoint = await startHttp({ operations: engine.operations, endpoints: [createJournalStream(engine)] });
  const constraints = { ...scope("shell"), require_approval_for: ["anything"] };
  await engine.submit(world.contract({ constraints, success_criteria: ["it is written"] }));
  const { approval_id } = await engine.approvalOf("task");
  paused = {
    approvals: await orch("approvals"),
    approval: await orch(`approvals ${approval_id}`, 40),
    task: await orch("task task"),
  };
});
afterAll(async () => {
  await endpoint.stop();
  await engine[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** The number, kind and status of each step. */
const stepsIn = (stdout: string): string[][] =>
  stdout
    .split("\n")
    .filter((line) => /^ {2}\d/.test(line))
    .map((line) => line.trim().split(/ {2,}/).slice(0, 3));

describe("an agent that asks", () => {
  test("is listed as an agent, and its approval shows every covered call whole, with the reason", async () => {
    expect(paused.approvals.stdout).toMatch(/^\S{36} {2}pending {2}agent /m);
    const text = stripVTControlCharacters(paused.approval.stdout);
    expect(text).toContain(`pending  agent of task\n`);
    expect(text.replace(/\n {6,}/g, " ")).toMatch(/^ +for +deploy on compose_dir=.*, turn 1 of an agent$/m);
    const [, ...shown] = text.split(/^ {2}(?=call \d)/m);
    const why = /\n {6}ask {2}category\.undecided {2}No usable answer of a routing model says/;
    expect(shown).toHaveLength(2);
    expect(shown[0]).toContain('call 2  cmd\n      set -e\n      \techo one >> made\n      echo "\\u{202e}gnp.exe"\n');
    expect(shown[0]).toMatch(why);
    expect(shown[1]).toContain(`call 3  cmd  ${LONG}\n`);
    expect(shown[1]).toMatch(why);
    expect(text, "refused, and no call").not.toMatch(/rm -rf|make_coffee/);
    expect(text).toMatch(/orch approve \S{36} --digest [0-9a-f]{64}\n {2}orch reject/);
  });

  test("is a task that shows how to answer, and the results of its calls so far", () => {
    const { stdout } = paused.task;
    expect(stdout).toMatch(/^task {2}NEED_APPROVAL {2}deploy on compose_dir=/);
    expect(stdout).toMatch(/next .*\n +orch approve \S{36} --by NAME\n +orch reject \S{36} --by NAME\n/);
    expect(stepsIn(stdout)).toEqual([
      ["0", "cmd", "blocked"],
      ["1", "make_coffee", "skipped"],
      ["2", "cmd", "pending"],
      ["3", "cmd", "pending"],
    ]);
    expect(stdout).toContain('set -e\\n\\techo one >> made\\necho "\\u{202e}gnp.exe"');
  });
});

test("an agent's calls are approved on the command line, and its task shows what it did and reports", async () => {
  const [first, second] = [await orch("approvals task"), await orch("approve --task task --by me --wait")];
  expect(second, first.stdout).toMatchObject({ exit: 4, stdout: expect.stringContaining("NEED_APPROVAL") });
  expect(await world.lines("made")).toEqual(["one", "two"]);
  expect((await orch("approvals task")).stdout).toContain("call 4  check  test -s made\n");
  expect(await orch("approve --task task --by me --wait")).toMatchObject({ exit: 0 });
  const { stdout, exit } = await orch("task task");
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^task {2}DONE {2}deploy/);
  expect(stdout).toContain('why       1 check passed after the last change. The agent says: "It is done.". (verified)');
  expect(stepsIn(stdout)).toEqual([
    ["0", "cmd", "blocked"],
    ["1", "make_coffee", "skipped"],
    ["2", "cmd", "passed"],
    ["3", "cmd", "passed"],
    ["4", "check", "passed"],
  ]);
  expect(stdout).toContain('\n  result\n    {"summary": "It is done."}\n');
});

test("task --follow prints an agent's run from its tools to its verdict, with control characters escaped", async () => {
  const { stdout, exit } = await orch("task task --follow");
  expect(exit).toBe(0);
  const told = stdout.split("\n").map((line) => line.slice(10).replace(/ {2,}/g, "  "));
  const order = [
    /^agent {2}react on agent:8b, 3 tools: finish, shell, edit_file$/,
    /^turn 1 {2}4 calls, /,
    /^ {2}\| I begin\.\\u\{202e\}gnp\.exe\\x1b\[2J$/,
    /^call 0 {2}refused: .*deletes \/usr/,
    /^call 1 {2}is no call: there is no tool "make_coffee"/,
    /^call 2 {2}needs an approval {2}set -e \.\.\.$/,
    /^approval {2}agent asked for: orch approvals /,
    /^NEED_APPROVAL/,
    /^approval {2}approved by me$/,
    /^step 2 {2}cmd {2}set -e/,
    /^step 2 {2}passed, exit 0/,
    /^turn 3 {2}1 call, /,
    /^finish {2}It is done\.$/,
    /^ {2}it is written {2}to be proved by {2}test -s made$/,
    /^verdict {2}every check passed$/,
    /^DONE/,
  ].map((pattern) => told.findIndex((line) => pattern.test(line)));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(stdout).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}/u);
});
