// A step that changes another machine and loses its answer never runs twice, although the routing model says transient. Servers and shells
// are real ones on loopback.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Step } from "../../../src/domain/step.ts";
import { check } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { freePort } from "../../support/free-port.ts";
import { hasSshd, type LosingWay, startLosingServer, startSshd } from "../../support/lost-answers.ts";
import { type RoutingModel, startRoutingModel } from "../../support/routing-model.ts";

let engine: Engine;
let model: RoutingModel;
let server: Awaited<ReturnType<typeof startLosingServer>>;
beforeAll(async () => {
  model = await startRoutingModel();
  engine = await openEngine({ env: model.env });
  server = await startLosingServer();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

type CmdStep = Extract<Step, { kind: "cmd" }>;
const cmd = (value: string): CmdStep => ({ kind: "cmd", value });
const DONE = check("test -d /");

/** The model calls every failure transient. */
async function run(name: string, step: CmdStep, { is_asked = true } = {}) {
  if (is_asked) model.says(step.value, { error_type: "transient" });
  await engine.plant("deploy", engine.targetOf(name), [step, DONE]);
  return engine.run(name, { delegation_mode: "known_only" });
}

const UNKNOWN = { status: "need_input", outcome: { reason_code: "step_outcome_unknown", step_index: 0 } };

describe("a request that changes something and loses its answer", () => {
  test.each<[string, LosingWay, (url: string) => string]>([
    ["promises 1.1: reset, exit 56", "resets", (url) => `curl -fsS -X POST ${url}`],
    ["promises 1.1: closed empty, exit 52", "closes", (url) => `curl -fsS -X POST ${url}`],
    ["half an answer, exit 18", "cuts", (url) => `curl -fsS -X POST ${url}`],
    ["a time-out of curl", "waits", (url) => `curl -fsS -m 1 -X POST ${url}`],
    ["a time-out around curl", "waits", (url) => `timeout 1 curl -fsS -X POST ${url}`],
    ["a client that says nothing", "resets", (url) => `curl -s -X POST ${url}`],
    ["another exit code", "resets", (url) => `curl -sS -X POST ${url} || exit 1`],
    ["a pipeline", "closes", (url) => `printf x | curl -fsS --data-binary @- ${url} | cat`],
    ["a shell in the shell", "resets", (url) => `bash -c 'curl -fsS -X DELETE ${url}'`],
    ["HTTP 500", "500", (url) => `curl -fsS -X POST ${url}`],
    ["HTTP 502", "502", (url) => `curl -fsS -X PUT ${url}`],
    ["HTTP 503", "503", (url) => `curl -fsS -d x ${url}`],
    ["HTTP 504", "504", (url) => `curl -fsS --json '{}' ${url}`],
    ["wget", "closes", (url) => `wget -q -t 1 -O - --post-data=x ${url}`],
    ["python", "resets", (url) => `python3 -c "import urllib.request as u; u.urlopen(u.Request('${url}', data=b'x'))"`],
    ["node", "closes", (url) => `node -e "fetch('${url}', { method: 'POST' })"`],
    [
      "a socket of bash",
      "resets",
      () =>
        `exec 3<>/dev/tcp/127.0.0.1/${server.port}; printf 'POST /resets/sock HTTP/1.1\\r\\n\\r\\n' >&3; sleep 0.3; read -r line <&3 || { echo "connection closed" >&2; exit 1; }`,
    ],
    [
      "the second of two requests is refused",
      "200",
      (url) => `curl -fsS -X POST ${url}; curl -fsS -X POST http://127.0.0.1:9/x`,
    ],
  ])("%s: it is sent once", async (what, way, commandOf) => {
    const name = `lost-${what.replace(/\W+/g, "-").toLowerCase()}`;
    const counted = what === "a socket of bash" ? "sock" : name;
    const task = await run(name, cmd(commandOf(server.url(way, name))));
    expect(server.effectsOf(counted), task.outcome.message).toBe(1);
    if (way !== "200") expect(task).toMatchObject(UNKNOWN);
    else expect(task).toMatchObject({ status: "failed" });
    expect(model.askedAbout(commandOf(server.url(way, name)))).toEqual([]);
  });

  test("promises 1.5: without a usable model it is an unknown outcome too", async () => {
    const task = await run("no-model", cmd(`curl -fsS -X POST ${server.url("resets", "no-model")}`), {
      is_asked: false,
    });
    expect(task).toMatchObject(UNKNOWN);
    expect(task.outcome.next[0]).toMatchObject({ operation: "resolve_step" });
  });

  test("a script on disk that sends counts as what it runs", async () => {
    writeFileSync(join(engine.directory, "send.sh"), `curl -fsS -X POST ${server.url("closes", "script")}\n`);
    expect(await run("script", cmd("bash ./send.sh"))).toMatchObject(UNKNOWN);
    expect(server.effectsOf("script")).toBe(1);
  });

  test("a resolution that says it succeeded lets the task go on, and nothing is sent again", async () => {
    await run("resolved", cmd(`curl -fsS -X POST ${server.url("resets", "resolved")}`));
    const task = await engine.call("resolve_step", { task_id: "resolved", resolution: "succeeded", wait_seconds: 30 });
    expect(task).toMatchObject({ status: "ok" });
    expect(server.effectsOf("resolved")).toBe(1);
  });
});

test("the promotion of a run in which a step passed by the word of the supervisor says so", async () => {
  const name = "by-word";
  const steps = [cmd(`curl -fsS -X POST ${server.url("resets", name)}`), DONE];
  await engine.call("submit_task", engine.contract(name, { success_criteria: ["done"] }));
  expect(await engine.call("teach", { task_id: name, steps, wait_seconds: 30 })).toMatchObject({ task: UNKNOWN });
  const answer = { task_id: name, resolution: "succeeded", wait_seconds: 30 };
  const { status } = await engine.call("resolve_step", answer);
  expect(status).toBe("ok");
  const { sops } = await engine.call("list_sops", {});
  const taught = sops.find(({ origin }: { origin: string }) => origin.includes(name));
  const { content } = await engine.approvalOf(`promotion/${taught.sop_id}`);
  expect(content.proof.warnings).toContain(
    `Task ${name}: the supervisor said that step 0 had succeeded; orch has not seen it.`,
  );
});

describe("a retry that is safe", () => {
  test("a server that cannot be reached is asked again", async () => {
    const text = `curl -fsS -X POST http://127.0.0.1:${await freePort()}/x`;
    const task = await run("refused", cmd(text));
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed" } });
    expect(model.askedAbout(text)).toHaveLength(1);
    expect(task.steps[0]).toMatchObject({ attempt: 2 });
  });

  test.each<[string, string, LosingWay, (url: string) => CmdStep]>([
    ["a rate limit, because nothing was accepted", "rate", "429", (url) => cmd(`curl -fsS -X POST ${url}`)],
    ["a request that only reads", "reads", "resets", (url) => cmd(`curl -fsS ${url}`)],
    ["a file that is fetched", "fetch", "closes", (url) => cmd(`curl -fsS -o got ${url}`)],
    [
      "what says that it is idempotent",
      "idem",
      "resets",
      (url) => ({ ...cmd(`curl -fsS -X PUT ${url}`), idempotent: true }),
    ],
  ])("%s is sent again", async (_what, name, way, stepOf) => {
    const step = stepOf(server.url(way, name));
    expect(await run(name, step)).toMatchObject({ status: "failed" });
    expect(server.effectsOf(name)).toBe(2);
    if (step.idempotent) expect(model.askedAbout(step.value)).toEqual([]);
  });

  test("a step that says that it is idempotent is retried without a model too", async () => {
    await using alone = await openEngine();
    const text = `curl -fsS -X PUT ${server.url("resets", "idem-alone")}`;
    await alone.learn("deploy", alone.targetOf("idem-alone"), [{ ...cmd(text), idempotent: true }, check("test -d /")]);
    expect(await alone.run("idem-alone")).toMatchObject({ status: "failed", steps: [{ attempt: 2 }, {}] });
    expect(server.effectsOf("idem-alone")).toBe(2);
  });
});

describe("the reconcile command after a lost answer (promises 5.4)", () => {
  const reconciled = (name: string, way: LosingWay, reconcile: string) =>
    run(name, { ...cmd(`curl -fsS -m 2 -X POST ${server.url(way, name)}`), reconcile });

  test("lets the task go on where it says done", async () => {
    expect(await reconciled("rec-done", "resets", "exit 0")).toMatchObject({ status: "ok" });
    expect(server.effectsOf("rec-done")).toBe(1);
  });

  test.each([
    ["it says not done", "rec-not", 'test "$(wc -l < rec-not 2>/dev/null || echo 0)" -ge 9; exit 1'],
    ["a pipe has looked and found nothing", "rec-pipe", "seq 100000 | grep -q never"],
  ])("lets the step run again where %s, and the server has closed the exchange", async (_what, name, look) => {
    await reconciled(name, "closes", look);
    expect(server.effectsOf(name)).toBeGreaterThan(1);
  });

  test.each<[string, string, LosingWay, string, string]>([
    ["not done, and the request may still run there", "rec-late", "waits", "exit 1", "it may still run on 127.0.0.1"],
    ["neither", "rec-none", "resets", "exit 3", ""],
  ])("leaves it to a human where it says %s", async (_what, name, way, look, words) => {
    const task = await reconciled(name, way, look);
    expect(task).toMatchObject(UNKNOWN);
    expect(task.outcome.message).toContain(words);
    expect(server.effectsOf(name)).toBe(1);
  });

  test.each([
    ["a daemon that is away", () => "docker -H tcp://127.0.0.1:1 ps -q | grep -q ."],
    ["a request that gets no answer", (url: string) => `curl -fsS ${url} | grep -q done`],
    ["a silent client in a pipe", (url: string) => `curl -s ${url} | grep -q done`],
    [
      "a silent client in a condition",
      (url: string) => `if curl -s ${url} | grep -q done; then exit 0; else exit 1; fi`,
    ],
    ["a silent client and its own exit", (url: string) => `curl -s ${url} | grep -q done || exit 1`],
  ])("leaves it to a human where its own look failed: %s", async (what, lookOf) => {
    const name = `rec-blind-${what.replace(/\W+/g, "-")}`;
    const task = await reconciled(name, "closes", lookOf(server.url("resets", `${name}-look`)));
    expect(task).toMatchObject(UNKNOWN);
    expect(server.effectsOf(name)).toBe(1);
  });

  test("that is cancelled on its way says so", async () => {
    const text = `curl -fsS -X POST ${server.url("resets", "rec-stop")}`;
    const step = { ...cmd(text), reconcile: "sleep 30; exit 3" };
    await engine.plant("deploy", engine.targetOf("rec-stop"), [step, DONE]);
    await engine.call("submit_task", { ...engine.contract("rec-stop", { delegation_mode: "known_only" }) });
    const kinds = async () =>
      (await engine.call("read_journal", { task_id: "rec-stop" })).events.map((event: { kind: string }) => event.kind);
    await expect.poll(kinds, { timeout: 20_000 }).toContain("step_finished");
    await engine.call("cancel_task", { task_id: "rec-stop" });
    const asking = await engine.outcomeOf("rec-stop");
    expect(asking.outcome.message).toContain("it keeps its target until this is answered");
  });
});

test("a cancel after a step that has changed something says that there is something to look at", async () => {
  const steps = [cmd(`curl -fsS -X POST ${server.url("200", "stop-after")}`), engine.holding("stop-after"), DONE];
  await engine.plant("deploy", engine.targetOf("stop-after"), steps);
  await engine.call("submit_task", { ...engine.contract("stop-after", { delegation_mode: "known_only" }) });
  await engine.begun("stop-after");
  const ended = await engine.call("cancel_task", { task_id: "stop-after" });
  expect(ended).toMatchObject({ status: "cancelled" });
  expect(JSON.stringify(ended.outcome)).toContain("Look at what the steps did before you submit again.");
  expect(JSON.stringify(ended.outcome)).not.toMatch(/nothing/i);
});

describe("a cancel in a step that may go on elsewhere (promises 1.4)", () => {
  const begin = async (name: string, text: string) => {
    await engine.plant("deploy", engine.targetOf(name), [cmd(text), DONE]);
    await engine.call("submit_task", { ...engine.contract(name, { delegation_mode: "known_only" }) });
  };

  test("a request under way: the task asks, keeps its target, and ends as cancelled with the answer", async () => {
    await begin("stop-http", `curl -fsS -X POST ${server.url("waits", "stop-http")}`);
    await expect.poll(() => server.effectsOf("stop-http"), { timeout: 20_000 }).toBe(1);
    const asking = await engine.call("cancel_task", { task_id: "stop-http" });
    expect(asking).toMatchObject(UNKNOWN);
    expect(asking.outcome.message).toContain("it may still run on 127.0.0.1");
    expect(JSON.stringify(asking.outcome)).not.toMatch(/nothing/i);
    expect(await engine.call("cancel_task", { task_id: "stop-http" })).toMatchObject(UNKNOWN);
    const next = { ...engine.contract("stop-http", { task_id: "stop-next", delegation_mode: "known_only" }) };
    await engine.plant("restart", engine.targetOf("stop-http"), [cmd("echo x >> stop-next"), DONE]);
    expect(await engine.call("submit_task", { ...next, intent: "restart" })).toMatchObject({ status: "accepted" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(existsSync(join(engine.directory, "stop-next"))).toBe(false);
    const ended = await engine.call("resolve_step", { task_id: "stop-http", resolution: "failed", wait_seconds: 30 });
    expect(ended).toMatchObject({ status: "cancelled", outcome: { reason_code: "cancelled" } });
    expect(JSON.stringify(ended.outcome)).not.toMatch(/nothing/i);
    expect(await engine.outcomeOf("stop-next")).toMatchObject({ status: "ok" });
    expect(server.effectsOf("stop-http")).toBe(1);
  });

  test.each<[string, string, () => string, () => number]>([
    [
      "a command that changes only this machine",
      "stop-local",
      () => "echo x >> stop-local; sleep 60",
      () => engine.linesOf("stop-local").length,
    ],
    [
      "a request that only reads",
      "stop-read",
      () => `curl -fsS ${server.url("waits", "stop-read")}`,
      () => server.effectsOf("stop-read"),
    ],
  ])("%s ends at once", async (_what, name, textOf, effects) => {
    await begin(name, textOf());
    await expect.poll(effects, { timeout: 20_000 }).toBe(1);
    expect(await engine.call("cancel_task", { task_id: name })).toMatchObject({ status: "cancelled" });
  });
});

describe.runIf(hasSshd)("a command on another host", () => {
  let sshd: Awaited<ReturnType<typeof startSshd>>;
  beforeAll(async () => {
    sshd = await startSshd(engine.directory);
  });
  afterAll(() => sshd[Symbol.asyncDispose]());

  const effects = (name: string) => engine.linesOf(name).length;
  const start = async (name: string, more: object = {}) => {
    const file = (end: string) => join(engine.directory, `${name}${end}`);
    const text = sshd.command(`echo b > ${file(".begun")}; sleep 3; echo effect >> ${file("")}`);
    model.says(text, { error_type: "transient" });
    await engine.plant("deploy", engine.targetOf(name), [{ ...cmd(text), ...more }, DONE]);
    await engine.call("submit_task", { ...engine.contract(name, { delegation_mode: "known_only" }) });
    await expect.poll(() => existsSync(file(".begun")), { timeout: 20_000 }).toBe(true);
    return text;
  };

  test.each([
    ["promises 1.2: no reconcile command", "ssh-cut", {}],
    ["promises 1.2: the reconcile command comes too early", "ssh-early", { reconcile: "test -s ssh-early" }],
  ])("%s: a connection that is cut leaves one effect", async (_what, name, more) => {
    await start(name, more);
    sshd.cut();
    const task = await engine.outcomeOf(name);
    expect(task).toMatchObject(UNKNOWN);
    expect(task.outcome.message).toContain("it may still run on 127.0.0.1");
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(effects(name)).toBeLessThanOrEqual(1);
  });

  test("promises 1.4: a cancel says that it may still run there", async () => {
    await start("ssh-stop");
    const asking = await engine.call("cancel_task", { task_id: "ssh-stop" });
    expect(asking).toMatchObject(UNKNOWN);
    expect(asking.outcome.message).toContain("it may still run on 127.0.0.1");
    expect(JSON.stringify(asking.outcome)).not.toMatch(/nothing/i);
  });

  test("a host that refuses the connection is tried again", async () => {
    const text = `ssh -F /dev/null -p ${await freePort()} -o BatchMode=yes root@127.0.0.1 'echo x >> /tmp/never'`;
    expect(await run("ssh-refused", cmd(text))).toMatchObject({ status: "failed" });
    expect(model.askedAbout(text)).toHaveLength(1);
  });
});
