// A tool server that writes notes to a file, and hangs up on the first caller instead of answering.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

export type Notes = Awaited<ReturnType<typeof createNotes>>;

const TOOL = { name: "create_note", inputSchema: { type: "object" } };

export async function createNotes(directory: string) {
  const file = join(directory, "notes.txt");
  let called = 0;
  const server = await startRawServer(
    afterHandshake(({ body }, response) => {
      if (body.method === "tools/list") return sendJson(response, rpcResult(body.id, { tools: [TOOL] }));
      appendFileSync(file, `${body.params.arguments.title}\n`);
      called += 1;
      if (called === 1) return response.destroy();
      return sendJson(response, rpcResult(body.id, { content: [{ type: "text", text: "noted" }] }));
    }),
  );
  return { ...server, file };
}
