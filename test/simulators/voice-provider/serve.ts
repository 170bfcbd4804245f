#!/usr/bin/env node
// Starts the provider of the voice server: npm run simulate:voice-provider -- --port 8100
import { optionsOf, portOf, serveUntilStopped } from "../serve-until-stopped.ts";
import { COOKIE, KITCHEN, LIVING_ROOM, startVoiceProvider } from "./voice-provider.ts";

const options = optionsOf();
const provider = await startVoiceProvider({ port: portOf(options) });
const devices = JSON.stringify([
  { name: "living room", ...LIVING_ROOM },
  { name: "kitchen", ...KITCHEN },
]);
await serveUntilStopped(provider, [provider.url, `VOICE_COOKIE='${COOKIE}'`, `VOICE_DEVICES='${devices}'`]);
