// The values of `--target key=value`, which may be repeated.
import { Target } from "../domain/contract.ts";
import { parseInput } from "../schema/parse-input.ts";
import { failed, type Result, success, usage } from "./failure.ts";

export function targetOf(pairs: readonly string[]): Result<Target> {
  const stray = pairs.find((pair) => !pair.includes("="));
  if (stray !== undefined) return failed(usage(`--target ${stray} must be key=value.`));
  const entries = pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  const parsed = parseInput(Target, Object.fromEntries(entries));
  if (parsed.ok) return success(parsed.value);
  return failed(
    usage(parsed.issues.map(({ path, message }) => `--target ${path} ${message}`).join("; "), parsed.issues),
  );
}
