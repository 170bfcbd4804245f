// `npm run --silent cookie` as a process of its own, whose connections to the provider go to the fake one.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROVIDER_HOSTS } from "../../simulators/login-provider/certificates.ts";

export const MAIN = join(import.meta.dirname, "../../../cookie/main.ts");
const REDIRECTION = join(import.meta.dirname, "../../simulators/login-provider/redirected-child.ts");

export type Ended = { readonly exit: number | null; readonly stdout: string; readonly stderr: string };

export type CookieProcess = {
  readonly child: ChildProcess;
  readonly port: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once standard error holds the words; rejects when the process ends before. */
  readonly says: (words: string) => Promise<void>;
  readonly prints: (words: string) => Promise<void>;
  readonly ended: Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => Promise<Ended>;
  /** Its directory for temporary files, and what it holds there or has left. */
  readonly directory: string;
  readonly temporary: () => string[];
  readonly remove: () => Promise<void>;
};

export type Start = {
  readonly authority: string;
  readonly provider_port: number;
  readonly port: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A descriptor in the place of what is collected of standard error. */
  readonly stderr?: number;
};

export function startCookieProcess({ authority, provider_port, port, stderr: to, ...start }: Start): CookieProcess {
  const { args = [], env = {} } = start;
  const directory = mkdtempSync(join(tmpdir(), "cookie-process-"));
  const child = spawn(process.execPath, ["--import", REDIRECTION, MAIN, "--port", String(port), ...args], {
    cwd: directory,
    stdio: ["pipe", "pipe", to ?? "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      TMPDIR: directory,
      NODE_EXTRA_CA_CERTS: authority,
      SIMULATED_PROVIDER_PORT: String(provider_port),
      SIMULATED_PROVIDER_HOSTS: PROVIDER_HOSTS.join(","),
      ...env,
    },
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (exit) => resolve({ exit, stdout: stdout.text(), stderr: stderr.text() }));
  });
  const orEnd = (waiting: Promise<void>) =>
    Promise.race([waiting, ended.then((end) => Promise.reject(new Error(`it ended: ${JSON.stringify(end)}`)))]);
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    child,
    port,
    stdout: stdout.text,
    stderr: stderr.text,
    says: (words) => orEnd(stderr.holds(words)),
    prints: (words) => orEnd(stdout.holds(words)),
    ended,
    kill,
    directory,
    temporary: () => readdirSync(directory),
    remove: async () => {
      await kill("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function collect(stream: NodeJS.ReadableStream | null) {
  let all = "";
  const waiting = new Set<() => void>();
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    all += chunk;
    for (const look of waiting) look();
  });
  const holds = (words: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!all.includes(words)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { text: () => all, holds };
}

/** Whether something listens there. */
export const isOpen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** Whether the proxy answers: while the tool only tries its port, nothing does. */
export const isServing = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/cookie-success`).then(
    () => true,
    () => false,
  );
