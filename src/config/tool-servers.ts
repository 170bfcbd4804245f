// Tool servers from the environment: each is a group of variables, of which only the address is required.
import type { FieldIssue } from "../domain/errors.ts";
import { clearTextIssues } from "./clear-text.ts";
import { TOOL_SERVER_SETTINGS } from "./other-settings.ts";
import type { Env } from "./setting.ts";

type ToolServerConfig = { readonly url: string; readonly token: string | null; readonly peer: string | null };

const FIELDS = ["url", "token", "peer"] as const;
type Field = (typeof FIELDS)[number];

const variableOf = (field: Field, name: string): string => TOOL_SERVER_SETTINGS[field].variable.replace("{NAME}", name);

/** A variable of a tool server; `name` is in capitals, and may be unusable. */
function readVariable(variable: string): { readonly field: Field; readonly name: string } | null {
  for (const field of FIELDS) {
    const [, name] = new RegExp(`^${variableOf(field, "(.*)")}$`).exec(variable) ?? [];
    if (name !== undefined) return { field, name };
  }
  return null;
}

export const isToolServerVariable = (variable: string): boolean => readVariable(variable) !== null;

/** Those of one server, whose name is in capitals. */
export const toolServerVariables = (name: string): string[] => FIELDS.map((field) => variableOf(field, name));

export function readToolServers(env: Env): {
  servers: ReadonlyMap<string, ToolServerConfig>;
  issues: FieldIssue[];
} {
  const servers = new Map<string, ToolServerConfig>();
  const issues: FieldIssue[] = [];
  for (const path of Object.keys(env)) {
    const { field, name = "" } = readVariable(path) ?? {};
    if (field === undefined) continue;
    if (!/^[A-Z0-9_]{1,32}$/.test(name)) {
      issues.push({ path, message: "must name its server with at most 32 capital letters, digits and underscores" });
    } else if (field === "url") {
      const read = readServer(env, name);
      if ("issues" in read) issues.push(...read.issues);
      else servers.set(name.toLowerCase(), Object.freeze(read));
    } else if (env[variableOf("url", name)] === undefined) {
      issues.push({ path, message: `needs ${variableOf("url", name)} beside it` });
    }
  }
  return { servers, issues };
}

function readServer(env: Env, name: string): ToolServerConfig | { readonly issues: FieldIssue[] } {
  const [address, token_setting, peer_setting] = FIELDS.map((field) => variableOf(field, name)) as [
    string,
    string,
    string,
  ];
  const url = TOOL_SERVER_SETTINGS.url.schema.safeParse(env[address]);
  const peer = TOOL_SERVER_SETTINGS.peer.schema.safeParse(env[peer_setting] ?? null);
  if (!url.success || !peer.success) {
    const found = [
      { path: address, error: url.error },
      { path: peer_setting, error: peer.error },
    ];
    return {
      issues: found.flatMap(({ path, error }) => (error?.issues ?? []).map(({ message }) => ({ path, message }))),
    };
  }
  const token = env[token_setting] ?? null;
  const what = token === null ? "the account in it" : token_setting;
  const isSecret = token !== null || new URL(url.data).username !== "" || new URL(url.data).password !== "";
  const sent = { url: url.data, peer: env[peer_setting], what, address, peer_setting };
  const issues = isSecret ? clearTextIssues(sent) : [];
  return issues.length > 0 ? { issues } : { url: url.data, token, peer: peer.data };
}
