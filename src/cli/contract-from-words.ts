// A task contract from the words of a command line: `restart service=web compose_dir=/srv/web --criterion "the site answers"`.
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { z } from "zod";
import { SentContract, Target } from "../domain/contract.ts";
import { structuralIssue } from "../domain/json.ts";
import { newTaskId } from "../domain/thread-id.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { CommandContext } from "./context.ts";
import { failed, usage } from "./failure.ts";

export const ContractWords = z.object({
  intent: z.string(),
  target: z.array(z.string()).default([]),
  criterion: z.array(z.string()).default([]),
  scope: z.array(z.string()).default([]),
  askFor: z.array(z.string()).default([]),
  payload: z.array(z.string()).default([]),
  mode: z.string().default("teach_if_unknown"),
  minutes: z.coerce.number().optional(),
  backend: z.string().optional(),
  runsOn: z.array(z.string()).optional(),
  id: z.string().optional(),
  skipIfDone: z.boolean().default(false),
  verifyBy: z.string().optional(),
  verifyAfter: z.coerce.number().optional(),
  verifyWithin: z.coerce.number().optional(),
});

type Context = Pick<CommandContext, "clock" | "cwd" | "environment">;

/** Every field that the words do not give has a value that asks for nothing. The server adds the time: the same words are the same contract. */
export function contractFromWords(context: Context, words: z.output<typeof ContractWords>): SentContract {
  const target = targetOf(words.target, "");
  const stray = words.payload.find((pair) => !/^[^=]+=/.test(pair));
  if (stray !== undefined) return failed(usage(`--payload ${stray} must be key=value.`));
  const fault = faultIn(words.payload);
  if (fault !== null) return failed(usage(`--payload ${fault}`));
  const { intent, mode, minutes, backend, runsOn, criterion, scope, askFor, skipIfDone } = words;
  const { verifyBy, verifyAfter, verifyWithin } = words;
  const now = context.clock();
  const contract = {
    task_id: words.id ?? newTaskId(intent, now, randomBytes(2).toString("hex")),
    intent,
    target: withDirectory(target, context.cwd),
    delegation_mode: mode,
    constraints: {
      implicit_scope: scope,
      require_approval_for: askFor,
      ...(minutes !== undefined && { max_minutes: minutes }),
    },
    success_criteria: criterion,
    requested_by: `cli:${context.environment["USER"] ?? "user"}`,
    payload: Object.fromEntries(words.payload.map(payloadEntry)),
    ...(backend !== undefined && { execution_backend: backend }),
    ...(runsOn !== undefined && { runs_on: runsOn }),
    ...(skipIfDone && { skip_if_done: true }),
    ...(verifyBy !== undefined && { verify_by: verifyBy }),
    ...(verifyAfter !== undefined && { verify_after_seconds: verifyAfter }),
    ...(verifyWithin !== undefined && { verify_within_hours: verifyWithin }),
  };
  const parsed = parseInput(SentContract, contract);
  if (parsed.ok) return parsed.value;
  return failed(usage(parsed.issues.map(({ path, message }) => `${path} ${message}`).join("; "), parsed.issues));
}

/** Makes a directory that is given from here absolute. A `~` that the shell left is for the server to refuse. */
function withDirectory(target: Target, cwd: string): Target {
  const { compose_dir } = target;
  return compose_dir === undefined || compose_dir.startsWith("~")
    ? target
    : { ...target, compose_dir: resolve(cwd, compose_dir) };
}

/** A value that is JSON is taken as JSON: `count=3`, `tags=["a"]`. */
function payloadEntry(pair: string): [string, unknown] {
  const [key, text] = entryOf(pair);
  try {
    return [key, JSON.parse(text)];
  } catch {
    return [key, text];
  }
}

// The attributes of a target, `key=value` each: of `--target`, or words of their own.

/** `key=value`, at the first sign. */
const entryOf = (pair: string): [string, string] => {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
};

/** An object would keep the last of two words of one name, and lose a reserved one. */
function faultIn(pairs: readonly string[]): string | null {
  const keys = pairs.map((pair) => entryOf(pair)[0]);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) return `${twice} is given twice; leave one.`;
  const issue = structuralIssue(Object.fromEntries(keys.map((key) => [key, null])));
  return issue === null ? null : `${issue.path} ${issue.message}.`;
}

export function targetOf(pairs: readonly string[], flag = "--target "): Target {
  const stray = pairs.find((pair) => !/^[^=]+=/.test(pair));
  if (stray !== undefined) return failed(usage(`${flag}${stray} must be key=value.`));
  const fault = faultIn(pairs);
  if (fault !== null) return failed(usage(`${flag}${fault}`));
  const parsed = parseInput(Target, Object.fromEntries(pairs.map(entryOf)));
  if (parsed.ok) return parsed.value;
  return failed(usage(parsed.issues.map(({ path, message }) => `${flag}${path} ${message}`).join("; "), parsed.issues));
}
