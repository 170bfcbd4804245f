// Three servers on one PostgreSQL, of which one is killed, frozen or cut off while it runs a step: what it runs is asked about or goes on
// on another server after its lease, and it writes nothing any more when it comes back. Each takes a lease of 30 s and more.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cmd, wait } from "../../support/builders.ts";
import { clockAhead } from "../../support/clock-ahead.ts";
import { type Member, marking, until } from "../../support/cluster.ts";
import { type Scene, STARTS_MS, server, settled, submit, teach, threeServers } from "./scene.ts";

/** A lease of 30 s, and what a sweep may take to find that it is over. */
const TAKEN_OVER_MS = 35_000;
const PATIENCE = { timeout: 180_000 };
const clock = server === null ? null : clockAhead(600);

describe.skipIf(server === null)("a server of three on one database", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await threeServers();
  }, STARTS_MS);
  afterAll(async () => {
    await scene?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  /** Resolves with the server that runs the task, once its first step has begun. */
  async function begin(task_id: string, steps: Parameters<typeof teach>[2]): Promise<Member> {
    const [a] = scene.members;
    if (a === undefined) throw new Error("three servers were started");
    await submit(a, task_id);
    await teach(a, task_id, steps);
    return scene.runnerOf(task_id);
  }

  const marksOf = (task_id: string) => scene.cluster.marks().filter((mark) => mark.task_id === task_id);
  const startsOf = (task_id: string) => marksOf(task_id).filter(({ what }) => what === "start").length;

  /** Milliseconds until another server asks what became of the step. */
  async function untilAsked(victim: Member, task_id: string): Promise<number> {
    const began = performance.now();
    const other = scene.otherThan(victim);
    await until("the question about the step", TAKEN_OVER_MS + 25_000, async () => {
      const { status, outcome } = await settled(other, task_id, 5);
      return status === "need_input" && outcome.reason_code === "step_outcome_unknown" ? true : null;
    });
    return performance.now() - began;
  }

  const resolve = (at: Member, task_id: string) =>
    at.post(`/v1/tasks/${task_id}/resolve`, { resolution: "succeeded", index: 0 });

  test("that is killed in a step leaves it to another, which asks within 35 s and goes on", PATIENCE, async () => {
    const victim = await begin("killed", [cmd(marking(0, "20")), cmd(marking(1, "0.1"))]);
    await victim.kill("SIGKILL");
    expect(await untilAsked(victim, "killed")).toBeLessThan(TAKEN_OVER_MS);
    const other = scene.otherThan(victim);
    expect((await resolve(other, "killed")).status).toBe(200);
    expect((await settled(other, "killed")).status).toBe("ok");
    expect(startsOf("killed"), "each step ran once").toBe(2);
    await scene.again(victim);
  });

  test("that is killed in a wait leaves it to another, which waits on without a question", PATIENCE, async () => {
    const victim = await begin("waiting", [cmd(marking(0, "0.1")), wait("8s"), cmd(marking(1, "0.1"))]);
    await until("the wait", 10_000, async () => {
      const rows = await scene.cluster.rows();
      const isWaiting = rows.some(
        ({ thread_id, kind, body }) => thread_id === "waiting" && kind === "step_started" && body["index"] === 1,
      );
      return isWaiting || null;
    });
    await victim.kill("SIGKILL");
    const other = scene.otherThan(victim);
    await until("the end", TAKEN_OVER_MS + 15_000, async () =>
      (await settled(other, "waiting", 5)).status === "ok" ? true : null,
    );
    expect(startsOf("waiting"), "each step ran once").toBe(2);
    await scene.again(victim);
  });

  test("that is stopped between steps gives its task to another at once", PATIENCE, async () => {
    const steps = Array.from({ length: 8 }, (_, index) => cmd(marking(index, "1")));
    const victim = await begin("drained", steps);
    expect(await victim.kill("SIGTERM")).toBe(0);
    const stopped = Date.now();
    const next = await until("the next step", 10_000, () => {
      const marks = scene.cluster.marks().filter(({ task_id }) => task_id === "drained");
      return marks.find((mark) => mark.server !== victim.name) ?? null;
    });
    expect(next.at - stopped).toBeLessThan(5_000);
    expect((await settled(scene.otherThan(victim), "drained")).status).toBe("ok");
    await scene.again(victim);
  });

  test("that is cut off for 5 s keeps its task", PATIENCE, async () => {
    const victim = await begin("short-cut", [cmd(marking(0, "3")), cmd(marking(1, "0.1"))]);
    victim.cutOff();
    await sleep(5_000);
    victim.heal();
    expect((await settled(scene.otherThan(victim), "short-cut")).status).toBe("ok");
    expect(startsOf("short-cut")).toBe(2);
    expect(victim.child.exitCode, "it serves on").toBe(null);
  });

  test("that is cut off for 25 s goes on or is asked about, and no step runs twice", PATIENCE, async () => {
    const victim = await begin("middle-cut", [cmd(marking(0, "3")), cmd(marking(1, "0.1"))]);
    const exited = once(victim.child, "exit");
    victim.cutOff();
    await sleep(25_000);
    victim.heal();
    const other = scene.otherThan(victim);
    // Its last renewal was up to ten seconds before the cut, so its lease may be over. If not, it may have lost the answer to a commit.
    const { status, outcome, waiting } = await until("its end, or a question", TAKEN_OVER_MS, async () => {
      const task = await settled(other, "middle-cut", 5);
      return ["ok", "need_input"].includes(task.status) ? task : null;
    });
    if (status === "need_input") {
      expect(outcome.reason_code).toBe("step_outcome_unknown");
      const { index } = waiting;
      const hasRun = scene.cluster.marks().some((mark) => mark.task_id === "middle-cut" && mark.index === index);
      const resolution = hasRun ? "succeeded" : "retry";
      await other.post("/v1/tasks/middle-cut/resolve", { resolution, index });
      expect((await settled(other, "middle-cut")).status).toBe("ok");
    }
    expect(startsOf("middle-cut"), "each step ran once").toBe(2);
    await Promise.race([exited, sleep(10_000)]);
    if (victim.child.exitCode === null) return;
    expect(victim.child.exitCode, "it says that it was replaced").toBe(8);
    await scene.again(victim);
  });

  test("that is cut off for 60 s has ended its step when another asks, and writes nothing more", PATIENCE, async () => {
    const victim = await begin("long-cut", [cmd(marking(0, "50"))]);
    const exited = once(victim.child, "exit");
    victim.cutOff();
    const heals = sleep(60_000).then(victim.heal);
    expect(await untilAsked(victim, "long-cut")).toBeLessThan(TAKEN_OVER_MS);
    await heals;
    expect((await exited)[0], "it says that it was replaced").toBe(8);
    expect(marksOf("long-cut"), "its step was ended").toHaveLength(1);
    const other = scene.otherThan(victim);
    await resolve(other, "long-cut");
    expect((await settled(other, "long-cut")).status).toBe("ok");
    await scene.again(victim);
  });

  test("that is frozen for 60 s writes nothing when it wakes, and ends", PATIENCE, async () => {
    const victim = await begin("frozen", [cmd(marking(0, "40")), cmd(marking(1, "0.1"))]);
    const exited = once(victim.child, "exit");
    victim.freeze();
    const thaws = sleep(60_000).then(victim.thaw);
    expect(await untilAsked(victim, "frozen")).toBeLessThan(TAKEN_OVER_MS);
    expect(marksOf("frozen"), "its step has not reached its end").toHaveLength(1);
    await thaws;
    expect((await exited)[0], "it says that it was replaced").toBe(8);
    expect(marksOf("frozen"), "its step was ended").toHaveLength(1);
    const other = scene.otherThan(victim);
    await resolve(other, "frozen");
    expect((await settled(other, "frozen")).status).toBe("ok");
    expect(startsOf("frozen")).toBe(2);
    await scene.again(victim);
  });

  test("goes on after the database has crashed and started again", PATIENCE, async () => {
    const victim = await begin("restarted", [cmd(marking(0, "4")), cmd(marking(1, "0.1"))]);
    await server?.restart();
    await until("the end", 60_000, async () => {
      const task = await settled(scene.otherThan(victim), "restarted", 5).catch(() => null);
      return task?.status === "ok" ? true : null;
    });
    expect(startsOf("restarted")).toBe(2);
  });

  const ahead = "whose clock is ten minutes ahead takes no task of a living one, and keeps its own";
  test.skipIf(clock === null)(ahead, PATIENCE, async () => {
    const owner = await begin("by-the-clock", [cmd(marking(0, "15"))]);
    const wrong = await scene.cluster.start("ahead", clock === null ? {} : { clock });
    await submit(wrong, "ahead-of-time");
    await teach(wrong, "ahead-of-time", [cmd(marking(0, "40"))]);
    expect((await settled(owner, "by-the-clock")).status).toBe("ok");
    await until("the end", 60_000, async () => ((await settled(owner, "ahead-of-time")).status === "ok" ? true : null));
    expect([startsOf("by-the-clock"), startsOf("ahead-of-time")]).toEqual([1, 1]);
    const rows = await scene.cluster.rows();
    const times = rows.filter(({ thread_id }) => thread_id === "by-the-clock").map(({ at }) => at);
    expect(times, "a journal does not run backwards").toEqual(times.toSorted());
    expect(await wrong.kill("SIGTERM")).toBe(0);
  });

  test("that accepts a task and does not live to claim it leaves it to another", PATIENCE, async () => {
    const late = await scene.cluster.start("late", { kill_at: "commit:after:task_accepted#1" });
    await expect(submit(late, "orphaned")).rejects.toThrow();
    const [a] = scene.members;
    if (a === undefined) throw new Error("three servers were started");
    const asks = await until("the question of another server", 35_000, async () => {
      const task = await settled(a, "orphaned", 5);
      return task.status === "need_input" ? task : null;
    });
    expect(asks.outcome.reason_code).toBe("sop_unknown");
    await teach(a, "orphaned", [cmd(marking(0, "0.1"))]);
    expect((await settled(a, "orphaned")).status).toBe("ok");
  });

  test("leaves no journal in which a claim, a start or an end has no licence", async () => {
    expect(await scene.cluster.breaches()).toEqual([]);
  });
});
