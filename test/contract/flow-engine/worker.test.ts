// The workers of the simulated flow engine: they really run the script, resolve its arguments, and are lost now and then.
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runFlow, runFlowAsync, waitJob } from "windmill-client";
import { z } from "zod";
import { statOf } from "../../../src/process/process-stat.ts";
import type { FlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { told } from "../../simulators/flow-engine/script.ts";
import { returns } from "../../simulators/flow-engine/worker.ts";
import { startDrivenEngine } from "../../support/flow-engine-client.ts";

const PATH = "f/orch/execute_task_steps";
const FAR_OFF = new Date("2001-02-03T04:05:06.789Z");

let driven: Awaited<ReturnType<typeof startDrivenEngine>>;
let engine: FlowEngine;

beforeEach(async () => {
  const variables = new Map([
    ["f/orch/notes_token", "s3cret"],
    ["f/orch/settings", '{"a":1}'],
  ]);
  const resources = new Map([["f/orch/place", { city: "Ulm" }]]);
  driven = await startDrivenEngine({ variables, resources, env: { GROUP_NAME: "fast" }, clock: () => FAR_OFF });
  engine = driven.engine;
});
afterEach(() => driven[Symbol.asyncDispose]());

const Ran = z.object({
  steps: z.unknown(),
  context: z.unknown(),
  env: z.record(z.string(), z.string()),
});
const ran = async (context: object, steps: readonly unknown[] = []) =>
  Ran.parse(await runFlow(PATH, told({}, context, steps)));
const started = () => expect.poll(() => engine.jobs[0]?.processes.at(-1)?.log()).toContain("started");
const ending = async () => {
  const [job] = engine.jobs;
  await job?.completed.promise;
  return job?.ending;
};

describe("a job's script", () => {
  test("has the environment of a job, and of its worker group, and nothing of ours", async () => {
    const { env } = await ran({});
    const [job] = engine.jobs;
    expect(env).toEqual({
      PATH: process.env["PATH"],
      HOME: "/tmp",
      GROUP_NAME: "fast",
      WM_TOKEN: job?.token,
      WM_WORKSPACE: "lab",
      WM_JOB_ID: job?.module_id,
      WM_FLOW_JOB_ID: job?.id,
      WM_FLOW_PATH: PATH,
      BASE_INTERNAL_URL: engine.url,
    });
  });

  test("works by the engine's clock", async () => {
    await ran({});
    expect(engine.jobs[0]).toMatchObject({ created_at: FAR_OFF, started_at: FAR_OFF, completed_at: FAR_OFF });
  });
});

describe("references in the arguments", () => {
  test("are resolved for the script, and kept as they were in the job", async () => {
    const context = {
      mcp_servers: { notes: { token: "$var:f/orch/notes_token" } },
      settings: "$jsonvar:f/orch/settings",
      place: "$res:f/orch/place",
      said: { $interpolate: ["Bearer ", { $var: "f/orch/notes_token" }] },
      group: "$GROUP_NAME",
      other: ["$NOBODY", "in the middle $var:f/orch/notes_token", 7],
    };
    expect((await ran(context)).context).toEqual({
      mcp_servers: { notes: { token: "s3cret" } },
      settings: { a: 1 },
      place: { city: "Ulm" },
      said: "Bearer s3cret",
      group: "fast",
      other: ["$NOBODY", "in the middle $var:f/orch/notes_token", 7],
    });
    expect(engine.jobs[0]?.args["context"]).toEqual(context);
    expect(JSON.stringify(engine.jobs[0]?.args)).not.toContain("s3cret");
  });

  test("are resolved in arrays down to the third level, and not in long ones", async () => {
    const ref = "$var:f/orch/notes_token";
    const long = Array.from({ length: 1001 }, () => ref);
    const context = { items: [ref], deeper: { items: [ref], deepest: { items: [ref] } }, long };
    const steps = [{ value: ref, arguments: { list: [ref] } }];
    const { context: seen, steps: seen_steps } = await ran(context, steps);
    expect(seen).toEqual({ items: ["s3cret"], deeper: { items: ["s3cret"], deepest: { items: [ref] } }, long });
    expect(seen_steps).toEqual([{ value: "s3cret", arguments: { list: [ref] } }]);
  });

  test("leave an argument alone that has none of them", async () => {
    expect((await ran({ group: "$GROUP_NAME" })).context).toEqual({ group: "$GROUP_NAME" });
  });

  test("fail the job when a variable is missing", async () => {
    const missing = runFlow(PATH, told({}, { token: "$var:f/orch/none" }));
    await expect(missing).rejects.toThrow("Variable f/orch/none not found for `context`");
    expect(engine.counts().processes).toBe(0);
  });

  test("fail the job when they are nested too deeply", async () => {
    const nest = (depth: number): object =>
      depth === 0 ? { token: "$var:f/orch/notes_token" } : { a: nest(depth - 1) };
    expect((await ran(nest(48))).context).toMatchObject({ a: {} });
    await expect(ran(nest(51))).rejects.toThrow("nested too deeply");
  });
});

describe("what a worker does with a job", () => {
  test("can be replaced until that is switched off", async () => {
    const off = engine.give(returns("not run"));
    expect(await runFlow(PATH, told({ returns: "run" }))).toBe("not run");
    off();
    expect(await runFlow(PATH, told({ returns: "run" }))).toBe("run");
  });
});

describe("a job that is ended", () => {
  test("loses its process, and only that", async () => {
    const file = join(tmpdir(), `left-behind-${engine.url.replaceAll(/\W/g, "")}`);
    const id = await runFlowAsync(PATH, told({ sleeps_ms: 30_000, leaves_behind: file }));
    await expect.poll(() => readFile(file, "utf8").catch(() => ""), { timeout: 5_000 }).toMatch(/^\d+$/);
    const pid = Number(await readFile(file, "utf8"));
    await engine.cancel(id, "admin", "no");
    expect(engine.jobs[0]?.processes[0]?.child.signalCode).toBe("SIGKILL");
    expect(statOf(pid)).not.toBeNull();
    process.kill(pid, "SIGKILL");
    await rm(file);
    const error = { name: "Canceled", message: "Job canceled: no by admin", reason: "no", canceler: "admin" };
    expect(await ending()).toEqual({ success: false, result: { error } });
  });

  test("ends although its process is only being started", async () => {
    const id = await runFlowAsync(PATH, told({ sleeps_ms: 30_000 }));
    await engine.cancel(id);
    expect(await ending()).toMatchObject({ success: false, result: { error: { name: "Canceled" } } });
    for (const { ended } of engine.jobs[0]?.processes ?? []) expect(await ended).toBeNull();
  });
});

describe("a worker that is lost", () => {
  test("leaves its job running until the engine gives it up", async () => {
    const id = await runFlowAsync(PATH, told({ sleeps_ms: 30_000 }));
    await started();
    await engine.killWorker(id, "stays_running");
    expect(engine.jobs[0]?.ending).toBeNull();
    await engine.killWorker(id, "fails");
    expect(JSON.stringify(await ending())).toContain("Job timed out after no ping from job since 2001-02-03");
  });

  test("has its job started again, from its beginning, in the same job", async () => {
    const id = await runFlowAsync(PATH, told({ sleeps_ms: 1_000, returns: { ok: true } }));
    await started();
    await engine.killWorker(id, "starts_again");
    expect(await waitJob(id)).toEqual({ ok: true });
    expect(engine.counts()).toEqual({ accepted: 1, run_requests: 1, processes: 2 });
  });
});

test("a queue that is held starts nothing until it is released", async () => {
  engine.hold();
  const id = await runFlowAsync(PATH, told({ returns: "late" }));
  expect(engine.jobs[0]?.started_at).toBeNull();
  engine.release();
  expect(await waitJob(id)).toBe("late");
});
