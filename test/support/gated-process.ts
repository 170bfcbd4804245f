// Runs each script twice as any command and once through the gate, in a directory that is empty each time, and prints the three ends.
// Reads the scripts as JSON from the file that its argument names.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { atGate } from "../../src/execution/local/containment/gate.ts";
import { baseEnvironment } from "../../src/execution/local/environment.ts";
import { type CommandEnd, createRunCommand } from "../../src/execution/local/run-command.ts";

/** `gated` is null where the script is not one for the gate, and for one that was stopped at its time limit. */
export type Ends = { readonly plain: CommandEnd; readonly again: CommandEnd; readonly gated: CommandEnd | null };

const DIRECTORY = "/tmp/work";
const runCommand = createRunCommand();

async function run(script: string, limit_ms: number, allowed?: Promise<boolean>): Promise<CommandEnd> {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY);
  const env = { ...baseEnvironment({ home: DIRECTORY }), ORCH_PAYLOAD: '{"a":"$(id)"}' };
  const command = { script, strict: true, cwd: DIRECTORY, env, limit_ms, grace_ms: 50 };
  return runCommand({ ...command, ...(allowed && { allowed }) }, new AbortController().signal);
}

const [, , file = ""] = process.argv;
const scripts: readonly string[] = JSON.parse(readFileSync(file, "utf8"));
const ends: Ends[] = [];
for (const script of scripts) {
  const plain = await run(script, 500);
  const isQuick = plain.ran && plain.stopped === null;
  const again = isQuick ? await run(script, 20_000) : plain;
  const gated = isQuick && atGate(script) !== null ? await run(script, 20_000, Promise.resolve(true)) : null;
  ends.push({ plain, again, gated });
}
process.stdout.write(JSON.stringify(ends));
