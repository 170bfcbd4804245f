// When a worker ends a job, it kills the process of the script and nothing else. A guard process, a bash, gets the ids of
// the running process groups and kills those groups after the script is gone (D-105). A command starts only after the guard
// has confirmed its id, so that no command can survive the script.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex } from "node:stream";
import type { ProcessContext } from "../../execution/local/containment/containment.ts";
import type { NoteGroup } from "../../execution/local/containment/group-containment.ts";
import { runningChild } from "../../execution/local/containment/running.ts";
import { type Argv, spawnDetached } from "../../execution/local/containment/spawn-detached.ts";

const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"] as const;
/** `+` and an id begin a group, `-` and the id end it. The guard confirms each `+`, in their order. */
const GUARD = `groups=' '
while read -r sign id; do
  case $sign in
    +) groups+="$id " && echo ;;
    -) groups=\${groups/ $id / } ;;
  esac
done
for id in $groups; do kill -KILL -- "-$id"; done`;
/** Waits for a line, then replaces itself by the command. */
const GATE = 'ulimit -c 0; umask 022; read -r <&3 && exec "$0" "$@" 3<&-';

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

  const watch = async (pid: number): Promise<void> => {
    const confirmed = new Promise<void>((resolve) => unconfirmed.push(resolve));
    guard.stdin.write(`+ ${pid}\n`);
    await Promise.race([confirmed, ended]);
  };
  const noteGroup: NoteGroup = (pid) => () => void guard.stdin.write(`- ${pid}\n`);

  return {
    noteGroup,
    spawn: async (argv: Argv, context: ProcessContext) => {
      const started = await spawnDetached([...BASH, GATE, ...argv], context, ["ignore", "pipe", "pipe", "pipe"]);
      if ("fault" in started) return started;
      const gate = started.child.stdio[3];
      if (!(gate instanceof Duplex)) throw new TypeError("stdio 3 of the process is not a pipe");
      gate.on("error", () => {});
      const running = runningChild(started.child, started.pid);
      kept.push(started.child);
      await watch(started.pid);
      gate.resume().end("\n");
      return running;
    },
    close: async () => {
      guard.stdin.end();
      await ended;
    },
  };
}
