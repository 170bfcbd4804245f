// Preloaded into the server under NODE_V8_COVERAGE (executed-files.ts): SIGUSR2 writes down what has been executed since the
// last time, here and in the runner process. The runner gets an environment of its own, so the probe adds itself to it.
import childProcess, { type ChildProcess, type ForkOptions } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { takeCoverage } from "node:v8";

const probe = `--import=${import.meta.url}`;
const runners = new Set<ChildProcess>();

process.on("SIGUSR2", () => {
  takeCoverage();
  for (const runner of runners) runner.kill("SIGUSR2");
});

const { fork } = childProcess;
const NODE_V8_COVERAGE = process.env["NODE_V8_COVERAGE"] ?? "";

Object.assign(childProcess, {
  fork: (module: string, options: ForkOptions) => {
    const child = fork(module, { ...options, env: { ...options.env, NODE_V8_COVERAGE, NODE_OPTIONS: probe } });
    runners.add(child);
    child.once("exit", () => runners.delete(child));
    return child;
  },
});
syncBuiltinESMExports();
