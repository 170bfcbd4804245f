// How a new server continues the work of the one before.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { check, cmd, contractBody, wait } from "../../support/builders.ts";
import { orderIn } from "../../support/kill-at.ts";
import { linesOf, temporaryDirectory } from "../../support/orch-process.ts";
import { begin, kindsOf, lines, serve, settled, submit, teach } from "./begin.ts";

test.concurrent.each(["SIGKILL", "SIGTERM"] as const)(
  "a wait that %s has cut off continues where it was and does not start again [2.kind.wait]",
  async (signal) => {
    await using directory = await temporaryDirectory();
    const start = { data_dir: directory.path, env: { ORCH_DRAIN_SECONDS: "0" } };
    await using first = await serve(start);
    const begun = performance.now();
    await begin(first, "t-1", [wait("8s"), check("test -d /")]);
    await sleep(1_500);
    await first.kill(signal);
    await using second = await serve(start);
    const up = performance.now();
    const task = await settled(second, "t-1");
    const ended = performance.now();
    expect(task.status).toBe("ok");
    expect(ended - begun).toBeGreaterThan(8_000);
    expect(ended - up).toBeLessThan(8_000);
    expect(task.steps[0]).toMatchObject({ status: "passed", attempt: 1 });
    expect(task.steps[0].duration_ms).toBeGreaterThanOrEqual(8_000);
  },
);

test.concurrent("a check that was cut off runs again without a question, and earlier evidence is kept [1.A.5.evidence]", async () => {
  await using directory = await temporaryDirectory();
  await using first = await serve({ data_dir: directory.path });
  await begin(first, "t-1", [cmd("echo x >> deployed"), check("echo x >> looked; sleep 0.5; test -s looked")]);
  await lines(directory.path, "looked");
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir: directory.path });
  const task = await settled(second, "t-1");
  expect(task).toMatchObject({ status: "ok", steps: [{ attempt: 1 }, { attempt: 1 }] });
  expect(await lines(directory.path, "looked")).toHaveLength(2);
  expect(await lines(directory.path, "deployed")).toHaveLength(1);
  const kinds = await kindsOf(second, "t-1");
  expect(kinds.filter((kind) => kind === "step_started")).toHaveLength(3);
  const { body } = await second.get("/v1/tasks/t-1/evidence");
  expect(body).toMatchObject({
    ...{ broken_link: null, contract: { task_id: "t-1" } },
    step_results: [{ kind: "cmd", status: "passed", exit_code: 0 }, { kind: "check" }],
  });
});

// Begins, and ends once the test creates the file `go`.
const marked = cmd('echo "$ORCH_TASK_ID" >> line; until test -e go; do sleep 0.02; done; echo "$ORCH_TASK_ID" >> line');
const STEPS = [marked, marked, check("test -d /")];
const letGo = (data_dir: string) => writeFile(join(data_dir, "go"), "");

test.concurrent("a task that was cut off keeps its target, and the task queued after it still waits", async () => {
  await using directory = await temporaryDirectory();
  await using first = await serve({ data_dir: directory.path });
  await begin(first, "ahead", STEPS, "shared");
  await lines(directory.path, "line");
  await first.post("/v1/tasks", contractBody({ task_id: "behind", target: { service: "shared" } }));
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir: directory.path });
  expect((await settled(second, "ahead")).outcome.reason_code).toBe("step_outcome_unknown");
  await sleep(500);
  expect((await second.get("/v1/tasks/behind")).body).toMatchObject({ status: "accepted", queued_behind: "ahead" });
  await letGo(directory.path);
  await second.post("/v1/tasks/ahead/resolve", { resolution: "retry" });
  expect((await settled(second, "ahead")).status).toBe("ok");
  expect((await settled(second, "behind")).outcome.reason_code).toBe("sop_unknown");
  await teach(second, "behind", STEPS);
  expect((await settled(second, "behind")).status).toBe("ok");
  expect(linesOf(`${directory.path}/line`)).toEqual([...Array(5).fill("ahead"), ...Array(4).fill("behind")]);
});

test.concurrent("a task that has begun keeps its target although an older one was taught after it began", async () => {
  await using directory = await temporaryDirectory();
  await using first = await serve({ data_dir: directory.path });
  await submit(first, "older", "shared");
  await begin(first, "begun", STEPS, "shared");
  await lines(directory.path, "line");
  await teach(first, "older", STEPS);
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir: directory.path });
  expect((await settled(second, "begun")).outcome.reason_code).toBe("step_outcome_unknown");
  await letGo(directory.path);
  await second.post("/v1/tasks/begun/resolve", { resolution: "retry" });
  expect((await settled(second, "older")).status).toBe("ok");
  expect(linesOf(`${directory.path}/line`)).toEqual([...Array(5).fill("begun"), ...Array(4).fill("older")]);
});

test.concurrent("a task whose step was resolved keeps its target even when the server is killed right after the resolution", async () => {
  await using directory = await temporaryDirectory();
  const preload = new URL("../../support/kill-at.ts", import.meta.url).pathname;
  const start = { data_dir: directory.path, preload, env: { KILL_DIR: directory.path } };
  await using first = await serve(start);
  await submit(first, "older", "shared");
  await begin(first, "begun", STEPS, "shared");
  await lines(directory.path, "line");
  await first.kill("SIGKILL");
  await using second = await serve(start);
  await settled(second, "begun");
  await teach(second, "older", STEPS);
  await letGo(directory.path);
  await writeFile(orderIn(directory.path), "commit:after:step_resolved#1");
  await expect(second.post("/v1/tasks/begun/resolve", { resolution: "retry" })).rejects.toThrow();
  await using third = await serve(start);
  expect((await settled(third, "older")).status).toBe("ok");
  expect(linesOf(`${directory.path}/line`)).toEqual([...Array(5).fill("begun"), ...Array(4).fill("older")]);
});
