// LangGraph's development server on a copy of the project, so that what it writes is not left in the checkout.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import { freePort } from "./free-port.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const CLI = join(PROJECT, "node_modules/.bin/langgraphjs");
const START_MS = 60_000;

export type StudioProcess = {
  readonly client: Client;
  /** Where the server was started; commands may write here too. */
  readonly directory: string;
} & AsyncDisposable;

/** Resolves once the server answers; rejects with its output when it ends or is not there in time. */
export async function startStudio(env: Readonly<Record<string, string>> = {}): Promise<StudioProcess> {
  const directory = await copyOfProject();
  const port = await freePort("localhost");
  const child = spawn(process.execPath, [CLI, "dev", "--no-browser", "--port", String(port)], {
    cwd: directory,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: directory, LANGGRAPH_CLI_NO_ANALYTICS: "1", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  const exited = once(child, "exit");
  const stop = async () => {
    if (child.pid !== undefined) await endGroup(child.pid);
    await exited;
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  };

  const apiUrl = `http://localhost:${port}`;
  const deadline = Date.now() + START_MS;
  while (!(await answers(`${apiUrl}/ok`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`langgraphjs dev did not start:\n${output}`);
    }
    await sleep(100);
  }
  return { client: new Client({ apiUrl }), directory, [Symbol.asyncDispose]: stop };
}

async function copyOfProject(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "orch-studio-"));
  for (const file of ["langgraph.json", ".gitignore"]) await copyFile(join(PROJECT, file), join(directory, file));
  for (const folder of ["graphs", "node_modules"]) await symlink(join(PROJECT, folder), join(directory, folder));
  return directory;
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

/** The command line tool starts tsx, which starts the server: the whole group ends, and nothing writes any more. */
async function endGroup(pid: number): Promise<void> {
  try {
    process.kill(-pid, "SIGKILL");
    for (;;) {
      process.kill(-pid, 0);
      await sleep(10);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
