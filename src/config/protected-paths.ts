// The trees that this site protects, for a command that judges without a server. No other variable is parsed.
import { type Env, invalidConfig, setVariables, variableIssues } from "./config.ts";
import { SETTINGS } from "./settings.ts";

const NAME = "ORCH_PROTECTED_PATHS";

/** Throws `config_invalid` when the variable is wrong. */
export function protectedPaths(environment: Env): readonly string[] {
  const { data, error } = SETTINGS.protected_paths.schema.safeParse(setVariables(environment)[NAME]);
  if (data === undefined) throw invalidConfig(variableIssues(error).map(({ message }) => ({ path: NAME, message })));
  return data;
}
