// Checks whether a tool server answers, and lists its tools.
import type { ToolServers } from "../ports.ts";
import { broken, type Diagnosis, works } from "./diagnosis.ts";

const SHOWN = 5;
const LIMIT_MS = 5_000;

export type ListedTools = Awaited<ReturnType<ToolServers["listTools"]>>;

export const listTools = (servers: Pick<ToolServers, "listTools">, name: string): Promise<ListedTools> =>
  servers.listTools(name, { limit_ms: LIMIT_MS, signal: new AbortController().signal });

export function diagnoseTools(name: string, listed: ListedTools): Diagnosis {
  const variables = `MCP_${name.toUpperCase()}_URL and MCP_${name.toUpperCase()}_TOKEN`;
  if ("fault" in listed) return broken(listed.fault, listed.fix ?? `Check ${variables}, and whether that server runs.`);
  const names = listed.tools.map((tool) => tool.name);
  const shown = names.slice(0, SHOWN).join(", ");
  const more = names.length > SHOWN ? ", ..." : "";
  return works(`${names.length} tools${shown === "" ? "" : `: ${shown}${more}`}`);
}
