// The scripted model of the tests streams what the real server does, as Ollama's own client library and LangChain's read it.
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { z } from "zod";
import { calls, startScriptedModel, thinks } from "../../support/agent-model.ts";

const tool = {
  type: "function" as const,
  function: { name: "shell", description: "", parameters: { type: "object" } },
};
const turn = thinks("First I look.", {
  ...calls(["shell", { command: "ls" }], ["shell", { command: "id" }]),
  content: "So:",
});

const Chunk = z.looseObject({
  message: z.looseObject({
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  }),
  done: z.boolean(),
});

type OllamaClient = { chat(request: object): Promise<AsyncIterable<unknown>> };

test("Ollama's own client library reads thoughts, text, calls and the end, in this order", async () => {
  // A dependency of @langchain/ollama, found from there: this project does not depend on it itself.
  const fromLibrary = createRequire(createRequire(import.meta.url).resolve("@langchain/ollama"));
  const { Ollama } = z
    .object({
      Ollama: z.custom<new (options: { host: string }) => OllamaClient>((value) => typeof value === "function"),
    })
    .parse(fromLibrary("ollama"));
  await using scripted = await startScriptedModel([turn]);
  const messages = [{ role: "user", content: "go" }];
  const stream = await new Ollama({ host: scripted.base_url }).chat({
    model: "agent:8b",
    messages,
    tools: [tool],
    stream: true,
  });
  const chunks: z.infer<typeof Chunk>[] = [];
  for await (const chunk of stream) chunks.push(Chunk.parse(chunk));
  expect(chunks.map(({ message }) => message.thinking ?? "").join("")).toBe("First I look.");
  expect(chunks.map(({ message }) => message.content).join("")).toBe("So:");
  const [called, last] = chunks.slice(-2);
  expect(called).toMatchObject({ message: { content: "" }, done: false });
  expect(called?.message.tool_calls).toMatchObject([
    { id: expect.any(String), function: { index: 0, name: "shell", arguments: { command: "ls" } } },
    { id: expect.any(String), function: { index: 1, name: "shell", arguments: { command: "id" } } },
  ]);
  expect(last).toMatchObject({ message: { content: "" }, done: true, done_reason: "stop", prompt_eval_count: 300 });
});
