// Vercel's AI SDK: its MCP client, and its agent loop with a scripted model.
import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount } from "ai";
import { z } from "zod";
import type { Call, Script, Server } from "./script.ts";

export async function aiSdk({ url, headers }: Server, script: Script): Promise<void> {
  const client = await createMCPClient({ transport: { type: "http", url, headers } });
  const tools = await client.tools();
  const stopWhen = isStepCount(script.replies);
  await generateText({ model: modelOf(script), tools, stopWhen, prompt: "deploy release 7" });
  await client.close();
}

/** Its type is not that of a release, because Mastra takes that of another. */
export const modelOf = (script: Script) => ({
  specificationVersion: "v4" as const,
  provider: "scripted",
  modelId: "scripted",
  supportedUrls: {},
  doGenerate: async ({ prompt }: { prompt: readonly object[] }) => {
    const result = Results.safeParse(prompt.at(-1)).data?.content[0];
    const call = result === undefined ? script.first() : script.after(result.output.value);
    const unified = call === null ? ("stop" as const) : ("tool-calls" as const);
    return { content: [said(call)], finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
  },
  doStream: () => Promise.reject(new Error("nothing is streamed")),
});

const Results = z.object({
  role: z.literal("tool"),
  content: z.tuple([z.object({ output: z.object({ value: z.unknown() }) })]),
});

const said = (call: Call | null) =>
  call === null
    ? { type: "text" as const, text: "done" }
    : { type: "tool-call" as const, toolCallId: call.id, toolName: call.name, input: JSON.stringify(call.args) };

const NONE = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
const USAGE = { inputTokens: NONE, outputTokens: NONE };
