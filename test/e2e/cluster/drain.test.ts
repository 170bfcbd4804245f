// A server that is to end leaves what it has to the others: after `orch drain`, and after a SIGTERM.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cmd } from "../../support/builders.ts";
import { cliOf } from "../../support/cli-process.ts";
import { type Member, marking, until } from "../../support/cluster.ts";
import { type Scene, STARTS_MS, server, settled, submit, teach, threeServers } from "./scene.ts";

const OVER = {
  // A step is let go once its server is seen to leave, however late that is.
  env: { ORCH_DRAIN_SECONDS: "60" },
  preload: join(import.meta.dirname, "../../support/no-regular-looks.ts"),
};

describe.skipIf(server === null)("a server of three that is to end", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await threeServers(OVER);
  }, STARTS_MS);
  afterAll(async () => {
    await scene?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  const marksOf = (task_id: string) => scene.cluster.marks().filter((mark) => mark.task_id === task_id);
  const letGo = (task_id: string) => writeFileSync(join(scene.cluster.directory, `${task_id}.go`), "");
  const exitOf = (member: Member) => new Promise<number | null>((resolve) => member.child.once("exit", resolve));

  /** A task that is in its first step, and the server that runs it. */
  async function begun(
    task_id: string,
    until = `${task_id}.go`,
  ): Promise<{ readonly runner: Member; readonly other: Member }> {
    const [a] = scene.alive();
    if (a === undefined) throw new Error("no server is left");
    await submit(a, task_id);
    await teach(a, task_id, [cmd(marking(0, until)), cmd(marking(1, "0.1"))]);
    const runner = await scene.runnerOf(task_id);
    return { runner, other: scene.otherThan(runner) };
  }

  /** The second step begins on another server, without a look at everything: its server has announced what it leaves. */
  async function expectHandedOver(task_id: string, runner: Member, other: Member): Promise<void> {
    expect(await settled(other, task_id)).toMatchObject({ status: "ok" });
    const [, first, second] = marksOf(task_id);
    expect([first?.what, second?.what, marksOf(task_id).length]).toEqual(["end", "start", 4]);
    expect(first?.server).toBe(runner.name);
    expect(second?.server).not.toBe(runner.name);
  }

  test("claims nothing more, finishes its step, answers meanwhile, and another one goes on at once", async () => {
    const { runner, other } = await begun("drained");
    const exited = exitOf(runner);
    runner.leaves();
    const asked = await cliOf(other)(["drain", runner.name, "--json"]);
    expect(asked, asked.stderr).toMatchObject({ exit: 0 });
    expect(JSON.parse(asked.stdout).server).toMatchObject({ name: runner.name, state: "draining", running: 1 });
    const ready = await until("the drain", 20_000, async () => {
      const answer = await runner.get("/readyz");
      return answer.status === 200 ? null : answer;
    });
    expect(ready).toMatchObject({ status: 503, body: { detail: expect.stringContaining("drains") } });
    expect((await runner.get("/v1/tasks/drained")).body).toMatchObject({ status: "running" });
    // What it accepts meanwhile runs elsewhere.
    const given = { task_id: "elsewhere", target: { service: "elsewhere" } };
    await submit(runner, given.task_id, given);
    expect((await runner.post(`/v1/servers/${runner.name}/drain`, {})).body.server.state).toBe("draining");
    letGo("drained");
    await expectHandedOver("drained", runner, other);
    expect(await exited).toBe(0);
    const { body } = await other.get("/v1/servers?all=true");
    expect(body.servers.find(({ name }: { name: string }) => name === runner.name)).toMatchObject({
      state: "stopped",
      running: 0,
      lease_age_seconds: null,
    });
    expect((await other.get("/v1/servers")).body.servers).toHaveLength(2);
    const next = await scene.again(runner, OVER);
    expect((await next.get(`/v1/servers/${runner.name}`)).body.server).toMatchObject({ state: "alive", this: true });
  });

  test("is waited for, and named in an error where there is none of its name", async () => {
    const [a, b] = scene.members;
    if (a === undefined || b === undefined) throw new Error("three servers were started");
    const unknown = await cliOf(a)(["drain", "nowhere"]);
    expect(unknown.exit).toBe(5);
    expect(unknown.stderr).toContain('There is no server "nowhere". There are: a, b, c.');
    const table = await cliOf(a)(["servers"]);
    expect(table.stdout).toMatch(/SERVER +STATE +TASKS +LEASE +UP +PROCESS +VERSION +LABELS/);
    expect(table.stdout.split("\n").filter((line) => line.includes("alive"))).toHaveLength(3);
    const doctor = JSON.parse((await cliOf(a)(["doctor", "--json"])).stdout);
    const seen = doctor.find(({ name }: { name: string }) => name === "servers");
    expect(seen.found).toMatch(
      /^a \(answers\): alive, .*lease renewed [\d.]+ s ago\nb: alive, [\s\S]*\nqueue of wakeups: \d+ ready/,
    );
    expect(seen.state).toBe("works");
    const exited = exitOf(b);
    b.leaves();
    const waited = await cliOf(a)(["drain", b.name, "--wait=20"]);
    expect(waited, waited.stderr).toMatchObject({ exit: 0, stdout: expect.stringContaining("stopped") });
    expect(await exited).toBe(0);
  });

  test("leaves its task to another one at once after its last step when it gets a SIGTERM", async () => {
    const { runner, other } = await begun("stopped");
    const exited = runner.kill("SIGTERM");
    await until("that it leaves", 20_000, async () => {
      const { status } = await runner.get("/readyz").catch(() => ({ status: 0 }));
      return status === 200 ? null : status;
    });
    letGo("stopped");
    await expectHandedOver("stopped", runner, other);
    expect(await exited).toBe(0);
  });

  test("is waited for also where it is the one that is asked, and the last one", async () => {
    const [last] = scene.alive();
    if (last === undefined) throw new Error("one of three is left");
    last.leaves();
    const waited = await cliOf(last)(["drain", last.name, "--wait=20"]);
    expect(waited, waited.stderr).toMatchObject({ exit: 0 });
  });

  test("has broken no rule of the journals", async () => {
    expect(await scene.cluster.breaches()).toEqual([]);
  });
});
