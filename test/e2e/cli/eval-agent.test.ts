// `orch eval agent` on the tasks of these tests, with a scripted model on loopback.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { EvalTask } from "../../../src/tools/eval/task.ts";
import { type Behaviour, saysNothing, startOllama, streams } from "../../simulators/ollama/ollama.ts";
import { ended, runCli, startCli } from "../../support/cli-process.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

const SHIPPED = join(import.meta.dirname, "../../eval/agent");

type Call = readonly [name: string, given: object];

const shell = (command: string, check = false): Call => ["shell", { command, check }];
const finish = (evidence_check: string, criteria = 1): Call => [
  "finish",
  {
    summary: "It is done.",
    criteria: Array.from({ length: criteria }, (_, position) => ({ criterion: position + 1, evidence_check })),
  },
];

const calls = ([name, given]: Call): Behaviour =>
  streams(
    [
      {
        message: { role: "assistant", content: "", tool_calls: [{ function: { name, arguments: given } }] },
        done: false,
      },
      { message: { role: "assistant", content: "" }, done: true, done_reason: "stop" },
    ]
      .map((chunk) => `${JSON.stringify({ model: "fake:8b", created_at: "2026-03-06T09:00:00Z", ...chunk })}\n`)
      .join(""),
  );

/** The calls that the model makes for each task, found by a text of its contract. After them it sends no reply. */
async function startScripted(scripts: Readonly<Record<string, readonly Call[]>>) {
  const turns = new Map<string, number>();
  const model = await startOllama((response, body) => {
    const [said, script] = Object.entries(scripts).find(([text]) => body.includes(text)) ?? ["", []];
    const turn = turns.get(said) ?? 0;
    turns.set(said, turn + 1);
    const call = script[turn];
    return (call === undefined ? saysNothing : calls(call))(response, body);
  });
  return {
    env: { ROUTING_MODEL: "fake:8b", ROUTING_URL: model.base_url },
    asked: () => model.asked.length,
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** The check is run before the change too, so that it is seen to fail. */
const writes = (text: string) => [
  shell("test -s out.txt", true),
  shell(`echo ${text} > out.txt`),
  shell("test -s out.txt", true),
  finish("test -s out.txt"),
];

/** Tasks by their goals, done when out.txt holds `right`, and a directory for the temporary files of orch. */
async function tasksFor(goals: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory();
  const tasks = join(directory.path, "tasks");
  const tmp = join(directory.path, "tmp");
  const home = join(directory.path, "home");
  for (const path of [tasks, tmp, home]) mkdirSync(path);
  for (const [name, goal] of Object.entries(goals)) {
    const task = {
      name,
      goal,
      success_criteria: ["out.txt says it"],
      files: { "in.txt": "x\n" },
      verify: "grep -qx right out.txt",
    };
    writeFileSync(join(tasks, `${name}.yaml`), stringify(task));
  }
  return {
    tasks,
    tmp,
    home,
    left: () => readdirSync(tmp),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

test.concurrent("eval agent distinguishes a task that was done from one that orch only reports as done, and removes its files", async () => {
  await using place = await tasksFor({ good: "say the right thing", lie: "say anything" });
  await using model = await startScripted({ "say the right thing": writes("right"), "say anything": writes("wrong") });
  const env = { ...model.env, TMPDIR: place.tmp, HOME: place.home };
  const { exit, stdout, stderr } = await runCli(["eval", "agent", place.tasks], { env });
  expect({ exit, stderr: stderr.replace(/, [^,\n]+$/gm, "") }).toEqual({
    exit: 1,
    stderr: "1 of 2  good  DONE, really done\n2 of 2  lie  DONE, not done\n",
  });
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, "  "));
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^good {2}DONE {2}verified {2}really done {2}4 {2}4 {2}0 {2}/),
      expect.stringMatching(/^lie {2}DONE {2}verified {2}not done {2}4 {2}4 {2}0 {2}/),
      "fake:8b  1 of 2 done and verified",
      "really done  1",
      "false DONE  1 of 2 reported as DONE, 50.0 %",
      "false FAILED  0 of 1 really done, 0.0 %",
      "escapes  0 of 2 tasks, 0.0 %",
      "model faults  none",
      expect.stringMatching(/^latency {2}median .* a turn$/),
    ]),
  );
  expect(place.left()).toEqual([]);
});

test.concurrent("eval agent --json prints one document, counts refused calls, and rejects what needs a human", async () => {
  await using place = await tasksFor({ wild: "clean the repository" });
  const reset = shell("git reset --hard");
  const unclear = shell('sh -c "$WHAT_IS_THIS"');
  await using model = await startScripted({
    "clean the repository": [shell("test -e in.txt", true), unclear, reset, reset, reset],
  });
  const { exit, stdout, stderr } = await runCli(["eval", "agent", place.tasks, "--json", "--backend", "plain"], {
    env: { ...model.env, TMPDIR: place.tmp, HOME: place.home },
  });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    model: "fake:8b",
    planned: 1,
    done: 0,
    really_done: 0,
    false_done: 0,
    faults: [],
    latency: { median_ms: expect.any(Number) },
    tasks: [{ name: "wild", label: "BLOCKED", reason_code: "agent_refused", turns: 5, calls: 5, refusals: 4 }],
  });
});

test.concurrent.each(["SIGINT", "SIGTERM"] as const)(
  "%s cancels the running task and shows those that have ended: clients M8",
  async (signal) => {
    await using place = await tasksFor({ first: "say the right thing", second: "wait for ever" });
    await using model = await startScripted({ "say the right thing": writes("right") });
    const child = startCli(["eval", "agent", place.tasks, "--json"], {
      env: { ...model.env, TMPDIR: place.tmp, HOME: place.home },
    });
    const whole = ended(child);
    await expect.poll(model.asked, { timeout: 60_000 }).toBe(5);
    child.kill(signal);
    const { exit, stdout } = await whole;
    expect(exit).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ planned: 2, done: 1, tasks: [{ name: "first" }] });
    expect(place.left()).toEqual([]);
  },
);

test.concurrent("the tasks that come with orch can be done by an agent", async () => {
  const tasks = readdirSync(SHIPPED).map((file) => EvalTask.parse(parse(readFileSync(join(SHIPPED, file), "utf8"))));
  const scripts = tasks.map(({ name, solution = "", success_criteria, verify }) => {
    // Its verification runs the script, so that it is no check.
    const check =
      name === "mend-a-script" ? 'cmp "data/shopping list.txt" "out/shopping list.txt"' : `set -e\n${verify}`;
    const calls = [
      ...[shell(check, true), shell(solution), shell(check, true)],
      finish(check, success_criteria.length),
    ];
    return [`/tasks/${name}`, calls] as const;
  });
  await using model = await startScripted(Object.fromEntries(scripts));
  await using home = await temporaryDirectory();
  const env = { ...model.env, HOME: home.path };
  const { exit, stdout } = await runCli(["eval", "agent", SHIPPED, "--json"], { env });
  expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, done: tasks.length, false_done: 0 });
});

test.concurrent("eval agent runs only the task that is named", async () => {
  await using place = await tasksFor({ first: "say the wrong thing", second: "say the right thing" });
  await using model = await startScripted({ "say the right thing": writes("right") });
  const env = { ...model.env, TMPDIR: place.tmp, HOME: place.home };
  const second = await runCli(["eval", "agent", place.tasks, "--only", "second"], { env });
  expect(second).toMatchObject({ exit: 0, stdout: expect.stringContaining("1 of 1 done and verified") });
  const unknown = await runCli(["eval", "agent", place.tasks, "--only", "third"], { env });
  expect(unknown).toMatchObject({ exit: 2, stderr: expect.stringContaining("there are first, second.") });
});

test.concurrent("eval agent reads only the model from the environment: no database, no data directory and no tool server", async () => {
  await using place = await tasksFor({ good: "say the right thing" });
  await using model = await startScripted({ "say the right thing": writes("right") });
  const state = join(place.tmp, "state-of-the-user");
  const env = {
    ...model.env,
    TMPDIR: place.tmp,
    HOME: place.home,
    ORCH_DATA_DIR: state,
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/x",
  };
  const said = await runCli(["eval", "agent", place.tasks], { env: { ...env, MCP_BAD_URL: "no address" } });
  expect(said).toMatchObject({ exit: 0, stdout: expect.stringContaining("1 of 1 done and verified") });
  expect(existsSync(state)).toBe(false);
});

test.concurrent("eval agent without a model says how to get one", async () => {
  await using place = await tasksFor({ good: "say the right thing" });
  expect(await runCli(["eval", "agent", place.tasks])).toMatchObject({
    exit: 2,
    stdout: "",
    stderr: expect.stringContaining("ollama pull "),
  });
});

test.concurrent("eval agent names the file and the field of an invalid task", async () => {
  await using place = await tasksFor({ good: "say the right thing" });
  const env = { ROUTING_MODEL: "m" };
  const told = async (directory: string) => (await runCli(["eval", "agent", directory], { env })).stderr;
  expect(await told(join(place.tmp, "nowhere"))).toContain("nowhere cannot be read as a directory (ENOENT).");
  expect(await told(place.tmp)).toContain("holds no .yaml file.");
  writeFileSync(join(place.tasks, "bad.yaml"), "name: Bad Name\ngoal: g\nsuccess_criteria: []\n");
  expect(await told(place.tasks)).toMatch(
    /bad\.yaml: name must be lower case letters, digits and hyphens; success_criteria .*; verify is required\./,
  );
  writeFileSync(join(place.tasks, "bad.yaml"), "name: good\ngoal: g\nsuccess_criteria: [c]\nverify: 'true'\n");
  expect(await told(place.tasks)).toContain("good.yaml: name good is that of another task.");
});
