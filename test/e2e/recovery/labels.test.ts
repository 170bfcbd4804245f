// A task for a label that no server has, on the real server: it waits, says so, and runs after a start with ORCH_LABELS.
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { lines, serve, settled, teach } from "./begin.ts";

test.concurrent("a task waits for a label of its target, and runs once a server has it", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "target-labels.yaml");
  await writeFile(file, "- match: { service: pool }\n  labels: [zfs]\n");
  const env = { ORCH_TARGET_LABELS: file, ORCH_LABELS: "docker" };
  await using first = await serve({ data_dir: directory.path, env });
  const contract = contractBody({ task_id: "pool-1", target: { service: "pool" } });
  expect((await first.post("/v1/explain", { contract })).body).toMatchObject({ runs_on: ["zfs"], queued_for: ["zfs"] });
  const { body: waiting } = await first.post("/v1/tasks", { ...contract, wait_seconds: 1 });
  expect(waiting).toMatchObject({ status: "accepted", runs_on: ["zfs"], queued_for: ["zfs"] });
  const here = contractBody({
    task_id: "here",
    target: { service: "web" },
    runs_on: [`host:${hostname().toLowerCase()}`],
  });
  expect((await first.post("/v1/tasks", { ...here, wait_seconds: 20 })).body).toMatchObject({ status: "need_input" });
  await first.kill("SIGTERM");
  await using second = await serve({ data_dir: directory.path, env: { ...env, ORCH_LABELS: "docker,zfs" } });
  expect(await settled(second, "pool-1")).toMatchObject({ status: "need_input", queued_for: null });
  await teach(second, "pool-1", [cmd("echo x >> pool.ran"), check("test -d /")]);
  expect(await settled(second, "pool-1")).toMatchObject({ status: "ok", runs_on: ["zfs"], queued_for: null });
  expect(await lines(directory.path, "pool.ran")).toEqual(["x"]);
  const { body: bundle } = await second.get("/v1/tasks/pool-1/evidence");
  expect(verifyBundle(bundle)).toMatchObject({ faults: [] });
});

test.concurrent("a file of labels that is not valid stops the start, with its line and what to do", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "target-labels.yaml");
  await writeFile(file, "- match: { host: nas }\n  labels: [host:nas]\n- match: { host: b }\n  label: [docker]\n");
  const start = startOrchProcess({ data_dir: directory.path, env: { ORCH_TARGET_LABELS: file } });
  await expect(start).rejects.toThrow(
    /target-labels\.yaml, line 4: 1\.label is not a known field[\s\S]*Correct the file/,
  );
});
