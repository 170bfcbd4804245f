// The voice server as a process of its own, as an operator starts it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

export type VoiceStart = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly command?: readonly string[];
};

/** Resolves once it listens; rejects with its output when it ends before that. */
export async function startVoiceProcess({ env, cwd = ROOT, command = ["node", "voice/main.ts"] }: VoiceStart) {
  const [program = "", ...args] = command;
  const surroundings = { PATH: process.env["PATH"], ...env };
  const child = spawn(program === "node" ? process.execPath : program, args, { cwd, env: surroundings });
  let output = "";
  const exited = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const listening = /"url":"([^"]+)"/.exec(output)?.[1];
      if (listening !== undefined) resolve(listening);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then(([code]) => reject(new Error(`exit ${code}: ${output}`)));
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  const closeLog = () => void child.stderr.destroy();
  return { url, end, closeLog, output: () => output, [Symbol.asyncDispose]: async () => void (await end("SIGKILL")) };
}
