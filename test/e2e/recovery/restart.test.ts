// How a new server continues the work of the one before. The tests continue from one another: each server has the tasks of all of them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { check, cmd, contractBody, wait } from "../../support/builders.ts";
import { orderIn } from "../../support/kill-at.ts";
import { linesOf, type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { begin, kindsOf, lines, serve, settled, submit, teach } from "./begin.ts";

const PRELOAD = join(import.meta.dirname, "../../support/kill-at.ts");
const WAIT_MS = 10_000;

const left = new AsyncDisposableStack();
let directory: string;
let server: OrchProcess;

async function start(): Promise<void> {
  const env = { ORCH_DRAIN_SECONDS: "0", KILL_DIR: directory };
  server = left.use(await serve({ data_dir: directory, preload: PRELOAD, env }));
}

/** Resolves while it waits: what is done before it takes as long as it takes. */
async function beginWait(task_id: string): Promise<void> {
  await begin(server, task_id, [wait(`${WAIT_MS / 1_000}s`), check("test -d /")]);
  while (!(await kindsOf(server, task_id)).includes("step_started")) await sleep(20);
}

// Each begins, and ends once the test creates the file `go` of its target.
const mark = (target: string) => `echo "$ORCH_TASK_ID" >> ${target}.line`;
const marked = (target: string) =>
  cmd(`${mark(target)}; until test -e ${target}.go; do sleep 0.02; done; ${mark(target)}`);
const stepsOn = (target: string) => [marked(target), marked(target), check("test -d /")];
const letGo = (target: string) => writeFile(join(directory, `${target}.go`), "");

/** The steps of `first` have run, the one that was cut off again, and after them those of `next`. */
const expectInTurn = (target: string, first: string, next: string) =>
  expect(linesOf(join(directory, `${target}.line`))).toEqual([...Array(5).fill(first), ...Array(4).fill(next)]);

beforeAll(async () => {
  directory = left.use(await temporaryDirectory()).path;
  await start();
  await Promise.all([
    begin(server, "looks", [
      cmd("echo x >> deployed"),
      check("echo x >> looked; until test -e looks.go; do sleep 0.02; done; test -s looked"),
    ]).then(() => lines(directory, "looked")),
    begin(server, "ahead", stepsOn("queue"), "queue").then(() => lines(directory, "queue.line")),
    ...["old", "killed"].map(async (target) => {
      await submit(server, `older-${target}`, target);
      await begin(server, `begun-${target}`, stepsOn(target), target);
      await lines(directory, `${target}.line`);
    }),
  ]);
  await server.post("/v1/tasks", contractBody({ task_id: "next", target: { service: "queue" } }));
  await teach(server, "older-old", stepsOn("old"));
  await beginWait("wait-SIGKILL");
  await server.kill("SIGKILL");
  await letGo("looks");
  await start();
}, 120_000);
afterAll(() => left.disposeAsync());

async function expectContinued(task_id: string): Promise<void> {
  const task = await settled(server, task_id);
  expect(task.status).toBe("ok");
  const { journal } = (await server.get(`/v1/tasks/${task_id}/evidence`)).body;
  const at = (kind: string): number[] =>
    journal
      .filter((event: { kind: string }) => event.kind === kind)
      .map((event: { at: string }) => Date.parse(event.at));
  const [begun = 0] = at("step_started");
  const [ended = 0] = at("step_finished");
  expect(ended - begun).toBeGreaterThanOrEqual(WAIT_MS);
  expect(ended - (at("taken_up").at(-1) ?? 0), "from the claim of this server on").toBeLessThan(WAIT_MS);
  expect(task.steps[0]).toMatchObject({ status: "passed", attempt: 1 });
  expect(task.steps[0].duration_ms).toBeGreaterThanOrEqual(WAIT_MS);
}

test("a wait that SIGKILL has cut off continues where it was and does not start again [2.kind.wait]", () =>
  expectContinued("wait-SIGKILL"));

test("a check that was cut off runs again without a question, and earlier evidence is kept [1.A.5.evidence]", async () => {
  expect(await settled(server, "looks")).toMatchObject({ status: "ok", steps: [{ attempt: 1 }, { attempt: 1 }] });
  expect(await lines(directory, "looked")).toHaveLength(2);
  expect(await lines(directory, "deployed")).toHaveLength(1);
  const kinds = await kindsOf(server, "looks");
  expect(kinds.filter((kind) => kind === "step_started")).toHaveLength(3);
  const { body } = await server.get("/v1/tasks/looks/evidence");
  expect(body).toMatchObject({
    broken_link: null,
    contract: { task_id: "looks" },
    step_results: [{ kind: "cmd", status: "passed", exit_code: 0 }, { kind: "check" }],
  });
});

test("a task that was cut off keeps its target, and the task queued after it still waits", async () => {
  expect((await settled(server, "ahead")).outcome.reason_code).toBe("step_outcome_unknown");
  await sleep(500);
  expect((await server.get("/v1/tasks/next")).body).toMatchObject({ status: "accepted", queued_behind: "ahead" });
  await letGo("queue");
  await server.post("/v1/tasks/ahead/resolve", { resolution: "retry" });
  expect((await settled(server, "ahead")).status).toBe("ok");
  expect((await settled(server, "next")).outcome.reason_code).toBe("sop_unknown");
  await teach(server, "next", stepsOn("queue"));
  expect((await settled(server, "next")).status).toBe("ok");
  expectInTurn("queue", "ahead", "next");
});

test("a task that has begun keeps its target although an older one was taught after it began", async () => {
  expect((await settled(server, "begun-old")).outcome.reason_code).toBe("step_outcome_unknown");
  await letGo("old");
  await server.post("/v1/tasks/begun-old/resolve", { resolution: "retry" });
  expect((await settled(server, "older-old")).status).toBe("ok");
  expectInTurn("old", "begun-old", "older-old");
});

test("a wait that SIGTERM has cut off continues where it was and does not start again [2.kind.wait]", async () => {
  await settled(server, "begun-killed");
  await beginWait("wait-SIGTERM");
  await server.kill("SIGTERM");
  await start();
  await expectContinued("wait-SIGTERM");
});

test("a task whose step was resolved keeps its target even when the server is killed right after the resolution", async () => {
  await teach(server, "older-killed", stepsOn("killed"));
  await letGo("killed");
  await writeFile(orderIn(directory), "commit:after:step_resolved#1");
  await expect(server.post("/v1/tasks/begun-killed/resolve", { resolution: "retry" })).rejects.toThrow();
  await start();
  expect((await settled(server, "older-killed")).status).toBe("ok");
  expectInTurn("killed", "begun-killed", "older-killed");
});
