// The floor: what the same commands cost when nothing is decided about them. A bare loop in a process of its own: the same
// shell and arguments, one durable commit per step, the same database settings, through the plainest driver there is.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

const BASH = ["--noprofile", "--norc", "-p", "-euo", "pipefail", "-c"];
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/", LANG: "C.UTF-8", SHLVL: "1" };
const BODY = JSON.stringify({ exit_code: 0, stdout: "", stderr: "", duration_ms: 1, status: "passed" });

/** So many tasks of so many steps, so many of them at once. A step is `true`, or the given command. */
export type Load = {
  readonly tasks: number;
  readonly steps: number;
  readonly at_once: number;
  readonly command?: string;
  readonly directory?: string;
};

export type Floor = {
  readonly pid: number;
  /** The time of the whole load. */
  readonly ms: (load: Load) => Promise<number>;
  readonly close: () => void;
};

export function startFloor(path: string): Floor {
  const child = fork(fileURLToPath(import.meta.url), [path], { execArgv: ["--disable-warning=ExperimentalWarning"] });
  return {
    pid: child.pid ?? 0,
    ms: async (load) => {
      const answer = once(child, "message");
      child.send(load);
      const [ms] = await answer;
      return ms;
    },
    close: () => child.disconnect(),
  };
}

function run(command: string, cwd?: string): Promise<unknown> {
  const child = spawn("/bin/bash", [...BASH, command], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: ENVIRONMENT,
  });
  child.stdout.resume();
  child.stderr.resume();
  return once(child, "close");
}

function serve(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE step (id INTEGER PRIMARY KEY, task INTEGER, seq INTEGER, body TEXT, UNIQUE (task, seq))");
  const insert = database.prepare("INSERT INTO step (task, seq, body) VALUES (?, ?, ?)");
  let task = 0;
  const runTask = async ({ steps, command = "true", directory }: Load) => {
    const name = ++task;
    for (let seq = 0; seq < steps; seq++) {
      await run(command, directory);
      insert.run(name, seq, BODY);
    }
  };
  process.on("message", async (load: Load) => {
    const begun = performance.now();
    let left = load.tasks;
    const worker = async () => {
      while (left-- > 0) await runTask(load);
    };
    await Promise.all(Array.from({ length: load.at_once }, worker));
    process.send?.(performance.now() - begun);
  });
}

const [, startedAs, path] = process.argv;
if (startedAs === fileURLToPath(import.meta.url) && path !== undefined) serve(path);
