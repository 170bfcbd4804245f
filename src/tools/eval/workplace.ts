// The directory of a measured task, and the bash that sets it up and then checks whether the task was done. This bash may
// run files that the agent wrote, so it has the confinement of an agent's commands.
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { OrchError } from "../../domain/errors.ts";
import type { Confinement } from "../../execution/local/containment/containment.ts";
import { baseEnvironment } from "../../execution/local/environment.ts";
import { createRunCommand } from "../../execution/local/run-command.ts";
import { type Places, withPlaces } from "./places.ts";
import type { EvalTask } from "./task.ts";

const LIMIT_MS = 60_000;
const GRACE_MS = 1_000;

/** Every line of the script must succeed. Resolves with null on success, else with the reason. */
export type Bash = (script: string, cwd: string) => Promise<string | null>;

type BashOptions = Parameters<typeof createRunCommand>[0] & { readonly confinement?: Confinement };

export function createBash({ confinement, ...options }: BashOptions = {}): Bash {
  const run = createRunCommand(options);
  const env = baseEnvironment({ home: homedir() });
  const bounds = { env, limit_ms: LIMIT_MS, grace_ms: GRACE_MS };
  return async (script, cwd) => {
    const within = confinement === undefined ? {} : { confinement: { ...confinement, writable: [cwd] } };
    const end = await run({ script, strict: true, cwd, ...bounds, ...within }, new AbortController().signal);
    if (!end.ran) return end.reason;
    return end.exit_code === 0 && end.stopped === null ? null : `it ended with ${end.exit_code}: ${end.stderr.text}`;
  };
}

/** Rejects with `input_invalid` when the task cannot be set up. */
export async function setUp(
  { name, files, setup }: EvalTask,
  { directory, places }: { readonly directory: string; readonly places: Places },
  bash: Bash,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), withPlaces(content, places));
  }
  const fault = setup === undefined ? null : await bash(setup, directory);
  if (fault !== null) throw new OrchError("input_invalid", `The setup of ${name} fails: ${fault}`);
}
