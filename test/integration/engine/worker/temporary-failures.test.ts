// A temporary problem of the environment takes no version out of use [7.10.temporary].
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { type RoutingModel, startRoutingModel } from "../../../support/routing-model.ts";

let engine: Engine;
let model: RoutingModel;
let with_model: Engine;
beforeAll(async () => {
  engine = await openEngine();
  model = await startRoutingModel();
  with_model = await openEngine({ env: model.env });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await with_model[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** A server on a port that nothing else takes, which can be away. */
async function service() {
  const listen = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((_request, response) => response.end("ok")).listen(port, "127.0.0.1", () =>
        resolve(server),
      );
    });
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    stop,
    start: async () => {
      server = await listen(port);
    },
  };
}

const sop = async (on: Engine, sop_id: string) => (await on.call("get_sop", { sop_id })).sop;
const run = (on: Engine, name: string, nth: number) =>
  on.run(`${name}-${nth}`, { delegation_mode: "known_only", target: on.targetOf(name) });

async function messagesOf(on: Engine, sop_id: string): Promise<string[]> {
  const { messages } = await on.call("list_messages", { limit: 500 });
  return messages
    .filter(({ thread_id }: { thread_id: string }) => thread_id.startsWith(`promotion/${sop_id}`))
    .map(({ outcome }: { outcome: { reason_code: string } }) => outcome.reason_code);
}

describe("promises 3.8: six runs that were refused, after one success", () => {
  test.each([
    ["curl", ({ url }: { url: string }) => [cmd(`curl -fsS ${url}`), check("test -d /")]],
    ["a second step", ({ url }: { url: string }) => [cmd("true"), cmd(`curl -fsS ${url}`), check("test -d /")]],
    ["the check", ({ url }: { url: string }) => [cmd("true"), check(`curl -fsS ${url}`)]],
  ])("by %s leave the version in use, and it runs when the service is back", async (how, steps) => {
    const name = how.replaceAll(" ", "-");
    const there = await service();
    const { sop_id } = await engine.learn("deploy", engine.targetOf(name), steps(there));
    expect(await run(engine, name, 0)).toMatchObject({ status: "ok" });
    const before = await sop(engine, sop_id);
    await there.stop();
    for (const nth of [1, 2, 3, 4, 5, 6]) expect(await run(engine, name, nth)).toMatchObject({ status: "failed" });
    await engine.scores.catchUp(10_000);
    const { status, success_count, failure_count, promotion_round } = await sop(engine, sop_id);
    expect([status, promotion_round, success_count, failure_count]).toEqual([
      "active",
      1,
      before.success_count,
      before.failure_count,
    ]);
    expect(await messagesOf(engine, sop_id)).not.toContain("sop_failing");
    await there.start();
    expect(await run(engine, name, 7)).toMatchObject({ status: "ok", sop_version: 1 });
    await there.stop();
  });

  test("count where the procedure itself is wrong", async () => {
    const { sop_id } = await engine.learn("deploy", engine.targetOf("wrong"), [
      cmd("cat missing-file"),
      check("test -d /"),
    ]);
    for (const nth of [1, 2, 3]) expect(await run(engine, "wrong", nth)).toMatchObject({ status: "failed" });
    await engine.scores.catchUp(10_000);
    expect(await sop(engine, sop_id)).toMatchObject({ status: "candidate", promotion_round: 2, failure_count: 3 });
  });

  test("leave the version in use where the routing model called them transient", async () => {
    const command = "echo the upstream is restarting >&2; exit 5";
    model.says(command, { error_type: "transient" });
    const steps = [cmd(command), check("test -d /")];
    const { sop_id } = await with_model.learn("deploy", with_model.targetOf("transient"), steps);
    for (const nth of [1, 2, 3, 4]) expect(await run(with_model, "transient", nth)).toMatchObject({ status: "failed" });
    await with_model.scores.catchUp(10_000);
    expect(await sop(with_model, sop_id)).toMatchObject({ status: "active", failure_count: 0 });
  });
});

describe("promises 3.8: a first run that was refused", () => {
  test("leaves the version on its first run, and the version before it is not taken back", async () => {
    const there = await service();
    const target = engine.targetOf("trial");
    await engine.learn("deploy", target, [cmd("true"), check("test -d /")]);
    const next = await engine.call("teach", {
      intent: "deploy",
      target,
      steps: [cmd(`curl -fsS ${there.url}`), check("test -d /")],
    });
    await engine.call("approve", { approval_id: next.approval_id, decision: "approve" });
    await there.stop();
    await run(engine, "trial", 1);
    await engine.call("approve", { task_id: "trial-1", decision: "approve" });
    const task = await engine.outcomeOf("trial-1");
    expect(task.status).toBe("failed");
    expect(task.outcome.message).toContain("Version 2 of the procedure stays on trial");
    expect(await sop(engine, next.sop.sop_id)).toMatchObject({ status: "active", trial_left: 1 });
  });
});
