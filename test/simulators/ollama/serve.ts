#!/usr/bin/env node
// Starts a model server with one answer: npm run simulate:ollama -- --port 11434 --answer '{"error_type":"transient"}'
import { optionsOf, portOf, serveUntilStopped } from "../serve-until-stopped.ts";
import { answers, startOllama } from "./ollama.ts";

const options = optionsOf("answer");
const server = await startOllama(answers(options["answer"] ?? "I have no answer."), portOf(options));
await serveUntilStopped(server, [server.base_url]);
