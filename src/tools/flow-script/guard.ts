// When a worker ends a job, it kills the process of the script and nothing else. A guard process, a bash, gets the ids of
// the running process groups and kills those groups after the script is gone (D-105). A command starts only after the guard
// has confirmed its id, so that no command can survive the script.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { BASH, type NoteGroup, programIn } from "../../execution/execution.ts";

const GUARD = programIn(import.meta.dirname, "guard.sh");

export function createGuard() {
  const [program, ...options] = BASH;
  const guard = spawn(program, [...options, GUARD], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(guard, "close").catch(() => []);
  // Steps also run without a guard: where bash is missing, or after a command has killed the guard.
  for (const one of [guard, guard.stdin]) one.on("error", () => {});

  // Older releases of the runtime close the descriptor of a pipe a second time when its process is garbage-collected. By
  // then the number belongs to another pipe, so the processes are kept.
  const kept: ChildProcess[] = [];

  const unconfirmed: (() => void)[] = [];
  guard.stdout.setEncoding("latin1").on("data", (lines: string) => {
    for (const _ of lines) unconfirmed.shift()?.();
  });

  const noteGroup: NoteGroup = async (pid, launcher) => {
    kept.push(launcher);
    const confirmed = new Promise<void>((resolve) => unconfirmed.push(resolve));
    guard.stdin.write(`+ ${pid}\n`);
    await Promise.race([confirmed, ended]);
    return () => void guard.stdin.write(`- ${pid}\n`);
  };

  return {
    noteGroup,
    close: async () => {
      guard.stdin.end();
      await ended;
    },
  };
}
