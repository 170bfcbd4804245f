// A server that goes away while something is waited for: asked again, for so long and no longer.
import { expect, test } from "vitest";
import { runInProcess } from "../../support/cli-in-process.ts";
import { littleServer, type Reply } from "../../support/cli-server.ts";

const view = (status: string) => ({
  task_id: "t-1",
  status,
  label: status.toUpperCase(),
  intent: "deploy",
  target: {},
  target_signature: "",
  delegation_mode: "known_only",
  outcome: null,
  waiting: null,
  next: [{ operation: "get_task", arguments: {}, text: "Wait." }],
  queued_behind: null,
  queued_for: null,
  runs_on: null,
  sop_id: null,
  sop_version: null,
  backend: "local",
  verification: null,
  created_at: "2026-03-06T09:00:00.000Z",
  updated_at: "2026-03-06T09:00:00.000Z",
  ended_at: null,
  steps: [],
  checks: [],
  verify: null,
  waits_for: null,
  progress: null,
  result: null,
});

async function waitAgainst(replies: readonly (Reply | "hang up")[], patience_ms: number) {
  let at = 0;
  await using server = await littleServer(() => replies[Math.min(at++, replies.length - 1)] ?? "hang up");
  const environment = { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) };
  const said = await runInProcess(["task", "t-1", "--wait"], { environment, patience_ms });
  return { ...said, paths: server.asked.map(({ path }) => path) };
}

const running = { body: view("running") };

test("the server is asked again until it answers, then waited for as before", async () => {
  const replies = [running, "hang up", running, { body: view("ok") }] as const;
  const said = await waitAgainst(replies, 30_000);
  expect(said).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^t-1 {2}OK/) });
  expect(said.stderr).toBe("orch: it has stopped answering; asking again for 30 s\norch: it answers again\n");
  expect(said.paths).toEqual([
    "/v1/tasks/t-1",
    "/v1/tasks/t-1?wait_seconds=50",
    "/v1/tasks/t-1?wait_seconds=0",
    "/v1/tasks/t-1?wait_seconds=50",
  ]);
});

test("the server is asked no longer than patience lasts", async () => {
  const said = await waitAgainst([running, "hang up"], 600);
  expect(said).toMatchObject({ exit: 6, stdout: "", stderr: expect.stringContaining("does not answer at") });
  expect(said.paths.length).toBeGreaterThan(2);
});

test("a refusal is final", async () => {
  const gone = {
    status: 500,
    type: "application/problem+json",
    body: { type: "urn:orch:error:internal_error", code: "internal_error", detail: "Ours." },
  };
  const said = await waitAgainst([running, gone], 30_000);
  expect(said).toMatchObject({ exit: 70, stderr: expect.stringContaining("internal_error") });
});

test("a server that never answered is not asked again", async () => {
  const said = await waitAgainst(["hang up"], 30_000);
  expect(said).toMatchObject({ exit: 6 });
  expect(said.paths).toHaveLength(1);
});
