// Settings that are not the server's own: of each tool server, of the command line, of LangGraph Studio.
import { z } from "zod";
import { setting } from "./setting.ts";
import { HttpUrl, orNull, Peer, ServerUrl } from "./values.ts";

export const PEER_ABOUT =
  "the account, by name or number, whose listener on loopback is sent the token over plain http; `any`: every listener, and also beyond loopback, in clear text";

/** A family: one group for each tool server, `{NAME}` in capitals. */
export const TOOL_SERVER_SETTINGS = {
  url: setting("MCP_{NAME}_URL", HttpUrl, "the tool server of that name", { secret: "password", default_text: "none" }),
  token: setting("MCP_{NAME}_TOKEN", orNull(z.string()), "the bearer token that it wants", { secret: "value" }),
  peer: setting("MCP_{NAME}_PEER", orNull(Peer), PEER_ABOUT, { default_text: "root, or the account of orch" }),
} as const;

/** Of the command line, which reads host, port, directory and tokens too. */
export const CLIENT_SETTINGS = {
  url: setting("ORCH_URL", orNull(ServerUrl), "the server to call", { default_text: "from host and port" }),
} as const;

/** Of LangGraph Studio (`npm run studio`). */
export const STUDIO_SETTINGS = {
  executes: setting(
    "ORCH_STUDIO_EXECUTE",
    z
      .string()
      .transform((text) => text === "1")
      .default(false),
    "`1` executes steps there; otherwise execution is rehearsed",
  ),
} as const;
