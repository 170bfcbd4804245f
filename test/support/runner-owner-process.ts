// A process that has a long command run and waits to be killed, for the test of what becomes of the command.
import { createCommandRunner } from "../../src/execution/command-runner.ts";
import { baseEnvironment } from "../../src/execution/environment.ts";

const [, , cwd = "/"] = process.argv;
const env = baseEnvironment({ home: cwd });
const command = { script: "echo $$ > pid; sleep 60", strict: true, cwd, env, limit_ms: 60_000, grace_ms: 200 };
await createCommandRunner(env).runCommand(command, new AbortController().signal);
