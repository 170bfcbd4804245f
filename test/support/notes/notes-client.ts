// A simulated notes server with the official client connected to it.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { type NotesProfile, type NotesServerOptions, startNotesServer } from "../../simulators/notes/notes-server.ts";

/** What a tool answered. */
// biome-ignore lint/suspicious/noExplicitAny: tests read deep into answers and check what they find
type Told = any;

export async function connectNotes(url: string, headers: Readonly<Record<string, string>> = {}) {
  const client = new Client({ name: "a test", version: "1" });
  // The library's own transports miss its interface by an undefined.
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport);

  const ask = async (name: string, args: object = {}) => {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...args } }));
    return { ...result, texts: result.content.map((one) => (one.type === "text" ? one.text : "")) };
  };
  return {
    client,
    ask,
    /** The JSON in its first text. */
    json: async (name: string, args: object = {}): Promise<Told> => JSON.parse((await ask(name, args)).texts[0] ?? ""),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export async function startNotes(profile: NotesProfile, options: NotesServerOptions = {}) {
  const server = await startNotesServer(profile, options);
  const client = await connectNotes(server.url);
  return {
    ...server,
    ...client,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
