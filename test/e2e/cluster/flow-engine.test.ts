// Servers on one PostgreSQL whose steps a flow engine runs: the job of one that is killed is followed by another, which never starts a
// second one, and a server without the engine leaves it alone.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FlowEngine, startFlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { check, cmd } from "../../support/builders.ts";
import { type Cluster, createCluster, type Member, until } from "../../support/cluster.ts";
import { linesOf } from "../../support/orch-process.ts";
import { STARTS_MS, server, settled, submit } from "./scene.ts";

/** Until another server has looked at what waits, as it does when a task is reported: it may claim what is taught meanwhile. */
const LOOKED_MS = 700;
const PATIENCE = { timeout: 120_000 };
const STEPS = [
  cmd("echo x >> one"),
  cmd("echo x >> begun; until test -e go; do sleep 0.05; done; echo x >> two"),
  cmd("until test -e last; do sleep 0.05; done; echo x >> three"),
  check("test -s three"),
];
const FOLLOWS = "commit:after:job_progressed#1";

describe.skipIf(server === null)("a job of the flow engine", () => {
  let engine: FlowEngine;
  let cluster: Cluster;
  let env: Readonly<Record<string, string>>;
  let second: Member;
  beforeAll(async () => {
    if (server === null) return;
    engine = await startFlowEngine();
    cluster = await createCluster(await server.createDatabase());
    env = {
      FLOWENGINE_URL: engine.url,
      FLOWENGINE_TOKEN: engine.token,
      FLOWENGINE_WORKSPACE: engine.workspace,
      FLOWENGINE_POLL_MS: "50",
    };
    second = await cluster.start("second", { env });
  }, STARTS_MS);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  /** A task whose job waits for `letGo`, taught at a server that is killed at the point. */
  async function begin(task_id: string, at: Member) {
    const path = join(cluster.directory, task_id);
    mkdirSync(path);
    const before = engine.jobs.length;
    await submit(at, task_id, {
      target: { service: task_id, compose_dir: path },
      execution_backend: "flowengine",
    });
    await sleep(LOOKED_MS);
    const letGo = (name: "go" | "last") => writeFileSync(join(path, name), "");
    return {
      letGo,
      letAllGo: () => {
        letGo("go");
        letGo("last");
      },
      teach: () => at.post("/v1/teach", { task_id, steps: STEPS }).catch(() => null),
      begun: () => until("the second step", 20_000, () => linesOf(join(path, "begun"))[0] ?? null),
      jobs: () => engine.jobs.slice(before),
      ran: () => ["one", "begun", "two", "three"].map((name) => linesOf(join(path, name)).length),
    };
  }

  const killed = (member: Member) =>
    until("its end", 20_000, () => (member.child.signalCode === "SIGKILL" ? true : null));

  const rowsOf = async (task_id: string, kind: string) =>
    (await cluster.rows()).filter((row) => row.thread_id === task_id && row.kind === kind);
  const claimsOf = async (task_id: string): Promise<string[]> =>
    (await rowsOf(task_id, "taken_up")).map(({ body }) => String(body["owner"]));
  const claimedBy = ({ child }: Member, task_id: string) =>
    until(`a claim of ${task_id}`, 30_000, async () => {
      const claims = await claimsOf(task_id);
      return claims.at(-1)?.includes(`/${child.pid}/`) === true ? true : null;
    });

  test.each([
    ["before the job is on record", "unrecorded", "commit:before:policy_judged+step_started#1"],
    ["when the job is on record and has not left", "unsent", "commit:after:policy_judged+step_started#1"],
    ["while it follows the job", "followed", FOLLOWS],
    ["when the job has ended and that is not on record", "ended", "node:verify#1"],
  ])(
    "is run once, and followed by another server, when its own is killed %s",
    PATIENCE,
    async (_, task_id, kill_at) => {
      const first = await cluster.start(`first-${task_id}`, { env, kill_at });
      const it = await begin(task_id, first);
      it.letAllGo();
      await it.teach();
      await killed(first);
      const task = await settled(second, task_id);
      expect(task).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
      expect([it.jobs().length, ...it.ran()]).toEqual([1, 1, 1, 1, 1]);
    },
  );

  test("is run once when its server is killed as soon as the engine has it", PATIENCE, async () => {
    const first = await cluster.start("first-of-sent", { env });
    const it = await begin("sent", first);
    it.letAllGo();
    const taught = it.teach();
    await until("the job", 20_000, () => it.jobs()[0] ?? null);
    await first.kill("SIGKILL");
    await taught;
    expect(await settled(second, "sent")).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect([it.jobs().length, ...it.ran()]).toEqual([1, 1, 1, 1, 1]);
  });

  test("goes on when the second server is killed too, and a third one ends the task", PATIENCE, async () => {
    const first = await cluster.start("first-of-three", { env, kill_at: FOLLOWS });
    const it = await begin("of-three", first);
    await it.teach();
    await killed(first);
    await claimedBy(second, "of-three");
    it.letGo("go");
    // A task in which two servers end without progress between is parked.
    await until("progress", 20_000, async () =>
      (await rowsOf("of-three", "job_progressed")).length > 1 ? true : null,
    );
    await second.kill("SIGKILL");
    const third = await cluster.start("third", { env });
    second = third;
    await claimedBy(third, "of-three");
    it.letGo("last");
    expect(await settled(third, "of-three")).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect([it.jobs().length, ...it.ran()]).toEqual([1, 1, 1, 1, 1]);
  });

  test("is cancelled at the engine by a server that does not follow it", PATIENCE, async () => {
    const first = await cluster.start("follows", { env });
    const it = await begin("cancelled", first);
    await it.teach();
    await it.begun();
    const { body } = await second.post("/v1/tasks/cancelled/cancel", {});
    expect(body.status).toBe("cancelled");
    expect(it.jobs().map(({ canceled }) => canceled !== null)).toEqual([true]);
    it.letAllGo();
    await sleep(500);
    expect(it.ran(), "its script was ended").toEqual([1, 1, 0, 0]);
    expect(await first.kill("SIGTERM")).toBe(0);
  });

  test("is cancelled at the engine by a server that has taken it over", PATIENCE, async () => {
    const first = await cluster.start("follows-no-more", { env, kill_at: FOLLOWS });
    const it = await begin("left", first);
    await it.teach();
    await killed(first);
    await claimedBy(second, "left");
    const { body } = await second.post("/v1/tasks/left/cancel", {});
    expect(body.status).toBe("cancelled");
    expect(it.jobs().map(({ canceled }) => canceled !== null)).toEqual([true]);
    it.letAllGo();
    await sleep(500);
    expect(it.ran().slice(2), "its script was ended").toEqual([0, 0]);
  });

  test("waits for a server with the engine where the others have none", PATIENCE, async () => {
    const without = await cluster.start("without");
    await second.kill("SIGTERM");
    const first = await cluster.start("first-with", { env });
    const it = await begin("waits", first);
    await it.teach();
    await it.begun();
    expect(await first.kill("SIGTERM")).toBe(0);
    await until("what it waits for", 20_000, async () => {
      const task = (await without.get("/v1/tasks/waits")).body;
      return task.queued_for === null ? null : (expect(task.queued_for).toEqual(["flowengine"]) ?? true);
    });
    // The regular looks at what has no owner come within it.
    await sleep(6_000);
    expect((await claimsOf("waits")).some((owner) => owner.includes(`/${without.child.pid}/`))).toBe(false);
    it.letAllGo();
    const last = await cluster.start("last-with", { env });
    expect(await settled(last, "waits")).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect([it.jobs().length, ...it.ran()]).toEqual([1, 1, 1, 1, 1]);
  });

  test("leaves no journal in which a claim, a start or an end has no licence", async () => {
    expect(await cluster.breaches()).toEqual([]);
  });
});
