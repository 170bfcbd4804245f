// One process of `orch serve`, which may be killed before it listens.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { environmentOf } from "../support/orch-process.ts";

const PROGRAM = join(import.meta.dirname, "../../src/orch.ts");

export type Launch = {
  readonly data_dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Octal digits. */
  readonly umask: string;
  /** A module that node loads first. */
  readonly preload?: string;
};

export type ServerProcess = {
  readonly child: ChildProcess;
  readonly began: number;
  /** Null until it listens, which is once it has taken its unfinished tasks. */
  readonly url: () => string | null;
  /** Resolves to whether it listens; false when it ended before. */
  readonly listens: Promise<boolean>;
  /** Milliseconds until it listened. */
  readonly took: () => number | null;
  readonly ended: () => boolean;
  readonly exited: Promise<unknown>;
  readonly kill: (signal: NodeJS.Signals) => void;
};

/** Its output is appended to `server.log`. */
export function launch({ data_dir, env, umask, preload }: Launch): ServerProcess {
  const began = performance.now();
  const first = preload === undefined ? [] : ["--import", preload];
  const program = [process.execPath, ...first, PROGRAM, "serve"];
  const child = spawn("sh", ["-c", `umask ${umask}; exec "$@"`, "sh", ...program], {
    cwd: data_dir,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...environmentOf(data_dir),
      ORCH_SUBMITS_PER_MINUTE: "0",
      ORCH_REQUESTS_PER_SECOND: "0",
      ORCH_DRAIN_SECONDS: "2",
      ...env,
    },
  });
  let url: string | null = null;
  let took: number | null = null;
  const listening = Promise.withResolvers<boolean>();
  const log = (text: string) => appendFileSync(join(data_dir, "server.log"), text);
  const read = (chunk: Buffer) => {
    log(String(chunk));
    const found = /orch listens on (\S+)/.exec(String(chunk))?.[1];
    if (found === undefined) return;
    url = found;
    took = performance.now() - began;
    listening.resolve(true);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const exited = once(child, "exit").then(([code, signal]) => {
    url = null;
    log(`--- server ${child.pid} ended: ${code ?? signal}\n`);
    listening.resolve(false);
  });
  return {
    child,
    began,
    exited,
    url: () => url,
    listens: listening.promise,
    took: () => took,
    ended: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => void child.kill(signal),
  };
}
