// Three servers on one PostgreSQL: whichever is asked, a task behaves as on one server. What takes longer than a lease is in the files
// beside this one.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesOf } from "../../chaos/processes.ts";
import { cmd, contractBody } from "../../support/builders.ts";
import { type Member, marking, until } from "../../support/cluster.ts";
import { type Scene, STARTS_MS, server, settled, submit, teach, threeServers } from "./scene.ts";

const LINE = { service: "line" };

describe.skipIf(server === null)("three servers on one database", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await threeServers();
  }, STARTS_MS);
  afterAll(async () => {
    await scene?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  const three = () => {
    const [a, b, c] = scene.members;
    if (a === undefined || b === undefined || c === undefined) throw new Error("three servers were started");
    return [a, b, c] as const;
  };

  test("run two tasks with one target one after the other, whichever server was asked", async () => {
    const [a, b] = three();
    const target = { service: "shared" };
    await submit(a, "first", { target });
    await submit(b, "second", { target });
    await Promise.all([teach(a, "first", [cmd(marking(0, "0.6"))]), teach(b, "second", [cmd(marking(0, "0.6"))])]);
    const ends = await Promise.all([settled(b, "first"), settled(a, "second")]);
    expect(ends.map(({ status }) => status)).toEqual(["ok", "ok"]);
    const marks = scene.cluster.marks().filter(({ task_id }) => ["first", "second"].includes(task_id));
    const inOrder = marks.toSorted((one, other) => one.at - other.at);
    expect(inOrder.map(({ what }) => what)).toEqual(["start", "end", "start", "end"]);
    expect(inOrder[0]?.task_id).toBe(inOrder[1]?.task_id);
  });

  test("answer a wait for a task of another server within a second of when its own server answers", async () => {
    const [a] = three();
    await submit(a, "watched");
    await teach(a, "watched", [cmd(marking(0, "1.5"))]);
    const runner = await scene.runnerOf("watched");
    const answered = async (at: Member) => {
      const { status } = await settled(at, "watched", 20);
      return { status, at: performance.now() };
    };
    const [own, others] = await Promise.all([answered(runner), answered(scene.otherThan(runner))]);
    expect([own.status, others.status]).toEqual(["ok", "ok"]);
    expect(others.at - own.at).toBeLessThan(1_000);
  });

  test("end the step of a task that is cancelled on another server before they say so", async () => {
    const [, b] = three();
    await submit(b, "stopped");
    await teach(b, "stopped", [cmd(marking(0, "15"))]);
    const runner = await scene.runnerOf("stopped");
    const processes = () => processesOf("ORCH_TASK_ID=stopped");
    expect(processes()).not.toEqual([]);
    const { body } = await scene.otherThan(runner).post("/v1/tasks/stopped/cancel", {});
    expect(processes(), "the step has ended when the cancellation is answered").toEqual([]);
    expect(body.status).toBe("cancelled");
    await sleep(200);
    expect(scene.cluster.marks().filter(({ task_id }) => task_id === "stopped")).toHaveLength(1);
  });

  test("decide on one server what another has asked", async () => {
    const [a, b, c] = three();
    const constraints = { implicit_scope: [], require_approval_for: ["restarting a service"], max_minutes: 1 };
    await submit(a, "asking", { constraints });
    await teach(b, "asking", [cmd(marking(0, "0.1"))]);
    const { status, waiting } = await settled(c, "asking");
    expect(status).toBe("need_approval");
    const { approval_id } = waiting;
    const decided = await c.post("/v1/approve", { decision: "approve", approval_id });
    expect(decided.status).toBe(200);
    expect((await settled(a, "asking")).status).toBe("ok");
  });

  test("decide on one server the promotion that another asks for, and then all use the procedure", async () => {
    const [a, b, c] = three();
    await submit(a, "line-0", { target: LINE });
    await teach(b, "line-0", [cmd(marking(0, "0.3"))]);
    expect((await settled(c, "line-0")).status).toBe("ok");
    const approval_id = await until("the question", 10_000, async () => {
      const { next } = await settled(c, "line-0");
      return (
        next.find(({ operation }: { operation: string }) => operation === "approve")?.arguments.approval_id ?? null
      );
    });
    expect((await c.post("/v1/approve", { decision: "approve", approval_id })).status).toBe(200);
    for (const member of [a, b])
      await until(`the procedure at ${member.name}`, 10_000, async () => {
        const { sops } = (await member.get("/v1/sops?status=active")).body;
        return (
          sops.some(({ target_signature }: { target_signature: string }) => target_signature === "service=line") || null
        );
      });
  });

  test("start tasks of one target in the order in which they were accepted, give or take one, whichever server has them", async () => {
    const [a, b] = three();
    const names = Array.from({ length: 12 }, (_, nth) => `line-${nth + 1}`);
    for (const [nth, task_id] of names.entries())
      await (nth % 5 === 2 ? b : a).post("/v1/tasks", contractBody({ task_id, target: LINE }));
    for (const task_id of names) expect((await settled(a, task_id)).status).toBe("ok");
    const starts = scene.cluster.marks().filter(({ task_id, what }) => names.includes(task_id) && what === "start");
    const order = starts.toSorted((one, other) => one.at - other.at).map(({ task_id }) => names.indexOf(task_id));
    expect(
      order.filter((nth, place) => place - nth > 1),
      `too late, of ${order}`,
    ).toEqual([]);
  });

  test("hold on one server what another has frozen, and let it go on when a third one thaws", async () => {
    const [a, b, c] = three();
    await submit(b, "frozen", { target: { service: "frozen" } });
    const target = { service: "frozen" };
    const { freeze_id } = (await a.post("/v1/freezes", { reason: "power", target })).body.freeze;
    // Taught elsewhere at once: its first step is refused, also where that server has not heard of the freeze.
    await teach(b, "frozen", [cmd(marking(0, "0.1"))]);
    await until("that it is held", 20_000, async () => {
      const { held_by_freeze } = (await b.get("/v1/tasks/frozen")).body;
      return held_by_freeze?.freeze_id === freeze_id || null;
    });
    const kinds = (await scene.cluster.rows())
      .filter(({ thread_id }) => thread_id === "frozen")
      .map(({ kind }) => kind);
    expect(kinds).not.toContain("step_started");
    await c.post("/v1/freezes/thaw", { freeze_id });
    expect(await settled(b, "frozen")).toMatchObject({ status: "ok", held_by_freeze: null });
    expect(scene.cluster.marks().filter(({ task_id }) => task_id === "frozen")).toHaveLength(2);
  });

  test("leave a task to its server when another one starts", async () => {
    const [a] = three();
    await submit(a, "left-alone");
    await teach(a, "left-alone", [cmd(marking(0, "6"))]);
    await scene.runnerOf("left-alone");
    const late = await scene.cluster.start("late");
    expect((await settled(late, "left-alone")).status).toBe("ok");
    const starts = scene.cluster.marks().filter(({ task_id, what }) => task_id === "left-alone" && what === "start");
    expect(starts).toHaveLength(1);
    const rows = (await scene.cluster.rows()).filter(({ thread_id }) => thread_id === "left-alone");
    const kinds = rows.map(({ kind }) => kind);
    expect(kinds.slice(kinds.indexOf("taught")).filter((kind) => kind === "taken_up")).toHaveLength(1);
  });

  test("leave journals in which every claim, start and end is licensed", async () => {
    expect(await scene.cluster.breaches()).toEqual([]);
  });
});
