// The real server as a process of its own, driven over HTTP as the supervisor drives it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WITHOUT_LOOKS } from "./without-looks.ts";

const PROJECT = join(import.meta.dirname, "../..");
const MAIN = "src/app/main.ts";
const RESOLVED_IMPORTS = join(import.meta.dirname, "resolved-imports.ts");

/** What is compiled once serves every process that the tests start. */
export const COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/orch-tests");

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read deep into answers and check what they find
  readonly body: any;
};

export type OrchProcess = {
  readonly url: string;
  readonly child: ChildProcess;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  /** Everything written to stdout and stderr so far. */
  readonly output: () => string;
  /** Sends the signal and resolves with the exit code once the process is gone; null when a signal ended it. */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
};

export type Start = {
  readonly data_dir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A module that node loads first, for example to kill the process at a chosen point. */
  readonly preload?: string;
  /** Called with the process before it listens. */
  readonly onSpawn?: (child: ChildProcess) => void;
  /** Started with `npm start`, as a user does. */
  readonly by_npm?: boolean;
  /** A program that starts it, with its arguments: under another account, for example. */
  readonly through?: readonly string[];
  /** The sources that run, where they are not those of this checkout. */
  readonly checkout?: string;
};

export const TOKEN = "a-token-for-tests-that-is-long-enough-0123456789";

/** What a server of the tests is given at least: nothing of this process but its programs. */
export const environmentOf = (data_dir: string) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: data_dir,
  ORCH_DATA_DIR: join(data_dir, "state"),
  ORCH_PORT: "0",
  ORCH_TOKEN: TOKEN,
  NODE_COMPILE_CACHE: COMPILE_CACHE,
});

/** Resolves once the server listens; rejects with its output when it ends before that. */
export async function startOrchProcess(start: Start): Promise<OrchProcess> {
  const { data_dir, env = {}, preload, by_npm = false, through = [], checkout = PROJECT } = start;
  const preloads = [...(checkout === PROJECT ? [RESOLVED_IMPORTS] : []), ...(preload === undefined ? [] : [preload])];
  const args = [...preloads.flatMap((module) => ["--import", module]), join(checkout, MAIN)];
  const [program = "", ...options] = [...through, ...(by_npm ? ["npm", "start"] : [process.execPath, ...args])];
  const child = spawn(program, options, {
    cwd: checkout,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...environmentOf(data_dir),
      ...WITHOUT_LOOKS,
      ...env,
    },
  });
  start.onSpawn?.(child);
  let output = "";
  const exited = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const listening = /orch listens on (\S+)/.exec(output);
      if (listening?.[1] !== undefined) resolve(listening[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then(([code]) => reject(new Error(`orch ended with ${code} before it listened:\n${output}`)));
  });

  const request = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  return {
    url,
    child,
    get: (path) => request("GET", path),
    post: (path, body) => request("POST", path, body),
    output: () => output,
    kill: async (signal) => {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** A directory that is removed with everything in it when the scope ends. */
export async function temporaryDirectory(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "orch-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}

export const linesOf = (path: string): string[] => {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
};
