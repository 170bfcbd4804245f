// Has commands run by the runner process, which is started with the first one and kept.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { OrchError } from "../domain/errors.ts";
import type { Command, CommandEnd } from "./run-command.ts";
import type { Order, Report } from "./runner-process.ts";

const PROCESS = join(import.meta.dirname, "runner-process.ts");

/** Rejects when the runner process is lost: whether the command took effect is then not known. */
export type RunCommand = (command: Command, abort: AbortSignal) => Promise<CommandEnd>;

type Waiting = { readonly resolve: (end: CommandEnd) => void; readonly reject: (error: Error) => void };

export function createCommandRunner(env: Readonly<Record<string, string>>): RunCommand {
  const waiting = new Map<number, Waiting>();
  let runner: ChildProcess | null = null;
  let ids = 0;

  const lost = (): void => {
    runner = null;
    for (const { reject } of waiting.values())
      reject(new OrchError("internal_error", "the process that runs commands was lost"));
    waiting.clear();
  };

  const start = (): ChildProcess => {
    const child = fork(PROCESS, { env, execArgv: [], stdio: "ignore", detached: true });
    child.on("message", ({ id, end }: Report) => {
      waiting.get(id)?.resolve(end);
      waiting.delete(id);
      if (waiting.size === 0) child.channel?.unref();
    });
    child.once("exit", lost);
    child.unref();
    child.channel?.unref();
    return child;
  };

  return (command, abort) => {
    runner ??= start();
    const { promise, resolve, reject } = Promise.withResolvers<CommandEnd>();
    const id = ++ids;
    waiting.set(id, { resolve, reject });
    // The channel keeps this process alive only while a command is awaited.
    runner.channel?.ref();
    const send = (order: Order) => runner?.send(order);
    const stop = () => void send({ id, stop: true });
    abort.addEventListener("abort", stop, { once: true });
    send({ id, command });
    if (abort.aborted) stop();
    return promise.finally(() => abort.removeEventListener("abort", stop));
  };
}
