// A server for bad input, and the checks after each test: it answers, no task is stuck, the stored data is consistent.
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { findingsIn } from "../../support/journal-check.ts";
import { type OrchProcess, type Start, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

/** Starts servers that are killed at the end of the file, also when a test fails. */
export function fileServers() {
  const started: OrchProcess[] = [];
  afterAll(() => {
    for (const { child } of started) child.kill("SIGKILL");
  });
  const startServer = async (start: Start): Promise<OrchProcess> => {
    const server = await startOrchProcess(start);
    started.push(server);
    return server;
  };
  /** The message of a server that does not start. Fails when the server starts. */
  const refusal = async (start: Start): Promise<string> => {
    const server = await startServer(start).catch((error: Error) => error);
    if (server instanceof Error) return server.message;
    await server.kill("SIGKILL");
    throw new Error("the server started");
  };
  return { startServer, refusal };
}

export const databaseIn = (data_dir: string): string => join(data_dir, "state", "orch.db");

/** One server for all tests of a file, checked after each of them. */
export function soundServer() {
  const { startServer } = fileServers();
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: OrchProcess;
  const read = new Set<string>();
  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startServer({ data_dir: directory.path });
  });
  afterEach(() => expectSound(server, directory.path, read));
  afterAll(async () => {
    expect(await server.kill("SIGTERM"), server.output()).toBe(0);
    await directory[Symbol.asyncDispose]();
  });
  return { orch: () => server, data_dir: () => directory.path };
}

/** Evidence in `read` that has not changed is not read again. */
export async function expectSound({ get }: OrchProcess, data_dir: string, read = new Set<string>()): Promise<void> {
  expect(await get("/healthz")).toEqual({ status: 200, body: { status: "ok" } });
  expect(await get("/readyz")).toEqual({ status: 200, body: { status: "ready" } });
  const { tasks } = (await get("/v1/tasks?limit=500")).body;
  for (const { task_id, status, updated_at } of tasks) {
    if (status === "accepted" || status === "running") await get(`/v1/tasks/${task_id}?wait_seconds=30`);
    else if (read.has(`${task_id} ${updated_at}`)) continue;
    read.add(`${task_id} ${updated_at}`);
    const evidence = await get(`/v1/tasks/${task_id}/evidence`);
    expect(evidence, task_id).toMatchObject({ status: 200, body: { broken_link: null } });
  }
  const consistent = async () => expect(await findingsIn(`file:${databaseIn(data_dir)}`)).toEqual([]);
  await vi.waitFor(consistent, { timeout: 10_000 });
}
