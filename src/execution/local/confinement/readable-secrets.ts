// Finds the secrets of orch that a step can read: runs a step that tries each of them.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { baseEnvironment } from "../environment.ts";
import { createCommandRunner } from "../runner/command-runner.ts";
import type { RunnerSetup } from "../runner/runner-process.ts";

const LIMIT_MS = 6_000;
/** Prints the places that it can read, and nothing of what is in them. */
const TRY = `while IFS= read -r place; do
  for file in "$place" "$place"/*; do
    for at in "$file" "/proc/$SERVER/root$file"; do
      if [ -f "$at" ] && [ -s "$at" ] && head -c 1 -- "$at" > /dev/null 2>&1; then echo "$file"; break; fi
    done
  done
done <<< "$PLACES"
if tr '\\0' '\\n' 2> /dev/null < "/proc/$SERVER/environ" | grep -qE '^(ORCH_|MCP_|FLOWENGINE_|DATABASE_URL=)'; then
  echo "the environment of the server"
fi
exit 0`;

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
