import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type AgentWorld, done, openAgentWorld, run } from "../../../support/agent-engine.ts";
import { calls } from "../../../support/agent-model.ts";
import { runInProcess } from "../../../support/cli-in-process.ts";
import { littleServer } from "../../../support/cli-server.ts";
import type { Engine } from "../../../support/engine.ts";
import { type RunningHttp, startHttp, TOKEN } from "../../../support/http-endpoint.ts";

let world: AgentWorld;
let engine: Engine;
let endpoint: RunningHttp;
let file: string;

const orch = (...args: string[]) =>
  runInProcess(args, { environment: { ORCH_URL: endpoint.url, ORCH_TOKEN: TOKEN }, cwd: world.directory });

beforeAll(async () => {
  world = await openAgentWorld([
    calls(run("echo 'half\u202e' > made; exit 3"), run("echo one > web.state")),
    done(["it is written", "test -s web.state"]),
  ]);
  engine = await world.open();
  endpoint = await startHttp({ operations: engine.operations });
  const target = { service: "web", compose_dir: world.directory };
  const task = await engine.submit(world.contract({ target, success_criteria: ["it is written"] }));
  expect(task.status).toBe("ok");
  file = (await engine.call("propose_sop", { task_id: "task" })).file;
});
afterAll(async () => {
  await endpoint.stop();
  await engine[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const LEFT_OUT =
  "left out: call 0, echo 'half\\u{202e}' > made; exit 3: it ended failed with exit code 3, and may have done a part of its work";

describe("orch sop propose", () => {
  test("writes the draft to stdout, and what it leaves out to stderr", async () => {
    const said = await orch("sop", "propose", "task");
    expect(said).toEqual({ exit: 0, stdout: file, stderr: expect.stringContaining(LEFT_OUT) });
    expect(parse(said.stdout)).toMatchObject({
      intent: "deploy",
      steps: [
        { kind: "cmd", value: 'echo one > "$ORCH_TARGET_SERVICE".state' },
        { kind: "check", value: 'test -s "$ORCH_TARGET_SERVICE".state' },
      ],
      criteria: { "it is written": 1 },
    });
  });

  test("prints one document with --json", async () => {
    const { exit, stdout, stderr } = await orch("sop", "propose", "task", "--json");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      file,
      issues: [],
      left_out: [{ index: 0, why: expect.stringContaining("it ended failed") }],
    });
  });

  test.each([
    ["taught", ["teach"]],
    ["imported", ["sop", "import"]],
  ])("writes a file that can be %s without changes", async (_how, command) => {
    await orch("sop", "propose", "task", "taught.yaml", "--force");
    const { exit, stdout, stderr } = await orch(...command, "taught.yaml");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain("candidate");
  });
});

test("sop propose warns of what teach would refuse, with control characters escaped", async () => {
  const left_out = [{ index: 0, command: "echo \u001b[2J", why: "it ended\u001b[2J failed" }];
  const issues = [{ path: "steps.0", message: "rm.wide: it deletes \u001b[2Jall" }];
  const warnings = ["call 0 \u001b[2J may have done a part of its work"];
  const checks = [{ step_index: 1, proof: "proved", seen_red: ["before"], change: "became_true", reason: null }];
  const left_literal = [
    { step_index: 0, key: "target.service", value: "web\u001b[2J", where: "cmd", why: "it is code" },
  ];
  const proposal = await engine.call("propose_sop", { task_id: "task" });
  await using server = await littleServer(() => ({
    body: { ...proposal, left_out, warnings, checks, left_literal, issues },
  }));
  const said = await runInProcess(["sop", "propose", "task"], {
    environment: { ORCH_URL: server.url, ORCH_TOKEN: TOKEN },
  });
  expect(said).toEqual({
    exit: 0,
    stdout: file,
    stderr: [
      "warning: call 0 \\x1b[2J may have done a part of its work\n",
      "check step 1: proved; seen red: before; became true\n",
      "left out: call 0, echo \\x1b[2J: it ended\\x1b[2J failed\n",
      "left literal: step 0, cmd: target.service web\\x1b[2J: it is code\n",
      "teach would refuse steps.0: rm.wide: it deletes \\x1b[2Jall\n",
    ].join(""),
  });
});
