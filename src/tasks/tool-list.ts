// The tools of a server as code of a skill is given them: in the shape of the answer to a call, so that a step that lists fails alike.
import type { ToolList, ToolServers } from "../ports.ts";

export async function toolListOf(listing: ReturnType<ToolServers["listTools"]>): Promise<ToolList> {
  const listed = await listing;
  return "fault" in listed ? { ok: false, stderr: listed.fault } : { ok: true, tools: listed.tools };
}
