#!/usr/bin/env node
// Starts a flow engine: npm run simulate:flow-engine -- --port 8000
import { optionsOf, portOf, serveUntilStopped } from "../serve-until-stopped.ts";
import { startFlowEngine } from "./flow-engine.ts";

const options = optionsOf();
const engine = await startFlowEngine({ port: portOf(options) });
const served = {
  [Symbol.asyncDispose]: async () => {
    for (const violation of engine.violations.splice(0)) process.stderr.write(`not as published: ${violation}\n`);
    await engine[Symbol.asyncDispose]();
  },
};
await serveUntilStopped(served, [engine.url, `token ${engine.token}`, `workspace ${engine.workspace}`]);
