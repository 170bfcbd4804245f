// The headers in which a request of MCP over HTTP repeats its message: the revision, and since 2026-07-28 the method and the name.
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const NAMED = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

const Claim = z.object({ "io.modelcontextprotocol/protocolVersion": z.string() });

/** `agreed` is the revision of initialize; a request that names its own needs none. */
export function messageHeaders({ method, params }: JSONRPCRequest, agreed: string | undefined): Record<string, string> {
  const { data: claim } = Claim.safeParse(params?._meta);
  if (claim === undefined) return agreed === undefined ? {} : { "mcp-protocol-version": agreed };
  const name = params?.[NAMED.get(method) ?? ""];
  return {
    "mcp-protocol-version": inHeader(claim["io.modelcontextprotocol/protocolVersion"]),
    "mcp-method": inHeader(method),
    ...(typeof name === "string" && { "mcp-name": inHeader(name) }),
  };
}

/** Text that a header cannot carry as it is, or that looks like this form, goes in base64. */
function inHeader(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && text.trim() === text && text !== "" && !text.startsWith("=?base64?");
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
