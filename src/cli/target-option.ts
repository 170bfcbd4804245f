// The attributes of a target, `key=value` each: of `--target`, or words of their own.
import { structuralIssue } from "../domain/json.ts";
import { Target } from "../domain/target.ts";
import { parseInput } from "../schema/parse-input.ts";
import { failed, usage } from "./failure.ts";

/** `key=value`, at the first sign. */
export const entryOf = (pair: string): [string, string] => {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
};

/** An object would keep the last of two words of one name, and lose a reserved one. */
export function faultIn(pairs: readonly string[]): string | null {
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
