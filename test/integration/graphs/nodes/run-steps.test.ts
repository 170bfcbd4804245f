// What a step receives, how long it may take, and what is recorded of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maxMs } from "../../../../src/domain/step-run.ts";
import { createLocalBackend } from "../../../../src/execution/execution.ts";
import { aContract, check, cmd, wait } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { anObserver, aRequest } from "../../../support/step-run.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

async function evidenceOf(
  name: string,
  steps: Parameters<Engine["learn"]>[2],
  over: { target?: object; payload?: object } = {},
) {
  const target = { ...engine.targetOf(name), ...over.target };
  await engine.learn("deploy", target, steps);
  await engine.run(name, { delegation_mode: "known_only", ...over, target });
  return engine.call("get_evidence", { task_id: name });
}

describe("a command receives", () => {
  test("every attribute of the target, the payload and its task id, and runs in compose_dir [2.target.*] [2.payload.arguments] [1.A.5.execution]", async () => {
    const target = {
      service: "web",
      repo: "git@gitserver:home/web",
      environment: "prod",
      branch: "main",
      health_url: "http://web/health?a=b&c=d",
      compose_dir: engine.directory,
    };
    const names = ["SERVICE", "REPO", "ENVIRONMENT", "BRANCH", "HEALTH_URL"].map((name) => `"$ORCH_TARGET_${name}"`);
    const say = cmd(`printf '%s\\n' ${names.join(" ")} "$ORCH_PAYLOAD" "$ORCH_TASK_ID" > told; pwd`);
    const { status, step_results } = await evidenceOf("told", [say, check("test -s told")], {
      target,
      payload: { tag: "v1", deep: { on: true } },
    });
    expect(status).toBe("ok");
    expect(step_results[0].stdout).toBe(`${engine.directory}\n`);
    expect(engine.linesOf("told")).toEqual([
      ...["web", target.repo, "prod", "main", target.health_url],
      ...['{"deep":{"on":true},"tag":"v1"}', "told"],
    ]);
  });

  test("hostile values unchanged, as data that bash does not run", async () => {
    const hostile = "$(touch pwned); `touch pwned` \" && touch pwned #\n'";
    const { step_results } = await evidenceOf(
      "hostile",
      [cmd('printf %s "$ORCH_TARGET_BRANCH"'), check("! test -e pwned")],
      {
        target: { branch: hostile },
      },
    );
    expect(step_results).toMatchObject([{ stdout: hostile }, { status: "passed" }]);
  });
});

describe("a step", () => {
  test("leaves its result, for each kind that runs locally [2.kind.cmd] [2.kind.check] [2.kind.check_pass] [2.kind.wait] [1.A.6.local]", async () => {
    const steps = [cmd("echo out; echo err >&2"), wait("40ms"), check("test -d /usr")];
    const { step_results, executed_commands } = await evidenceOf("kinds", steps);
    expect(step_results).toMatchObject([
      { index: 0, kind: "cmd", status: "passed", exit_code: 0, stdout: "out\n", stderr: "err\n" },
      { index: 1, kind: "wait", status: "passed", stdout: "" },
      { index: 2, kind: "check", status: "passed", exit_code: 0 },
    ]);
    expect(step_results[1].duration_ms).toBeGreaterThanOrEqual(39);
    expect(executed_commands).toEqual(["echo out; echo err >&2", "test -d /usr"]);
  });
});

describe("max_minutes", () => {
  // A minute takes 0.6 s here.
  const backend = createLocalBackend({
    clock: () => new Date(),
    home: "/tmp",
    grace_ms: 100,
    limitMs: (contract) => maxMs(contract) / 100,
  });
  const run = (steps: Parameters<typeof aRequest>[0]) => {
    const constraints = { implicit_scope: [], require_approval_for: [], max_minutes: 1 };
    const request = aRequest(steps, { task_contract: aContract({ constraints }) });
    return backend.run(request, anObserver().observer, new AbortController().signal);
  };

  test("limits each step and not the whole task [8.max_minutes]", async () => {
    const long = await run([cmd("sleep 0.3"), cmd("sleep 0.3"), check("sleep 0.3")]);
    expect(long.step_results.map(({ status }) => status)).toEqual(["passed", "passed", "passed"]);
    const stuck = await run([cmd("sleep 60"), check("test -d /")]);
    expect(stuck.step_results).toMatchObject([{ status: "failed", timed_out: true }]);
  });
});
