// The flow engine's own command line, in a home of its own from which it knows no server, and an engine to push to that holds
// nothing yet.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { json, type Received, startRequestRecorder, text } from "./request-recorder.ts";

const WMILL = createRequire(import.meta.url).resolve("windmill-cli");
const OPERATOR = {
  username: "op",
  email: "op@example.com",
  workspace_id: "lab",
  role: "admin",
  is_admin: true,
  is_super_admin: false,
  operator: false,
  disabled: false,
  created_at: "2026-03-06T09:00:00Z",
  folders: [],
  folders_owners: [],
  folders_read: [],
  groups: [],
};

const answer = ({ method, url }: Received) => {
  if (url === "/api/users/whoami") return json(OPERATOR);
  return method === "GET" ? text("not found", 404) : text("created", 201);
};

/** What was written there, in its order. */
export async function startEmptyEngine() {
  const engine = await startRequestRecorder(answer);
  return {
    remote: ["--base-url", `${engine.url}/`, "--workspace", "lab", "--token", "t"],
    written: () => engine.received.filter(({ method }) => method === "POST"),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** Its output; rejects when it fails. */
export async function wmill(cwd: string, ...args: string[]): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "wmill-"));
  try {
    const env = { PATH: process.env["PATH"], HOME: home, XDG_CONFIG_HOME: join(home, ".config") };
    const run = promisify(execFile)(process.execPath, [WMILL, ...args], { cwd, env, timeout: 30_000 });
    return (await run).stdout;
  } finally {
    await rm(home, { recursive: true });
  }
}
