// Tool servers from the environment: each is a pair of variables, of which the token is optional.
import type { FieldIssue } from "../domain/errors.ts";
import { TOOL_SERVER_SETTINGS } from "./settings.ts";

type ToolServerConfig = { readonly url: string; readonly token: string | null };

type Env = Readonly<Record<string, string | undefined>>;

const variablesOf = (name: string): { readonly url: string; readonly token: string } => ({
  url: TOOL_SERVER_SETTINGS.url.variable.replace("{NAME}", name),
  token: TOOL_SERVER_SETTINGS.token.variable.replace("{NAME}", name),
});

const pattern = ({ variable }: { readonly variable: string }) => new RegExp(`^${variable.replace("{NAME}", "(.*)")}$`);
const URL_VARIABLE = pattern(TOOL_SERVER_SETTINGS.url);
const TOKEN_VARIABLE = pattern(TOOL_SERVER_SETTINGS.token);

export const isToolServerVariable = (variable: string): boolean =>
  URL_VARIABLE.test(variable) || TOKEN_VARIABLE.test(variable);

export function readToolServers(env: Env): {
  servers: ReadonlyMap<string, ToolServerConfig>;
  issues: FieldIssue[];
} {
  const servers = new Map<string, ToolServerConfig>();
  const issues: FieldIssue[] = [];
  for (const [path, value] of Object.entries(env)) {
    const isUrl = URL_VARIABLE.test(path);
    const [, name] = (isUrl ? URL_VARIABLE : TOKEN_VARIABLE).exec(path) ?? [];
    if (name === undefined) continue;
    const variables = variablesOf(name);
    if (!/^[A-Z0-9_]{1,32}$/.test(name)) {
      issues.push({ path, message: "must name its server with at most 32 capital letters, digits and underscores" });
    } else if (isUrl) {
      const { data: url, error } = TOOL_SERVER_SETTINGS.url.schema.safeParse(value);
      if (url === undefined) issues.push({ path, message: error?.issues[0]?.message ?? "must be a URL" });
      else servers.set(name.toLowerCase(), Object.freeze({ url, token: env[variables.token] ?? null }));
    } else if (env[variables.url] === undefined) {
      issues.push({ path, message: `needs ${variables.url} beside it` });
    }
  }
  return { servers, issues };
}
