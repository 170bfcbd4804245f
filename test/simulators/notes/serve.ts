#!/usr/bin/env node
// Starts a notes server with sample notes: npm run simulate:notes -- --profile native --port 8123
import { z } from "zod";
import { optionsOf, portOf, serveUntilStopped } from "../serve-until-stopped.ts";
import { startNotesServer } from "./notes-server.ts";
import { sampleNotes } from "./sample-notes.ts";

const options = optionsOf("profile", "host");
const profile = z.enum(["native", "git", "npm"]).default("native").parse(options["profile"]);
const { host = "127.0.0.1" } = options;
const server = await startNotesServer(profile, { port: portOf(options), host, model: sampleNotes() });
await serveUntilStopped(server, [server.url]);
