// A simulated notes server, and what a skill has of it: the real client, and the adapter that was found for its tools.
import { createNotesServer } from "../../../capabilities/notes/find-toolset.ts";
import { toolListOf } from "../../../src/engine/tasks/plan.ts";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import type { SkillContext } from "../../../src/ports.ts";
import { type NotesProfile, type NotesServerOptions, startNotesServer } from "../../simulators/notes/notes-server.ts";

export const PROFILES = ["native", "git", "npm"] as const satisfies readonly NotesProfile[];
/** Of what is the same on all of them but for the words of the server: the others have their turn every night. */
export const PROFILES_OF_EACH_CHANGE = process.env["ORCH_TESTS"] === "all" ? PROFILES : PROFILES.slice(0, 1);

export async function openNotes(
  profile: NotesProfile,
  options: NotesServerOptions & { readonly limit_ms?: number } = {},
) {
  const { limit_ms = 10_000, ...rest } = options;
  const fake = await startNotesServer(profile, rest);
  const servers = createToolServers({
    servers: new Map([["notes", { url: fake.url, token: "a-token" }]]),
    version: "1",
  });
  const bounds = { limit_ms, signal: new AbortController().signal };
  const ctx: Pick<SkillContext, "call" | "listTools"> = {
    call: (server, tool, args) => servers.call({ server, tool, arguments: args }, bounds),
    listTools: (server) => toolListOf(servers.listTools(server, bounds)),
  };
  return {
    ...fake,
    tools: ctx,
    connect: () => createNotesServer(ctx, "notes", {}),
    [Symbol.asyncDispose]: async () => {
      await servers.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}
