// Has commands run by the runner process (runner-process.ts tells why there is one); a lost one is replaced.
import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { OrchError } from "../../../domain/errors.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import { endLeftoverGroups } from "./leftover-groups.ts";
import type { Order, Report, RunnerSetup } from "./runner-process.ts";

const PROCESS = join(import.meta.dirname, "runner-process.ts");
const GRACE_MS = 5_000;
// Bash sets the limit and becomes the runner, and every command inherits it: none leaves a core file.
const WITHOUT_CORE_FILES = ["--noprofile", "--norc", "-p", "-c", 'ulimit -c 0; exec "$0" "$@"', process.execPath];

export type CommandRunner = {
  /** Rejects when the runner process is lost: whether the command took effect is then not known. */
  readonly runCommand: RunCommand;
  /** Lets the process go; what it still runs is killed. */
  readonly close: () => void;
};

/** `env` is the environment of the process itself: a command could read it, so it holds no secret. */
export function createCommandRunner(env: Readonly<Record<string, string>>, setup: RunnerSetup): CommandRunner {
  let runner = startRunner(env, setup);
  return {
    runCommand: (command, abort) => {
      if (!runner.isUp()) runner = startRunner(env, setup);
      return runner.runCommand(command, abort);
    },
    close: () => runner.close(),
  };
}

/** Where the server has its code compiled already, the runner is up in a third of the time. Below it lies one per release. */
function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const used = getCompileCacheDir();
  return used === undefined ? {} : { NODE_COMPILE_CACHE: dirname(used) };
}

function startRunner(env: Readonly<Record<string, string>>, setup: RunnerSetup) {
  const waiting = new Map<number, PromiseWithResolvers<CommandEnd>>();
  let ids = 0;
  const child = fork(PROCESS, {
    env: { ...env, ...compileCache() },
    execPath: "/bin/bash",
    execArgv: WITHOUT_CORE_FILES,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // A session of its own, so that an interrupt from the terminal reaches the server only, which then drains.
    detached: true,
  });
  child.on("message", ({ id, end }: Report) => settle(id)?.resolve(end));
  const lose = (cause?: unknown) => {
    for (const id of waiting.keys()) settle(id)?.reject(lost(cause));
  };
  child.once("error", lose);
  // What it ran is ended before anyone hears of it: a command that is run again must not meet itself.
  child.once("exit", () => void endLeftovers(setup).then(() => lose(), lose));
  hold(false);
  const send = (order: Order, told?: (error: Error | null) => void) => child.send(order, told);
  send({ setup });

  // The process is waited for only while a command is.
  function hold(wanted: boolean): void {
    const hold = wanted ? "ref" : "unref";
    child[hold]();
    child.channel?.[hold]();
  }

  function settle(id: number): PromiseWithResolvers<CommandEnd> | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) hold(false);
    return found;
  }

  const runCommand: RunCommand = async (command, abort) => {
    const id = ++ids;
    const end = Promise.withResolvers<CommandEnd>();
    waiting.set(id, end);
    hold(true);
    const stop = () => void send({ id, stop: true });
    send({ id, command }, (error) => error !== null && settle(id)?.reject(lost(error)));
    abort.addEventListener("abort", stop, { once: true });
    if (abort.aborted) stop();
    return end.promise.finally(() => abort.removeEventListener("abort", stop));
  };
  const isUp = () => child.connected;
  return { runCommand, isUp, close: () => isUp() && child.disconnect() };
}

const endLeftovers = async ({ running_dir }: RunnerSetup) =>
  running_dir === null ? [] : endLeftoverGroups(running_dir, GRACE_MS);

const lost = (cause?: unknown) => new OrchError("internal_error", "the process that runs commands was lost", { cause });
