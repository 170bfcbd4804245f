// `orch` as a process of its own, as a person or a script runs it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { COMPILE_CACHE, type OrchProcess, TOKEN } from "./orch-process.ts";
import { WITHOUT_LOOKS } from "./without-looks.ts";

export const ORCH = join(import.meta.dirname, "../../src/orch.ts");

export type Ran = { readonly exit: number | null; readonly stdout: string; readonly stderr: string };
export type Surround = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** The program and its first arguments, where it is not the one of this checkout. */
  readonly program?: readonly [string, ...string[]];
};

export const cliEnvironment = (env: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  ...WITHOUT_LOOKS,
  ...env,
});

export function startCli(args: readonly string[], { env, cwd, program }: Surround = {}): ChildProcess {
  const [file, ...first] = program ?? [process.execPath, ORCH];
  return spawn(file, [...first, ...args], { cwd, env: cliEnvironment(env) });
}

export async function runCli(args: readonly string[], surround: Surround = {}): Promise<Ran> {
  const child = startCli(args, surround);
  child.stdin?.end(surround.stdin ?? "");
  return ended(child);
}

export async function ended(child: ChildProcess): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const [exit] = await once(child, "close");
  return { exit, stdout, stderr };
}

/** Speaks to that server, as its supervisor. */
export const cliOf =
  ({ url }: Pick<OrchProcess, "url">, token = TOKEN) =>
  (args: readonly string[], { env, ...surround }: Surround = {}): Promise<Ran> =>
    runCli(args, { ...surround, env: { ORCH_URL: url, ORCH_TOKEN: token, ...env } });

export type Served = { readonly url: string; readonly kill: (signal: NodeJS.Signals) => Promise<Ran> };

/** `orch serve` on any free port; resolves once it listens. */
export async function startServe(
  env: Readonly<Record<string, string>>,
  surround: Pick<Surround, "cwd" | "program"> = {},
): Promise<Served> {
  const child = startCli(["serve"], { ...surround, env: { ORCH_PORT: "0", ...env } });
  const whole = ended(child);
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: string) => {
      output += chunk;
      const listening = /orch listens on (\S+)/.exec(output);
      if (listening?.[1] !== undefined) resolve(listening[1]);
    });
    void whole.then(({ stderr }) => reject(new Error(stderr)));
  });
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return whole;
  };
  return { url, kill };
}
