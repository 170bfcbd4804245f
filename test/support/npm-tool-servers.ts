// Starts tool servers from npm, each in its own process: memory and filesystem over stdio, everything and Playwright over HTTP.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { startStdioServer } from "./stdio-tool-server.ts";

const BIN = join(import.meta.dirname, "../../node_modules/.bin");
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);

type StdioOptions = NonNullable<Parameters<typeof startStdioServer>[2]>;

/** Keeps its graph in a file, so that it outlives a restart. */
export const startMemory = (directory: string, onCall?: StdioOptions["onCall"]) =>
  startStdioServer(process.execPath, [join(BIN, "mcp-server-memory")], {
    env: { MEMORY_FILE_PATH: join(directory, "memory.jsonl") },
    ...(onCall !== undefined && { onCall }),
  });

export const startFilesystem = (directory: string) =>
  startStdioServer(process.execPath, [join(BIN, "mcp-server-filesystem"), directory]);

async function started(child: ChildProcess, words: RegExp): Promise<void> {
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      said += chunk;
      if (words.test(said)) resolve();
    });
  child.once("exit", () => reject(new Error(`it ended: ${said}`)));
  await promise;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await once(child, "exit");
  clearTimeout(timer);
}

const PIPED: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];

export async function startEverything() {
  const port = await freePort();
  const env = { PATH: `${BIN}:${process.env["PATH"]}`, PORT: String(port) };
  const child = spawn(join(BIN, "mcp-server-everything"), ["streamableHttp"], { env, stdio: PIPED });
  await started(child, /listening/i);
  return { url: `http://127.0.0.1:${port}/mcp`, [Symbol.asyncDispose]: () => stop(child) };
}

/** Lists its tools without a browser, too. */
export async function startPlaywright() {
  const [port, directory] = [await freePort(), await mkdtemp(join(tmpdir(), "orch-playwright-"))];
  const browser = ["--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM];
  const child = spawn(join(BIN, "playwright-mcp"), ["--port", String(port), "--output-dir", directory, ...browser], {
    cwd: directory,
    env: { PATH: `${BIN}:${process.env["PATH"]}`, HOME: directory },
    stdio: PIPED,
  });
  await started(child, /Listening on/);
  return {
    url: `http://localhost:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await stop(child);
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
