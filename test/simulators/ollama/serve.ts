#!/usr/bin/env node
// Starts a model server with one answer: npm run simulate:ollama -- --port 11434 --answer '{"error_type":"transient"}'
import { optionsOf, portOf, serveUntilStopped } from "../serve-until-stopped.ts";
import { answers, startOllama, writesBlanks } from "./ollama.ts";

const options = optionsOf("answer", "context", "capabilities", "load-ms", "blanks-every-ms");
const { answer = "I have no answer.", context, capabilities, "blanks-every-ms": every_ms } = options;
const behaviour = every_ms === undefined ? answers(answer) : writesBlanks(JSON.parse(answer), Number(every_ms));
const server = await startOllama(behaviour, portOf(options), {
  load_ms: Number(options["load-ms"] ?? 0),
  ...(context !== undefined && { context_length: Number(context) }),
  ...(capabilities !== undefined && { capabilities: capabilities.split(",") }),
});
await serveUntilStopped(server, [server.base_url]);
