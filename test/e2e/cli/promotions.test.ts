// orch approve on a promotion waits for what comes of it, prints it, and exits with it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inProcessOf } from "../../support/cli-in-process.ts";
import { type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { fileServers } from "../bad-input/sound-server.ts";

const { startServer } = fileServers();

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: OrchProcess;
let orch: ReturnType<typeof inProcessOf>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startServer({ data_dir: directory.path });
  orch = inProcessOf(server);
});
afterAll(async () => {
  expect(await server.kill("SIGTERM"), server.output()).toBe(0);
  await directory[Symbol.asyncDispose]();
});

type Taught = { readonly approval_id: string };

async function candidate(service: string, nth: number): Promise<string> {
  const steps = [
    { kind: "cmd", value: `echo v${nth}` },
    { kind: "check", value: "test -d /" },
  ];
  const { body } = await server.post("/v1/teach", { intent: "deploy", target: { service }, steps });
  return (body as Taught).approval_id;
}

test("promises 2.7: of two that wait, the second names the approval that has taken its place", async () => {
  const [v1, v2] = [await candidate("two", 1), await candidate("two", 2)];
  expect(await orch(["approve", v1])).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/approved.*outcome +Version 1 is in use now\./s),
  });
  const refused = await orch(["approve", v2]);
  expect(refused).toMatchObject({ exit: 5, stderr: expect.stringMatching(/Version 2 is not in use.*approval_stale/s) });
  const [, again = ""] = /Read approval (\S+?),/.exec(refused.stderr) ?? [];
  expect(await orch(["approve", again])).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("Version 2 is in use now."),
  });
  expect(await orch(["approve", v1]), "again, of a version that was replaced since").toMatchObject({
    exit: 1,
    stdout: expect.stringContaining("Version 1 came into use with this approval, and is not in use any more."),
  });
});

test("promises 2.7: a rejection exits with 0 and says that the version is not in use", async () => {
  const id = await candidate("rejected", 1);
  expect(await orch(["reject", id])).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("Version 1 is not in use, because its approval was rejected."),
  });
});

test("promises 2.7: a replacement prints whether it is in use, and exits with it", async () => {
  const target = { service: "edited" };
  const update = (task_id: string, value: string) =>
    server.post("/v1/tasks", {
      task_id,
      intent: "update_sop",
      target,
      delegation_mode: "known_only",
      success_criteria: [],
      constraints: { implicit_scope: [], require_approval_for: [] },
      requested_by: "me",
      requested_at: "2026-01-01T00:00:00Z",
      wait_seconds: 20,
      payload: { intent: "deploy", steps: [{ kind: "check", value }] },
    });
  await orch(["approve", await candidate("edited", 1)]);
  await update("edit-1", "test -d /usr");
  expect(await orch(["approve", "--task", "edit-1"])).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("Version 2 of deploy is active."),
  });
  await update("edit-2", "test -d /var");
  expect(await orch(["approve", await candidate("edited", 4)])).toMatchObject({ exit: 0 });
  expect(await orch(["approve", "--task", "edit-2"])).toMatchObject({
    exit: 1,
    stdout: expect.stringContaining("Version 3 of deploy is not in use, because version 4 came into use"),
  });
});
