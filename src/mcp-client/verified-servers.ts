// The tool servers with the check of who listens there, for a client on this machine. The flow's script has no such check: its
// addresses are seen from another machine.
import { listenerCheck } from "../http-client/listener.ts";
import type { ToolServerConfig } from "./post.ts";

type Configured = { readonly url: string; readonly token: string | null; readonly peer: string | null };

export const verifiedServers = (servers: ReadonlyMap<string, Configured>): ReadonlyMap<string, ToolServerConfig> =>
  new Map(
    [...servers].map(([name, { peer, ...server }]) => {
      const verify = listenerCheck({ account: peer, variable: `MCP_${name.toUpperCase()}_PEER` });
      return [name, { ...server, verify }];
    }),
  );
