// Has commands run by the runner process (runner-process.ts tells why there is one); a lost one is replaced.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { OrchError } from "../domain/errors.ts";
import type { Command, CommandEnd } from "./run-command.ts";
import type { Order, Report } from "./runner-process.ts";

const PROCESS = join(import.meta.dirname, "runner-process.ts");

/** Rejects when the runner process is lost: whether the command took effect is then not known. */
export type RunCommand = (command: Command, abort: AbortSignal) => Promise<CommandEnd>;

export type CommandRunner = {
  readonly runCommand: RunCommand;
  /** Lets the process go; what it still runs is killed. */
  readonly close: () => void;
};

type Waiting = { readonly resolve: (end: CommandEnd) => void; readonly reject: (error: Error) => void };

/** `env` is the environment of the process itself: a command could read it, so it holds no secret. */
export function createCommandRunner(env: Readonly<Record<string, string>>): CommandRunner {
  const waiting = new Map<number, Waiting>();
  let ids = 0;
  let runner = start();

  function start(): ChildProcess {
    // A session of its own, so that an interrupt from the terminal reaches the server only, which then drains.
    const child = fork(PROCESS, { env, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"], detached: true });
    child.on("message", ({ id, end }: Report) => settle(id)?.resolve(end));
    const gone = (cause?: unknown) => {
      for (const id of waiting.keys()) settle(id)?.reject(lost(cause));
    };
    child.once("error", gone);
    child.once("disconnect", () => gone());
    child.unref();
    child.channel?.unref();
    return child;
  }

  // The channel keeps this process alive only while a command is awaited.
  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) runner.channel?.unref();
    return found;
  }

  return {
    runCommand: async (command, abort) => {
      if (!runner.connected) runner = start();
      const id = ++ids;
      const end = Promise.withResolvers<CommandEnd>();
      waiting.set(id, end);
      runner.channel?.ref();
      const send = (order: Order) => runner.send(order, (error) => error !== null && settle(id)?.reject(lost(error)));
      const stop = () => void send({ id, stop: true });
      send({ id, command });
      abort.addEventListener("abort", stop, { once: true });
      if (abort.aborted) stop();
      return end.promise.finally(() => abort.removeEventListener("abort", stop));
    },
    close: () => {
      if (runner.connected) runner.disconnect();
    },
  };
}

const lost = (cause?: unknown) => new OrchError("internal_error", "the process that runs commands was lost", { cause });
