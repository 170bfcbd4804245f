#!/usr/bin/env node
// Starts a flow engine: npm run simulate:flow-engine -- --port 8000
import { optionsOf, portOf, serveUntilStopped } from "../serve-until-stopped.ts";
import { startFlowEngine } from "./flow-engine.ts";

const options = optionsOf();
const engine = await startFlowEngine({ port: portOf(options) });
await serveUntilStopped(engine, [engine.url, `token ${engine.token}`, `workspace ${engine.workspace}`]);
