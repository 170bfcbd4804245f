// Waiting over MCP: progress for clients that ask for it. A client's wait never affects the task.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { check } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import type { McpSupervisor } from "../../support/mcp-client.ts";
import { eventsIn, startMcp, toolCall } from "../../support/mcp-endpoint.ts";

const engine = held(await openEngine());
const endpoint = held(await startMcp({ operations: engine.operations, progress_ms: 50 }));

let supervisor: McpSupervisor;
beforeEach(async () => {
  supervisor = await endpoint.connect();
});
afterEach(() => supervisor[Symbol.asyncDispose]());

/** Submits a task whose first step runs until `engine.letGo`. */
async function holding(name: string): Promise<void> {
  await engine.learn("deploy", engine.targetOf(name), [engine.holding(name), check("test -d /")]);
  await supervisor.call("submit_task", engine.contract(name));
  await engine.begun(name);
}

const statusOf = async (task_id: string) => (await supervisor.call("get_task", { task_id })).status;

describe("progress", () => {
  test("reports the elapsed and total time and the state of the task, and ends with the response", async () => {
    await holding("told");
    const told: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const onprogress = (progress: (typeof told)[number]) => {
      told.push(progress);
      if (told.length === 3) engine.letGo("told");
    };
    const task = await supervisor.call("get_task", { task_id: "told", wait_seconds: 20 }, { onprogress });
    expect(task.status).toBe("ok");
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(told[0]).toMatchObject({ total: 20, message: "Task told is running: 0 of 2 steps have passed." });
    const waited = told.map(({ progress }) => progress);
    expect(waited).toEqual(waited.toSorted((a, b) => a - b));
    expect(new Set(waited).size).toBe(waited.length);
  });

  test("names the task that is ahead in the queue", async () => {
    await holding("in-front");
    await engine.learn("restart", engine.targetOf("in-front"), [check("test -d /")]);
    const behind = { ...engine.contract("behind", { intent: "restart" }), target: engine.targetOf("in-front") };
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const answer = supervisor.call(
      "submit_task",
      { ...behind, wait_seconds: 20 },
      { onprogress: ({ message }) => resolve(message) },
    );
    expect(await promise).toBe(
      "Task behind is accepted. Waits for task in-front, which goes first on the same target.",
    );
    engine.letGo("in-front");
    expect((await answer).status).toBe("ok");
  });

  test("is sent only on request and only during a wait", async () => {
    await holding("silent");
    const events = async (input: object, meta: object) => {
      const { params, ...message } = toolCall("get_task", { task_id: "silent", ...input });
      const accept = { accept: "application/json, text/event-stream" };
      return eventsIn(await (await endpoint.send({ ...message, params: { ...params, ...meta } }, accept)).text());
    };
    const asked = { _meta: { progressToken: "p" } };
    expect(await events({ wait_seconds: 0.3 }, {})).toHaveLength(1);
    expect(await events({}, asked)).toHaveLength(1);
    expect(await events({ wait_seconds: "nonsense" }, asked)).toMatchObject([{ result: { isError: true } }]);
    expect((await events({ wait_seconds: 0.3 }, asked)).length).toBeGreaterThan(1);
    engine.letGo("silent");
  });

  test("is not sent to a client that does not accept a stream", async () => {
    await holding("no-stream");
    const { params, ...message } = toolCall("get_task", { task_id: "no-stream", wait_seconds: 0.3 });
    const answer = await endpoint.send({ ...message, params: { ...params, _meta: { progressToken: 1 } } });
    expect(await answer.json()).toMatchObject({ result: { structuredContent: { status: "running" } } });
    engine.letGo("no-stream");
  });
});

describe("a wait", () => {
  test("that runs out returns the current state and a hint", async () => {
    await holding("runs-out");
    const task = await supervisor.call("get_task", { task_id: "runs-out", wait_seconds: 0.2 });
    expect(task).toMatchObject({
      status: "running",
      next: [{ operation: "get_task", arguments: { wait_seconds: 20 } }],
    });
    engine.letGo("runs-out");
  });

  test("that the client abandons cancels nothing: time-out, cancellation, lost connection", async () => {
    await holding("let-be");
    const waiting = { task_id: "let-be", wait_seconds: 20 };
    await expect(supervisor.call("get_task", waiting, { timeout: 200 })).rejects.toMatchObject({ code: -32001 });
    const gone = new AbortController();
    const cancelled = supervisor.call("get_task", waiting, { signal: gone.signal });
    setTimeout(() => gone.abort(), 200);
    await expect(cancelled).rejects.toThrow();
    const other = await endpoint.connect();
    const lost = other.call("get_task", waiting);
    setTimeout(() => void other.client.close(), 200);
    await expect(lost).rejects.toThrow();
    expect(await statusOf("let-be")).toBe("running");
    engine.letGo("let-be");
    expect((await supervisor.call("get_task", waiting)).status).toBe("ok");
  });

  test("on a submit that is lost leaves the task running, and the submit may be sent again", async () => {
    await engine.learn("deploy", engine.targetOf("lost"), [engine.holding("lost"), check("test -d /")]);
    const contract = { ...engine.contract("lost"), wait_seconds: 20 };
    const first = await endpoint.connect();
    const lost = first.call("submit_task", contract);
    lost.catch(() => undefined);
    await engine.begun("lost");
    await first.client.close();
    await expect(lost).rejects.toThrow();
    engine.letGo("lost");
    expect((await supervisor.call("submit_task", contract)).status).toBe("ok");
    expect(engine.linesOf("lost.begun"), "it ran once").toHaveLength(1);
  });
});
