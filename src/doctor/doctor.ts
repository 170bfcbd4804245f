// Checks everything that the server needs, without starting it: what works, what falls back, how to repair it. It is a
// composition root like main.ts, and changes nothing but what it is asked for (`deep`).
import metadata from "../../package.json" with { type: "json" };
import type { Config, Env } from "../config/config.ts";
import { secretsOf } from "../config/secrets.ts";
import { OrchError } from "../domain/errors.ts";
import { createToolServers } from "../mcp-client/tool-servers.ts";
import { verifiedServers } from "../mcp-client/verified-servers.ts";
import type { ToolServers } from "../ports.ts";
import { createRedactor } from "../redact/redact.ts";
import { findSkills } from "../skill-process/find-skills.ts";
import { examineBackup } from "./backup.ts";
import { examineCheckLooks } from "./check-looks.ts";
import { readConfiguration } from "./configuration.ts";
import { examineApprover, examineDataDir, examineDisk, examineToken } from "./data-directory.ts";
import { diagnoseDatabase } from "./database.ts";
import { DEEP_MS, examineFlow } from "./deep-flow.ts";
import { broken, type Diagnosis, type DoctorCheck, off, works } from "./diagnosis.ts";
import { withWaits } from "./engine-waits.ts";
import { examineAgentShell, examineBash, examineGuard, examineMachine, examineSandbox } from "./execution.ts";
import { examineFlowEngine } from "./flow-engine.ts";
import { examineFreezes } from "./frozen.ts";
import { examineLabels } from "./labels.ts";
import { examineAgentModel, examineRoutingModel } from "./models.ts";
import { examineServer, seenFromHere } from "./server.ts";
import { examineServers } from "./servers.ts";
import { examineToolServer } from "./tool-server.ts";
import { examineWebhook } from "./webhook.ts";

/** `needs` matches the variables that must be valid before `look` runs. */
type Examination = {
  readonly name: string;
  readonly needs: RegExp;
  readonly look: () => Promise<Diagnosis>;
  /** For one that takes longer than LIMIT_MS. */
  readonly limit_ms?: number;
};

const LIMIT_MS = 8_000;
const TOOL_SERVER_MS = 5_000;
const NOTHING = /$^/;

/** In the order of repair. The checks run at once, each for at most LIMIT_MS. */
export async function doctor(given: Env, { deep = false } = {}): Promise<DoctorCheck[]> {
  const { config, environment, wrong, diagnosis } = readConfiguration(given);
  const tools = createToolServers({ servers: verifiedServers(config.tool_servers), version: metadata.version });
  const server = bounded(() => examineServer(environment));
  const examinations = [
    ...ofOrch(config, environment, server),
    ...ofCommands(config, environment, server),
    ...(deep ? [ofFlow(config)] : []),
    ...ofTools(tools, server),
  ];
  const checks = await Promise.all(examinations.map((examination) => check(examination, wrong)));
  await tools.close();
  const refused = [...wrong].flatMap((name) => given[name] ?? []);
  const redact = createRedactor([...secretsOf(config), ...refused]);
  return [{ name: "configuration", ...diagnosis }, ...checks].map((found) => redacted(found, redact));
}

const ofOrch = (config: Config, environment: Env, server: Promise<Diagnosis>): Examination[] => [
  { name: "server", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => server },
  { name: "servers", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => examineServers(environment, server) },
  { name: "freezes", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => examineFreezes(environment, server) },
  { name: "data directory", needs: NOTHING, look: () => examineDataDir(config) },
  { name: "disk", needs: NOTHING, look: () => examineDisk(config) },
  { name: "token", needs: /^ORCH_TOKEN$/, look: () => examineToken(config) },
  { name: "approver token", needs: /^ORCH_APPROVER_TOKEN$/, look: () => examineApprover(config) },
  { name: "database", needs: /^DATABASE_URL$/, look: () => diagnoseDatabase(config, server) },
  { name: "backup", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => examineBackup(environment, server) },
  { name: "labels", needs: /^ORCH_(LABELS|TARGET_LABELS)$/, look: () => examineLabels(config) },
  { name: "skills", needs: /^ORCH_CAPABILITIES$/, look: async () => seenFromHere(await examineSkills(config), server) },
  {
    name: "webhook",
    needs: /^ORCH_WEBHOOK_/,
    look: async () => seenFromHere(await examineWebhook(config), server),
  },
  { name: "routing model", needs: /^ROUTING_/, look: () => examineRoutingModel(config) },
  { name: "agent model", needs: /^(AGENT|ROUTING)_(MODEL|URL)$/, look: () => examineAgentModel(config) },
];

const ofCommands = (config: Config, environment: Env, server: Promise<Diagnosis>): Examination[] => [
  { name: "guard", needs: NOTHING, look: examineGuard },
  { name: "bash", needs: NOTHING, look: examineBash },
  { name: "sandbox", needs: /^ORCH_(SANDBOX|STEP_)/, look: () => examineSandbox(config) },
  { name: "agent shell", needs: NOTHING, look: () => examineAgentShell(config) },
  {
    name: "looks at checks",
    needs: /^(CHECK_LOOKS|BEFORE_LOOK|ORCH_SANDBOX|ORCH_STEP_.*)$/,
    look: () => examineCheckLooks(config),
  },
  { name: "surroundings", needs: NOTHING, look: () => examineMachine(environment["DOCKER_HOST"]) },
  {
    name: "flow engine",
    needs: /^FLOWENGINE_/,
    look: async () => withWaits(await examineFlowEngine(config), server, environment),
  },
];

/** Runs something, so only on request. */
const ofFlow = (config: Config): Examination => ({
  ...{ name: "flow", needs: /^FLOWENGINE_/, limit_ms: DEEP_MS },
  look: () => examineFlow(config),
});

function ofTools(tools: ToolServers, server: Promise<Diagnosis>): Examination[] {
  const examine = (name: string) => examineToolServer(tools, name, TOOL_SERVER_MS);
  const names = [...tools.names];
  if (names.length === 0) return [{ name: "tool servers", needs: NOTHING, look: () => seenFromHere(NO_TOOLS, server) }];
  return names.map((name) => ({
    name: `tool server ${name}`,
    needs: NOTHING,
    look: async () => seenFromHere(await examine(name), server),
  }));
}

const NO_TOOLS = off("none: no MCP_{NAME}_URL is set");

async function check({ name, needs, look, limit_ms }: Examination, wrong: ReadonlySet<string>): Promise<DoctorCheck> {
  const missing = [...wrong].filter((variable) => needs.test(variable));
  if (missing.length === 0) return { name, ...(await bounded(look, limit_ms)) };
  return { name, ...off(`not checked: ${missing.join(", ")} is not valid`, "Correct the configuration first.") };
}

/** A check that throws or takes too long counts as broken. */
async function bounded(look: () => Promise<Diagnosis>, limit_ms = LIMIT_MS): Promise<Diagnosis> {
  const { promise: late, resolve } = Promise.withResolvers<Diagnosis>();
  const timer = setTimeout(() => resolve(broken(`no answer within ${limit_ms / 1000} s`, AGAIN)), limit_ms);
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    return broken(`could not be checked: ${error instanceof Error ? error.message : String(error)}`, AGAIN);
  } finally {
    clearTimeout(timer);
  }
}

const AGAIN = "Try again, and read the log of orch.";

const redacted = ({ name, state, found, fix }: DoctorCheck, redact: (text: string) => string): DoctorCheck => ({
  name,
  state,
  found: redact(found),
  fix: fix === null ? null : redact(fix),
});

export async function examineSkills(config: Config): Promise<Diagnosis> {
  try {
    const { intents, unusable } = await findSkills(config);
    const isBlocked = (intent: string) => unusable.some((skill) => skill.intents.includes(intent));
    const usable = [...intents].filter((intent) => !isBlocked(intent)).join(", ");
    if (unusable.length === 0) return works(usable);
    const faults = unusable.map(({ fault, intents }) => `${fault}. Blocked: ${intents.join(", ")}.`);
    return broken(
      [...faults, `Usable: ${usable}.`].join("\n"),
      "Correct what orch skill check DIRECTORY names, then start orch again.",
    );
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return broken(error.message, "Correct it, or remove its directory from ORCH_CAPABILITIES.");
  }
}
