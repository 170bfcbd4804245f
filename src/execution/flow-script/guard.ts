// When a worker ends a job, it kills the process of the script and nothing else. A guard process, a bash, gets the id of
// the running process group and kills that group after the script is gone (D-105). A command starts only after the guard
// has confirmed its id, so that no command can survive the script.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex } from "node:stream";
import type { ProcessContext } from "../local/containment/containment.ts";
import type { NoteGroup } from "../local/containment/group-containment.ts";
import { type Argv, spawnDetached } from "../local/containment/spawn-detached.ts";

const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"] as const;
/** At the end of the pipe, `read` sets `line` to an empty text, so the last id is kept in `group`. */
const GUARD = `group=
while read -r line; do group=$line; test -z "$line" || echo; done
test -z "$group" || kill -KILL -- "-$group"`;
/** Waits for a line, then replaces itself by the command. */
const GATE = 'ulimit -c 0; read -r <&3 && exec "$0" "$@" 3<&-';

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

  const watch = async (pid: number): Promise<void> => {
    const confirmed = new Promise((resolve) => guard.stdout.once("data", resolve));
    guard.stdin.write(`${pid}\n`);
    await Promise.race([confirmed, ended]);
  };
  const noteGroup: NoteGroup = () => () => void guard.stdin.write("\n");

  return {
    noteGroup,
    spawn: async (argv: Argv, context: ProcessContext) => {
      const started = await spawnDetached([...BASH, GATE, ...argv], context, ["ignore", "pipe", "pipe", "pipe"]);
      if ("fault" in started) return started;
      const gate = started.child.stdio[3];
      if (!(gate instanceof Duplex)) throw new TypeError("stdio 3 of the process is not a pipe");
      gate.on("error", () => {});
      kept.push(started.child);
      await watch(started.pid);
      gate.resume().end("\n");
      return started;
    },
    close: async () => {
      guard.stdin.end("\n");
      await ended;
    },
  };
}
