// Checks everything that the server needs, without starting it: what works, what falls back, how to repair it. It is a
// composition root like main.ts, and changes nothing but what it is asked for (`deep`).

import metadata from "../../package.json" with { type: "json" };
import type { Config, Env } from "../config/config.ts";
import { secretsOf } from "../config/secrets.ts";
import { FEATURES } from "../features/features.ts";
import { DEEP_MS, examineFlow, examineFlowEngine } from "../features/flow-engine/doctor.ts";
import { findSkills } from "../features/skills/process/find-skills.ts";
import { createToolServers, verifiedServers } from "../mcp-client/tool-servers.ts";
import { modelsOf } from "../ollama/served-model.ts";
import type { ToolServers } from "../ports.ts";
import { createRedactor } from "../redact/find-secrets.ts";
import { askRouting } from "./ask-routing.ts";
import { examineServers, noticeOf, withWaits } from "./ask-server.ts";
import { readConfiguration } from "./configuration.ts";
import { diagnoseDatabase, examineBackup } from "./database.ts";
import {
  bounded,
  type Diagnosis,
  type DoctorCheck,
  type DoctorLook,
  examine,
  NOTHING,
  off,
  redacted,
} from "./examination.ts";
import { examineLabels, ofCommands, ofFiles, ofModels } from "./examinations.ts";
import { diagnoseTools, examineSkills, examineWebhook, listTools } from "./reach-servers.ts";
import { examineServer, seenFromHere } from "./server.ts";

/** In the order of repair. */
export async function doctor(given: Env, { deep = false } = {}): Promise<DoctorCheck[]> {
  const { config, environment, wrong, diagnosis } = readConfiguration(given);
  const tools = createToolServers({ servers: verifiedServers(config.tool_servers), version: metadata.version });
  const server = bounded(() => examineServer(environment));
  const examinations = [
    ...ofServers(environment, server),
    ...ofFiles(config),
    ...ofService(config, environment, server),
    ...ofModels(config, modelsOf(config), {
      ask: askRouting(config.routing_timeout_ms),
      notice: () => noticeOf(environment, server),
    }),
    ...ofCommands(config, environment["DOCKER_HOST"]),
    ofEngine(config, environment, server),
    ...(deep ? [ofFlow(config)] : []),
    ...ofTools(tools, server),
  ];
  const checks = await examine(examinations, wrong);
  await tools.close();
  const refused = [...wrong].flatMap((name) => given[name] ?? []);
  const redact = createRedactor([...secretsOf(config), ...refused]);
  return [{ name: "configuration", ...diagnosis }, ...checks].map((found) => redacted(found, redact));
}

const ofServers = (environment: Env, server: Promise<Diagnosis>): DoctorLook[] => [
  { name: "server", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => server },
  { name: "servers", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => examineServers(environment, server) },
  ...FEATURES.flatMap(({ doctor: check }) => check ?? []).map(({ name, examine: look }) => ({
    name,
    needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/,
    look: () => look(environment, server),
  })),
];

const ofService = (config: Config, environment: Env, server: Promise<Diagnosis>): DoctorLook[] => [
  { name: "database", needs: /^DATABASE_URL$/, look: () => diagnoseDatabase(config, server) },
  { name: "backup", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => examineBackup(environment, server) },
  { name: "labels", needs: /^ORCH_(LABELS|TARGET_LABELS)$/, look: () => examineLabels(config) },
  {
    name: "skills",
    needs: /^ORCH_CAPABILITIES$/,
    look: async () => seenFromHere(await examineSkills(() => findSkills(config)), server),
  },
  {
    name: "webhook",
    needs: /^ORCH_WEBHOOK_/,
    look: async () => seenFromHere(await examineWebhook(config), server),
  },
];

const ofEngine = (config: Config, environment: Env, server: Promise<Diagnosis>): DoctorLook => ({
  name: "flow engine",
  needs: /^FLOWENGINE_/,
  look: async () => withWaits(await examineFlowEngine(config), server, environment),
});

/** Runs something, so only on request. */
const ofFlow = (config: Config): DoctorLook => ({
  name: "flow",
  needs: /^FLOWENGINE_/,
  limit_ms: DEEP_MS,
  look: () => examineFlow(config),
});

function ofTools(tools: ToolServers, server: Promise<Diagnosis>): DoctorLook[] {
  const names = [...tools.names];
  if (names.length === 0) return [{ name: "tool servers", needs: NOTHING, look: () => seenFromHere(NO_TOOLS, server) }];
  return names.map((name) => ({
    name: `tool server ${name}`,
    needs: NOTHING,
    look: async () => seenFromHere(diagnoseTools(name, await listTools(tools, name)), server),
  }));
}

const NO_TOOLS = off("none: no MCP_{NAME}_URL is set");
