// A process of its own that asks the agent model whenever its parent says so, for ollama-agent-model.quiet.test.ts.
import { createOllamaAgentModel } from "../../../src/agent/model/ollama-agent-model.ts";
import { readReply } from "../../../src/agent/model/read-reply.ts";

const read = async (...given: Parameters<typeof readReply>) => readReply(...given);

const limits = { timeout_ms: 1_000, context_tokens: 1_024, answer_tokens: 64 };
const model = createOllamaAgentModel({
  read,
  model: "agent:8b",
  base_url: process.argv[2] ?? "",
  ...limits,
});
const tools = [{ name: "shell", description: "Runs a command.", parameters: { type: "object" } }];

process.on("message", async () => {
  const messages = [{ role: "user" as const, text: "go" }];
  process.send?.(await model.reply({ messages, tools }, new AbortController().signal));
});
