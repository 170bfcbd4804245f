// A tool server whose list a test changes, and which counts the calls.
import { afterHandshake, rpcError, rpcResult, sendJson, startRawServer } from "./tool-server.ts";

export type ListedDefinition = Readonly<Record<string, unknown>> & { readonly name: string };

export async function startChangingTools(first: readonly ListedDefinition[]) {
  let tools: readonly ListedDefinition[] | null = first;
  const raw = await startRawServer(
    afterHandshake(({ body }, response) => {
      if (body.method === "tools/list")
        return tools === null
          ? sendJson(response, rpcError(body.id, -32_603, "no list today"))
          : sendJson(response, rpcResult(body.id, { tools }));
      return sendJson(response, rpcResult(body.id, { content: [{ type: "text", text: "done" }] }));
    }),
  );
  return {
    ...raw,
    /** Null: it answers without a list. */
    list: (now: readonly ListedDefinition[] | null) => {
      tools = now;
    },
  };
}
