// A worker that ends a job kills the process of its script and nothing else. So a guard stands beside the script: a bash
// that is told which process group runs, and kills that group when the script is gone. A command begins only when the guard
// has said that it knows of it, so that there is no moment in which it would survive.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex } from "node:stream";
import type { ProcessContext } from "../local/containment/containment.ts";
import type { NoteGroup } from "../local/containment/group-containment.ts";
import { type Argv, spawnDetached } from "../local/containment/spawn-detached.ts";

const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"] as const;
/** At the end of the pipe `read` leaves an empty line behind: the last one that was told is kept apart. */
const GUARD = `group=
while read -r line; do group=$line; test -z "$line" || echo; done
test -z "$group" || kill -KILL -- "-$group"`;
/** Waits for a line, and becomes the command. */
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
  // Where there is none, or a command has killed it, steps run all the same.
  for (const one of [guard, guard.stdin]) one.on("error", () => {});

  // Older releases of the runtime close the number of a pipe a second time when its process is forgotten, and by then that
  // is the number of another pipe.
  const kept: ChildProcess[] = [];

  const watch = async (pid: number): Promise<void> => {
    const heard = new Promise((resolve) => guard.stdout.once("data", resolve));
    guard.stdin.write(`${pid}\n`);
    await Promise.race([heard, ended]);
  };
  const noteGroup: NoteGroup = () => () => void guard.stdin.write("\n");

  return {
    noteGroup,
    spawn: async (argv: Argv, place: ProcessContext) => {
      const started = await spawnDetached([...BASH, GATE, ...argv], place, ["ignore", "pipe", "pipe", "pipe"]);
      if ("fault" in started) return started;
      const gate = started.child.stdio[3];
      if (!(gate instanceof Duplex)) throw new TypeError("stdio 3 of the process is no pipe");
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
