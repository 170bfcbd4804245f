// Stopping in order: no new step starts, the running one may finish within a bound, and what is then
// still running is ended and its outcome is unknown. Nothing that orch has started outlives it.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { linesOf, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { begin, isLiving, kindsOf, lines, serve, settled } from "./begin.ts";

// The first step lasts long enough for a signal to find it running.
const STEPS = [cmd("echo x >> begun; sleep 2; echo x >> first"), cmd("echo x >> second"), check("test -s second")];

test.concurrent.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "the running step finishes after %s, none starts, and the next server continues after it",
  async (signal) => {
    await using directory = await temporaryDirectory();
    const linesIn = (name: string) => linesOf(`${directory.path}/${name}`).length;
    await using first = await serve({ data_dir: directory.path });
    await begin(first, "t-1", STEPS);
    await lines(directory.path, "begun");
    expect(await first.kill(signal)).toBe(0);
    expect([linesIn("first"), linesIn("second")]).toEqual([1, 0]);
    await using second = await serve({ data_dir: directory.path });
    expect(await settled(second, "t-1")).toMatchObject({ status: "ok", steps: [{ attempt: 1 }, { attempt: 1 }, {}] });
    expect([linesIn("first"), linesIn("second")]).toEqual([1, 1]);
    expect(await kindsOf(second, "t-1")).not.toContain("step_resolved");
  },
);

test.concurrent("a task that ends in the drain leaves its promotion to the next server, and no error is logged [3.sop.candidate_approval]", async () => {
  await using directory = await temporaryDirectory();
  await using first = await serve({ data_dir: directory.path });
  await begin(first, "t-1", [check("echo x >> begun; sleep 2; test -s begun")]);
  await lines(directory.path, "begun");
  expect(await first.kill("SIGTERM")).toBe(0);
  expect(first.output()).not.toContain('"level":50');
  await using second = await serve({ data_dir: directory.path });
  expect(await settled(second, "t-1")).toMatchObject({ status: "ok", steps: [{ attempt: 1 }] });
  await expect
    .poll(async () => (await second.get("/v1/approvals?status=pending")).body.approvals, { timeout: 20_000 })
    .toMatchObject([{ kind: "promotion" }]);
  expect(linesOf(`${directory.path}/begun`)).toHaveLength(1);
});

test.concurrent("SIGTERM to npm, which has started the server, ends the server in order", async () => {
  await using directory = await temporaryDirectory();
  await using orch = await serve({ data_dir: directory.path, by_npm: true });
  await begin(orch, "t-1", STEPS);
  await lines(directory.path, "begun");
  await orch.kill("SIGTERM");
  await lines(directory.path, "first");
  expect(orch.output()).toContain("npm has ended: no further step starts");
  const isGone = () => !existsSync(join(directory.path, "state/orch.sqlite3.pid"));
  await expect.poll(isGone, { timeout: 15_000 }).toBe(true);
  expect(linesOf(`${directory.path}/second`)).toEqual([]);
});

test.concurrent("a client that takes its time does not let another step start after SIGTERM", async () => {
  await using directory = await temporaryDirectory();
  await using orch = await serve({ data_dir: directory.path });
  await begin(orch, "t-1", STEPS);
  const { hostname, port } = new URL(orch.url);
  const client = connect(Number(port), hostname);
  await once(client, "connect");
  client.on("error", () => client.destroy());
  client.write(
    `POST /v1/teach HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  await lines(directory.path, "begun");
  expect(await orch.kill("SIGTERM")).toBe(0);
  expect(linesOf(`${directory.path}/first`)).toHaveLength(1);
  expect(linesOf(`${directory.path}/second`)).toEqual([]);
});

/** In a namespace a command does not know itself by the pids that are seen from here. */
const OWN_PIDS = { ORCH_SANDBOX: "off" };

// One process obeys SIGTERM and one does not.
const STUBBORN = cmd(
  "echo $$ >> pids; sleep 600 & echo $! >> pids; (trap '' TERM; echo $BASHPID >> pids; sleep 601) & wait",
);

test.concurrent("a step that outlasts the drain is killed with all it has started, and its outcome is asked for", async () => {
  await using directory = await temporaryDirectory();
  const start = { data_dir: directory.path, env: { ...OWN_PIDS, ORCH_DRAIN_SECONDS: "1" } };
  await using first = await serve(start);
  await begin(first, "t-1", [STUBBORN, check("test -d /")]);
  const pids = await lines(directory.path, "pids", 3);
  expect(await first.kill("SIGTERM")).toBe(0);
  expect(pids.filter(isLiving)).toEqual([]);
  await using second = await serve(start);
  const task = await settled(second, "t-1");
  expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown", step_index: 0 } });
  await second.post("/v1/tasks/t-1/resolve", { resolution: "succeeded" });
  expect(await settled(second, "t-1")).toMatchObject({ status: "ok" });
});

test.concurrent("what a killed server has started ends soon after it", async () => {
  await using directory = await temporaryDirectory();
  await using orch = await serve({ data_dir: directory.path, env: OWN_PIDS });
  await begin(orch, "t-1", [STUBBORN, check("test -d /")]);
  const pids = await lines(directory.path, "pids", 3);
  await orch.kill("SIGKILL");
  for (const end = Date.now() + 15_000; Date.now() < end && pids.some(isLiving); ) await sleep(50);
  expect(pids.filter(isLiving)).toEqual([]);
});

test.concurrent.each([
  ["SIGTERM", "SIGTERM"],
  ["SIGTERM", "SIGINT"],
  ["SIGINT", "SIGINT"],
] as const)(
  "%s and then %s in the drain end the server at the latest with the drain, and nothing is lost",
  async (one, other) => {
    await using directory = await temporaryDirectory();
    const linesIn = (name: string) => linesOf(`${directory.path}/${name}`).length;
    await using first = await serve({ data_dir: directory.path });
    await begin(first, "t-1", STEPS);
    await lines(directory.path, "begun");
    first.child.kill(one);
    await sleep(200);
    expect([0, null]).toContain(await first.kill(other));
    expect(first.output()).not.toMatch(/Error|"level":50/);
    await using second = await serve({ data_dir: directory.path });
    const task = await settled(second, "t-1");
    if (task.status === "need_input") {
      expect(linesIn("first")).toBe(0);
      await second.post("/v1/tasks/t-1/resolve", { resolution: "retry" });
    }
    expect(await settled(second, "t-1")).toMatchObject({ status: "ok" });
    expect([linesIn("first"), linesIn("second")]).toEqual([1, 1]);
  },
);
