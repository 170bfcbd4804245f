// The environment, parsed once (spec section 4: MCP_{SERVER_NAME}_URL and _TOKEN; the rest is not shown there). Whatever
// is wrong is reported at once, and no message repeats a value: it may be a secret.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
import { type AgentConfig, AgentEnvironment, agentOf } from "./agent.ts";
import { type FlowEngineConfig, FlowEngineEnvironment, flowEngineIssues, flowEngineOf } from "./flow-engine.ts";
import { readToolServers, type ToolServerConfig } from "./tool-servers.ts";
import { ModelName, ModelUrl, oneOf, Paths, whole, wholeNumber } from "./values.ts";

const Token = z
  .string()
  .regex(
    /^[\w.~+/=-]{32,512}$/,
    "must be 32 to 512 letters, digits or any of . _ ~ + / = - ; try: openssl rand -base64 32",
  );

const Origins = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().toLowerCase()))
  .refine((all) => all.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), {
    error: "must be origins such as https://console.example, separated by commas, without a path",
  });

export const Environment = z.object({
  ORCH_HOST: z
    .string()
    .regex(/^[\w.:-]{1,253}$/, "must be an IP address or a host name")
    .default("127.0.0.1"),
  ORCH_PORT: whole(0, 65_535, 3400),
  ORCH_DATA_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.|postgres(ql)?:\/\/.)/, "must begin with file: or postgresql://")
    .refine(
      (text) => text.startsWith("file:") || URL.canParse(text),
      "must be a URL; encode what stands in its password",
    )
    .optional(),
  ORCH_TOKEN: Token.optional(),
  ORCH_APPROVER_TOKEN: Token.optional(),
  ORCH_PUBLIC_HOST: z
    .string()
    .regex(
      /^([\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])$/,
      "must be a host name as clients write it, without scheme and port",
    )
    .optional(),
  ORCH_ALLOWED_ORIGINS: Origins.default([]),
  ROUTING_MODEL: ModelName.optional(),
  ROUTING_URL: ModelUrl.default("http://127.0.0.1:11434"),
  ROUTING_TIMEOUT_MS: whole(1, 600_000, 10_000),
  EXECUTION_BACKEND: oneOf(["local", "flowengine"]).default("local"),
  ...FlowEngineEnvironment,
  ...AgentEnvironment,
  APPROVAL_TTL_HOURS: whole(1, 8_760, 72),
  ORCH_CONCURRENCY: whole(1, 1_000, 8),
  ORCH_DRAIN_SECONDS: whole(0, 3_600, 20),
  ORCH_SUBMITS_PER_MINUTE: whole(0, 60_000, 300),
  ORCH_REQUESTS_PER_SECOND: whole(0, 10_000, 100),
  ORCH_SANDBOX: oneOf(["auto", "off", "required"]).default("auto"),
  ORCH_COMPOSE_ROOTS: Paths.optional(),
  ORCH_CAPABILITIES: Paths.optional(),
  ORCH_STEP_MEMORY_MB: wholeNumber(32, 16_777_216).optional(),
  ORCH_STEP_FILE_MB: wholeNumber(1, 16_777_216).optional(),
  ORCH_STEP_PROCESSES: wholeNumber(8, 4_194_304).optional(),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

export type Config = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly data_dir: string;
  readonly database_url: string;
  readonly token: string | null;
  readonly approver_token: string | null;
  readonly public_host: string | null;
  readonly allowed_origins: readonly string[];
  /** Null: there is no model, and every question takes its fallback. */
  readonly routing_model: string | null;
  readonly routing_url: string;
  readonly routing_timeout_ms: number;
  readonly execution_backend: "local" | "flowengine";
  /** Null: there is none, and a contract that names it is blocked. */
  readonly flow_engine: FlowEngineConfig | null;
  readonly agent: AgentConfig;
  readonly approval_ttl_hours: number;
  readonly concurrency: number;
  readonly drain_seconds: number;
  /** 0: no limit. The same for `requests_per_second`. */
  readonly submits_per_minute: number;
  readonly requests_per_second: number;
  readonly sandbox: "auto" | "off" | "required";
  /** Absolute directories; null: a compose_dir may be anywhere. */
  readonly compose_roots: readonly string[] | null;
  /** Absolute directories with skills of one's own. */
  readonly capabilities: readonly string[];
  /** Of each process in MiB, and the processes of the account; null is no limit. */
  readonly step_limits: {
    readonly memory_mb: number | null;
    readonly file_mb: number | null;
    readonly processes: number | null;
  };
  readonly log_level: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** By server identifier in lower case. */
  readonly tool_servers: ReadonlyMap<string, ToolServerConfig>;
};

export type Env = Readonly<Record<string, string | undefined>>;

/** Rejects with `config_invalid`, every bad variable in its issues and in its message. An empty variable is not set. */
export function readConfig(environment: Env): Config {
  const env = setVariables(environment);
  const parsed = Environment.safeParse(env);
  const { servers, issues } = readToolServers(env);
  const fieldIssues = variableIssues(parsed.error);
  const all = [...fieldIssues, ...combinationIssues(env), ...issues];
  if (!parsed.success || all.length > 0) throw invalidConfig(all);
  return asConfig(parsed.data, env, servers);
}

/** Those that are set; an empty variable is not. */
export const setVariables = (environment: Env): Env =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""));

function asConfig(
  parsed: z.infer<typeof Environment>,
  env: Env,
  tool_servers: ReadonlyMap<string, ToolServerConfig>,
): Config {
  const data_dir = parsed.ORCH_DATA_DIR ?? defaultDataDir(env);
  return Object.freeze({
    host: parsed.ORCH_HOST,
    port: parsed.ORCH_PORT,
    data_dir,
    database_url: parsed.DATABASE_URL ?? `file:${join(data_dir, "orch.db")}`,
    token: parsed.ORCH_TOKEN ?? null,
    approver_token: parsed.ORCH_APPROVER_TOKEN ?? null,
    public_host: parsed.ORCH_PUBLIC_HOST ?? null,
    allowed_origins: Object.freeze(parsed.ORCH_ALLOWED_ORIGINS),
    routing_model: parsed.ROUTING_MODEL ?? null,
    routing_url: parsed.ROUTING_URL,
    routing_timeout_ms: parsed.ROUTING_TIMEOUT_MS,
    execution_backend: parsed.EXECUTION_BACKEND,
    flow_engine: flowEngineOf(parsed),
    agent: agentOf(parsed),
    approval_ttl_hours: parsed.APPROVAL_TTL_HOURS,
    concurrency: parsed.ORCH_CONCURRENCY,
    drain_seconds: parsed.ORCH_DRAIN_SECONDS,
    submits_per_minute: parsed.ORCH_SUBMITS_PER_MINUTE,
    requests_per_second: parsed.ORCH_REQUESTS_PER_SECOND,
    sandbox: parsed.ORCH_SANDBOX,
    compose_roots: parsed.ORCH_COMPOSE_ROOTS === undefined ? null : Object.freeze(parsed.ORCH_COMPOSE_ROOTS),
    capabilities: Object.freeze(parsed.ORCH_CAPABILITIES ?? []),
    step_limits: Object.freeze({
      memory_mb: parsed.ORCH_STEP_MEMORY_MB ?? null,
      file_mb: parsed.ORCH_STEP_FILE_MB ?? null,
      processes: parsed.ORCH_STEP_PROCESSES ?? null,
    }),
    log_level: parsed.LOG_LEVEL,
    tool_servers,
  });
}

// XDG: a relative path there is to be ignored.
export function defaultDataDir(env: Env): string {
  const state = env["XDG_STATE_HOME"];
  const base = state !== undefined && isAbsolute(state) ? state : join(env["HOME"] ?? homedir(), ".local", "state");
  return join(base, "orch");
}

function combinationIssues(env: Env): FieldIssue[] {
  const issues = flowEngineIssues(env);
  if (!isLoopback(env["ORCH_HOST"] ?? "127.0.0.1") && env["ORCH_PUBLIC_HOST"] === undefined) {
    const message = "must name the host that clients use, because ORCH_HOST is not a loopback address";
    issues.push({ path: "ORCH_PUBLIC_HOST", message });
  }
  if (env["ORCH_APPROVER_TOKEN"] !== undefined && env["ORCH_APPROVER_TOKEN"] === env["ORCH_TOKEN"]) {
    issues.push({ path: "ORCH_APPROVER_TOKEN", message: "must differ from ORCH_TOKEN, or it separates nothing" });
  }
  for (const name of ["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGCHAIN_VERBOSE"]) {
    const message = "must not be set: it would send contracts and prompts to a tracing service or to the log";
    if (env[name] === "true") issues.push({ path: name, message });
  }
  return issues;
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** Named by variable; no message holds a value. */
export const variableIssues = (error: z.ZodError | undefined): FieldIssue[] =>
  (error?.issues ?? []).map(({ path, message }) => ({ path: path.join("."), message }));

export function invalidConfig(issues: readonly FieldIssue[]): OrchError {
  const lines = issues.map(({ path, message }) => `  ${path} ${message}`);
  return new OrchError("config_invalid", ["The configuration is not valid:", ...lines].join("\n"), { issues });
}
