// A server in small: it has a command run for long and waits to be ended, for the tests of what becomes of the command.
// Arguments: the setup of the runner as JSON, the directory of the command, its script.
import { baseEnvironment } from "../../execution.ts";
import { createCommandRunner } from "../../local/runner/command-runner.ts";

const [, , setup = "", cwd = "/", script = ""] = process.argv;
const env = baseEnvironment({ home: cwd });
const runner = createCommandRunner(env, JSON.parse(setup));
process.once("message", () => {
  throw new Error("nobody catches this");
});
process.once("SIGTERM", () => {
  runner.close();
  process.exit(0);
});
const command = { script, strict: true, cwd, env, limit_ms: 60_000, grace_ms: 500 };
await runner.runCommand(command, new AbortController().signal);
