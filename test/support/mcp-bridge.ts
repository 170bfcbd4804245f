// The bridge from stdin to a running orch as a process of its own, with its pipes in hand.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const BRIDGE = join(import.meta.dirname, "mcp-stdio-process.ts");

export const bridgeEnvironment = (url: string, token: string) => ({
  PATH: process.env["PATH"] ?? "",
  ORCH_URL: url,
  ORCH_TOKEN: token,
});

export function startBridge(url: string, token: string) {
  const env = bridgeEnvironment(url, token);
  const child: ChildProcess = spawn(process.execPath, [BRIDGE], { env, stdio: "pipe" });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("the bridge has no pipes");
  let said = "";
  stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    child,
    stdin,
    stdout,
    stderr: () => said,
    send: (message: unknown) => stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    /** The next message; null once stdout has ended. */
    next: async () => {
      const { value, done } = await lines.next();
      return done === true ? null : JSON.parse(value);
    },
    exited: once(child, "exit").then(([code]) => code as number | null),
  };
}
