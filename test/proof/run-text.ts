// Runs a text plainly, as a check step gives it to bash: no control, no decoy, no judgement.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Fixture } from "./fixtures.ts";

/** The PATH of a step. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

type Options = {
  /** A directory of programs that come before those of the fixture. */
  readonly first?: string;
  readonly strict?: boolean;
  readonly limit_ms?: number;
  readonly before?: string;
};

function environmentOf({ target, home, path }: Fixture, { first, before }: Options = {}): Record<string, string> {
  const variables = Object.entries(target).map(([key, value]) => [`ORCH_TARGET_${key.toUpperCase()}`, value]);
  return {
    PATH: [first, path, SYSTEM_PATH].filter((part) => part !== undefined).join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    SHLVL: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    ...Object.fromEntries(variables),
    ORCH_PAYLOAD: '{"version":"2.4.0"}',
    ORCH_TASK_ID: "labelled-1",
    ...(before === undefined ? {} : { ORCH_BEFORE: before }),
  };
}

/** `exit_code` is null when the limit or a signal ended it. */
export async function runText(fixture: Fixture, text: string, options: Options = {}) {
  const flags = ["--noprofile", "--norc", "-p", ...(options.strict === true ? ["-eu"] : []), "-o", "pipefail", "-c"];
  const child = spawn("/bin/bash", [...flags, fixture.filled(text)], {
    cwd: fixture.cwd,
    env: environmentOf(fixture, options),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => (stdout += String(data)));
  child.stderr.on("data", (data) => (stderr += String(data)));
  const group = -(child.pid ?? 0);
  const end = () => {
    try {
      process.kill(group, "SIGKILL");
    } catch {
      // The group has ended.
    }
  };
  const timer = setTimeout(end, options.limit_ms ?? 20_000);
  const closed = once(child, "close");
  const [exit_code] = await once(child, "exit");
  clearTimeout(timer);
  // What is left of it would hold the pipes open.
  end();
  await closed;
  return { exit_code: exit_code as number | null, stdout: stdout.trim(), stderr: stderr.trim() };
}
