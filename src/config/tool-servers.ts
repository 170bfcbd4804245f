// Tool servers from the environment (spec section 4: MCP_{SERVER_NAME}_URL and MCP_{SERVER_NAME}_TOKEN are all it takes).
import type { FieldIssue } from "../domain/errors.ts";
import { HttpUrl } from "./values.ts";

export type ToolServerConfig = { readonly url: string; readonly token: string | null };

type Env = Readonly<Record<string, string | undefined>>;

/** Pairs MCP_{NAME}_URL and MCP_{NAME}_TOKEN; the token is optional. */
export function readToolServers(env: Env): { servers: ReadonlyMap<string, ToolServerConfig>; issues: FieldIssue[] } {
  const servers = new Map<string, ToolServerConfig>();
  const issues: FieldIssue[] = [];
  for (const [path, value = ""] of Object.entries(env)) {
    const [, name = "", kind] = /^MCP_(.*)_(URL|TOKEN)$/.exec(path) ?? [];
    if (kind === undefined) continue;
    if (!/^[A-Z0-9_]{1,32}$/.test(name)) {
      issues.push({ path, message: "must name its server with at most 32 capital letters, digits and underscores" });
    } else if (kind === "TOKEN") {
      if (env[`MCP_${name}_URL`] === undefined) issues.push({ path, message: `needs MCP_${name}_URL beside it` });
    } else if (HttpUrl.safeParse(value).success) {
      servers.set(name.toLowerCase(), Object.freeze({ url: value, token: env[`MCP_${name}_TOKEN`] ?? null }));
    } else {
      issues.push({ path, message: "must be an http or https URL" });
    }
  }
  return { servers, issues };
}
