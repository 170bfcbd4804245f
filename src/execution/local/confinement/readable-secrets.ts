// Finds the secrets of orch that a step can read: runs a step that tries each of them.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { programIn } from "../containment/launcher.ts";
import { baseEnvironment } from "../environment.ts";
import { createCommandRunner } from "../runner/command-runner.ts";
import type { RunnerSetup } from "../runner/runner-process.ts";

const LIMIT_MS = 6_000;
const TRY = programIn(import.meta.dirname, "readable-secrets.sh");

/** The places of the list that a step under this setup can read. Rejects when it cannot be tried. */
export async function readableSecrets(setup: RunnerSetup, places: readonly string[]): Promise<string[]> {
  const env = baseEnvironment({ home: homedir() });
  const runner = createCommandRunner(env, setup);
  try {
    const end = await runner.runCommand(
      {
        script: TRY,
        strict: false,
        cwd: "/",
        env: { ...env, SERVER: String(process.pid), PLACES: places.join("\n") },
        limit_ms: LIMIT_MS,
        grace_ms: 0,
      },
      new AbortController().signal,
    );
    if (!end.ran) throw new Error(end.reason);
    if (end.exit_code !== 0) throw new Error(end.stderr.text.trim() || `it ended with ${end.signal ?? end.exit_code}`);
    return [...new Set(end.stdout.text.split("\n").filter((line) => line !== ""))];
  } finally {
    runner.close();
  }
}

/** Files with a hard link: a step can read them under their other name, which nothing knows. */
export const hardLinked = (paths: readonly string[]): string[] =>
  paths.filter((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && found.nlink > 1;
  });
