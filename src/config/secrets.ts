// The secret values of a configuration, for redaction.
import type { Config } from "./config.ts";
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
