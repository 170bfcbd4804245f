// A check that may change something is refused or asked about, and runs only when its turn comes: promises 5.5.
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, mcpCall, polled } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine, type Target } from "../../support/looking-engine.ts";
import { type RoutingModel, startRoutingModel } from "../../support/routing-model.ts";
import { type SdkServer, startSdkServer } from "../../support/tool-server.ts";

let engine: LookingEngine;
let model: RoutingModel;
let notes: SdkServer;
let origin = "";
const sent: string[] = [];
const server = createServer((request, response) => {
  sent.push(`${request.method} ${request.url}`);
  response.end("ok");
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  model = await startRoutingModel();
  notes = await startSdkServer();
  engine = await openLookingEngine({ ...model.env, MCP_NOTES_URL: notes.url, MCP_NOTES_TOKEN: "a-token" });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const timesOf = (path: string) => sent.filter((line) => line.endsWith(path)).length;
const postTo = (path: string) => `curl -fsS -X POST ${origin}${path}`;

describe("a check that sends a request which changes something", () => {
  test.each([
    ["a waiting task", true],
    ["no task", false],
  ])("is refused where it is taught to %s, and is never sent", async (_what, has_task) => {
    const target = await engine.aTarget();
    const steps = [cmd("touch x"), check(postTo("/taught"))];
    const task_id = `refused-${has_task}`;
    if (has_task) await engine.start(task_id, target, { delegation_mode: "teach_if_unknown" });
    const { code, issues } = await engine.refusal("teach", {
      steps,
      ...(has_task ? { task_id } : { intent: "deploy", target }),
    });
    expect([code, issues]).toEqual([
      "sop_steps_invalid",
      [{ path: "steps.1", message: expect.stringContaining("a check only reads, and this one sends a request") }],
    ]);
    expect(timesOf("/taught")).toBe(0);
  });

  test.each([
    ["passes", (path: string) => check(postTo(path)), "verified"],
    [
      "fails, though the model calls it transient",
      (path: string) => check(`${postTo(path)} && exit 56`),
      "check_failed",
    ],
    ["is polled", (path: string) => polled(postTo(path), "30s"), "verified"],
  ])("that was stored before is asked about, and sends once where it %s", async (name, stepOf, reason_code) => {
    const target = await engine.aTarget();
    const path = `/stored-${name.length}`;
    const step = stepOf(path);
    if (step.kind === "check") model.says(step.value, { error_type: "transient" });
    await engine.plant("deploy", target, [cmd("touch x"), step]);
    const task_id = `stored-${name.length}`;
    const asked = await engine.start(task_id, target);
    expect(asked).toMatchObject({
      status: "need_approval",
      outcome: { findings: [{ step_index: 1, verdict: "ask", code: "read_only.changes_state" }] },
    });
    expect(timesOf(path)).toBe(0);
    const ended = await engine.finish(task_id);
    expect(ended.outcome.reason_code).toBe(reason_code);
    expect(timesOf(path)).toBe(1);
    const evidence = await engine.call("get_evidence", { task_id });
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  });

  test("is not sent by what looks at the target before a decision", async () => {
    const target = await engine.aTarget();
    const sop = await engine.plant("deploy", target, [cmd("touch x"), check(postTo("/looked-at"))]);
    await engine.call("prove_sop", { sop_id: sop.sop_id });
    await engine.call("explain", { contract: engine.contract("looked-at", { target, ...KNOWN }), try_checks: true });
    expect(timesOf("/looked-at")).toBe(0);
  });
});

const KNOWN = { delegation_mode: "known_only", success_criteria: [] };

describe("a check of which policy cannot tell whether it changes something", () => {
  test.each([
    ["a program that is not known", "unknown-1", `./probe`],
    ["code of another language", "unknown-2", `perl -e 'exec("./probe", @ARGV)'`],
  ])("runs once, when its turn comes: %s", async (_what, task_id, text) => {
    const target: Target = await engine.aTarget();
    const path = `/${task_id}`;
    const probe = '#!/usr/bin/perl\nexec "curl", "-fsS", "-X", "POST", @ARGV;\n';
    await writeFile(join(target.compose_dir, "probe"), probe, { mode: 0o755 });
    await engine.plant("deploy", target, [cmd("touch x"), check(`${text} ${origin}${path}`)]);
    const { outcome } = await engine.start(task_id, target);
    expect([outcome.reason_code, timesOf(path)]).toEqual(["verified", 1]);
  });

  test("is asked about where it runs a script on disk that sends a request", async () => {
    const target: Target = await engine.aTarget();
    await writeFile(join(target.compose_dir, "probe"), `#!/bin/bash\n${postTo("/script")}\n`, { mode: 0o755 });
    await engine.plant("deploy", target, [cmd("touch x"), check("./probe")]);
    expect((await engine.start("script", target)).outcome.findings).toMatchObject([
      { code: "read_only.changes_state" },
    ]);
    expect(timesOf("/script")).toBe(0);
  });

  test("calls a tool once that says nothing of itself", async () => {
    const target = await engine.aTarget();
    const call = mcpCall({ tool: "create", arguments: { name: "once" }, expect: { path: "", contains: "created" } });
    await engine.plant("deploy", target, [cmd("touch x"), call]);
    const scope = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
    const { outcome } = await engine.start("tool-once", target, { constraints: scope });
    expect(outcome.reason_code).toBe("verified");
    expect(notes.called.filter(({ tool }) => tool === "create")).toHaveLength(1);
  });
});

test("a check that writes a file is taught, runs once, and explain says that it is not run before", async () => {
  const target = await engine.aTarget();
  const steps = [cmd("touch x"), check("echo x >> tries; test -e x")];
  const explained = await engine.call("explain", { contract: engine.contract("writes", { target, ...KNOWN }), steps });
  expect(explained.steps[1]).toMatchObject({ verdict: "allow", change: "changes", not_probed: expect.any(String) });
  await engine.start("writes", target, { delegation_mode: "teach_if_unknown" });
  const { task } = await engine.call("teach", { task_id: "writes", steps, wait_seconds: 30 });
  expect(task.outcome.reason_code).toBe("verified");
  expect(await readFile(join(target.compose_dir, "tries"), "utf8")).toBe("x\n");
});
