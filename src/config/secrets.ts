// Lists the secret values of a configuration, for redaction, and the paths that policy protects.
import { type Config, type Env, invalidConfig, setVariables, variableIssues } from "./config.ts";
import { TOOL_SERVER_SETTINGS } from "./other-settings.ts";
import { secretsIn } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

/** Every secret value. A token read from a file is not among them: its reader adds it. */
export function secretsOf(config: Config): string[] {
  const servers = [...config.tool_servers.values()].flatMap((server) => secretsIn(TOOL_SERVER_SETTINGS, server));
  const { webhook } = config;
  // Programs that check a signature use the key without the prefix.
  const key = webhook === null ? [] : [webhook.secret.replace("whsec_", "")];
  return [...secretsIn(SETTINGS, config), ...key, ...servers];
}

// The trees that this site protects, for a command that judges without a server. No other variable is parsed.

const NAME = "ORCH_PROTECTED_PATHS";

/** Throws `config_invalid` when the variable is wrong. */
export function protectedPaths(environment: Env): readonly string[] {
  const { data, error } = SETTINGS.protected_paths.schema.safeParse(setVariables(environment)[NAME]);
  if (data === undefined) throw invalidConfig(variableIssues(error).map(({ message }) => ({ path: NAME, message })));
  return data;
}
