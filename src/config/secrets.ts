// The secret values of a configuration, for whoever takes them out of text (spec section 2: the credential is never printed).
import type { Config } from "./config.ts";

/** Every secret value, for redaction. A token read from a file is not among them: whoever reads it adds it. */
export function secretsOf(config: Config): string[] {
  const servers = [...config.tool_servers.values()];
  const urls = [config.database_url, config.routing_url, config.agent.url, ...servers.map(({ url }) => url)];
  const engine = config.flow_engine?.token ?? null;
  const tokens = [config.token, config.approver_token, engine, ...servers.map(({ token }) => token)];
  return [...tokens.filter((token) => token !== null), ...urls.flatMap(passwordsOf)];
}

const SECRET_PARAMETER = /pass|token|secret|key|auth/i;

/** A user name without a password is a token; parameters may hold either. */
function passwordsOf(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  const parameters = [...searchParams].flatMap(([name, value]) => (SECRET_PARAMETER.test(name) ? [value] : []));
  const held = [password === "" ? username : password, ...parameters].filter((value) => value !== "");
  return [...new Set(held.flatMap((value) => [value, decoded(value)]))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A stray % is part of the password as it stands.
  }
}
