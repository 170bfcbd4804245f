// Servers on the real loopback, and commands in a network of their own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TaskContract } from "../../../../../domain/contract.ts";
import type { EnteredNetwork } from "../../../../local/network/agent-networks.ts";

/** Answers with what it was sent, and keeps it. */
export async function startEcho(host = "127.0.0.1") {
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    heard.push(`${request.method} ${request.url} ${body}`.trim());
    response.setHeader("x-from", "echo");
    response.end(`${request.method} ${request.headers.host} ${request.url} ${body}\n`);
  }).listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, heard, [Symbol.dispose]: close };
}

export const contractOf = (scope: readonly string[], target: Record<string, string> = {}): TaskContract => ({
  task_id: `network-${Math.random()}`,
  intent: "deploy",
  target,
  delegation_mode: "agent",
  constraints: { implicit_scope: [...scope], require_approval_for: [], max_minutes: 1 },
  success_criteria: [],
  requested_by: "test",
  requested_at: "2026-11-23T00:00:00Z",
  payload: {},
});

/** What the command printed on either stream, and its exit code. */
export async function runIn({ entry, env }: EnteredNetwork, script: string): Promise<{ said: string; code: number }> {
  const [program = "", ...enter] = entry.enter;
  const child = spawn(program, [...enter, "/bin/bash", "--norc", "-c", script], {
    env: { PATH: process.env["PATH"], ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk));
  const [code] = await once(child, "close");
  return { said, code };
}
