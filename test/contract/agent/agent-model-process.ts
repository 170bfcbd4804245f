// A process of its own that asks the agent model whenever its parent says so, for ollama-agent-model.quiet.test.ts.
import { createOllamaAgentModel } from "../../../src/features/agents/model/ollama-agent-model.ts";
import { readReply } from "../../../src/features/agents/model/read-reply.ts";
import { agentModel } from "../../support/served-models.ts";

const read = async (...given: Parameters<typeof readReply>) => readReply(...given);

const limits = { timeout_ms: 1_000 };
const model = createOllamaAgentModel({
  read,
  model: agentModel(process.argv[2] ?? "", 1_024),
  ...limits,
});
const tools = [{ name: "shell", description: "Runs a command.", parameters: { type: "object" } }];

process.on("message", async () => {
  const messages = [{ role: "user" as const, text: "go" }];
  process.send?.(await model.reply({ messages, tools }, new AbortController().signal));
});
