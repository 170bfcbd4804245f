// The configuration, parsed once from the environment. Every fault is reported at once, and no message repeats a value: it
// may be a secret.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
import { featureIssues, flowEngineOf, webhookOf } from "../features/settings.ts";
import { isLoopback } from "./clear-text.ts";
import { secretPaths, withSecretFiles } from "./secret-files.ts";
import { type Env, settingsIn, type ValuesOf, valuesOf } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import { readToolServers } from "./tool-servers.ts";

export type { Env };

/** The values of the settings, with the defaults that depend on other settings and the tool servers by lower-case name. */
export type Config = ReturnType<typeof completed>;

const Environment = z.object(
  Object.fromEntries(settingsIn(SETTINGS).map(({ variable, schema }) => [variable, schema])),
);

/** Rejects with `config_invalid`, every bad variable in its issues and in its message. An empty variable is not set. */
export function readConfig(environment: Env): Config {
  const given = setVariables(environment);
  const { env, issues: of_files, placed } = withSecretFiles(given);
  const parsed = Environment.safeParse(env);
  const { servers, issues } = readToolServers(env);
  const all = [...of_files, ...[...variableIssues(parsed.error), ...combinationIssues(env), ...issues].map(placed)];
  if (!parsed.success || all.length > 0) throw invalidConfig(all);
  const values = valuesOf(SETTINGS, parsed.data);
  return completed(values, {
    default_data_dir: defaultDataDir(env),
    tool_servers: servers,
    secret_paths: secretPaths(given, values.database_url),
  });
}

/** Those that are set; an empty variable is not. */
export const setVariables = (environment: Env): Env =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""));

type Derived = {
  readonly default_data_dir: string;
  readonly tool_servers: ReturnType<typeof readToolServers>["servers"];
  readonly secret_paths: readonly string[];
};

function completed(values: ValuesOf<typeof SETTINGS>, { default_data_dir, tool_servers, secret_paths }: Derived) {
  const { agent, routing_model, routing_url } = values;
  const data_dir = values.data_dir ?? default_data_dir;
  return Object.freeze({
    ...values,
    data_dir,
    database_url: values.database_url ?? `file:${join(data_dir, "orch.db")}`,
    flow_engine: flowEngineOf(values.flow_engine),
    webhook: webhookOf(values.webhook),
    agent: Object.freeze({ ...agent, model: agent.model ?? routing_model, url: agent.url ?? routing_url }),
    tool_servers,
    /** Files and directories with secrets: no command may read them. */
    secret_paths,
  });
}

// XDG: a relative path there is to be ignored.
export function defaultDataDir(env: Env): string {
  const state = env["XDG_STATE_HOME"];
  const base = state !== undefined && isAbsolute(state) ? state : join(env["HOME"] ?? homedir(), ".local", "state");
  return join(base, "orch");
}

function combinationIssues(env: Env): FieldIssue[] {
  const issues = featureIssues(env);
  if (!isLoopback(env["ORCH_HOST"] ?? "127.0.0.1") && env["ORCH_PUBLIC_HOST"] === undefined) {
    const message = "must name the host that clients use, because ORCH_HOST is not a loopback address";
    issues.push({ path: "ORCH_PUBLIC_HOST", message });
  }
  if (Number(env["ORCH_KEEP_DAYS"] ?? 0) > 0 && env["ORCH_ARCHIVE_DIR"] === undefined)
    issues.push({ path: "ORCH_ARCHIVE_DIR", message: "must be set, because ORCH_KEEP_DAYS is" });
  if (env["ORCH_APPROVER_TOKEN"] !== undefined && env["ORCH_APPROVER_TOKEN"] === env["ORCH_TOKEN"]) {
    issues.push({ path: "ORCH_APPROVER_TOKEN", message: "must differ from ORCH_TOKEN, or it separates nothing" });
  }
  for (const name of ["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGCHAIN_VERBOSE"]) {
    const message = "must not be set: it would send contracts and prompts to a tracing service or to the log";
    if (env[name] === "true") issues.push({ path: name, message });
  }
  return issues;
}

/** Named by variable; no message holds a value. */
export const variableIssues = (error: z.ZodError | undefined): FieldIssue[] =>
  (error?.issues ?? []).map(({ path, message }) => ({ path: path.join("."), message }));

export function invalidConfig(issues: readonly FieldIssue[]): OrchError {
  const lines = issues.map(({ path, message }) => `  ${path} ${message}`);
  return new OrchError("config_invalid", ["The configuration is not valid:", ...lines].join("\n"), { issues });
}
