import { describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { OrchError } from "../../../src/domain/errors.ts";

const HOME = { HOME: "/home/me" };
const TOKEN = "t".repeat(32);

function refusal(env: Record<string, string>): OrchError {
  try {
    readConfig({ ...HOME, ...env });
  } catch (error) {
    if (error instanceof OrchError) return error;
  }
  throw new Error("the configuration was accepted");
}

describe("defaults", () => {
  test("an empty environment gives a loopback service without a model", () => {
    expect(readConfig(HOME)).toEqual({
      metrics_token: null,
      server_name: null,
      server_url: null,
      backup_before_migration: "on",
      anchor_file: null,
      keep_days: 0,
      archive_dir: null,
      labels: [],
      target_labels_file: null,
      host: "127.0.0.1",
      port: 3400,
      data_dir: "/home/me/.local/state/orch",
      database_url: "file:/home/me/.local/state/orch/orch.db",
      token: null,
      approver_token: null,
      accept_readable_tokens: "off",
      secret_paths: ["/run/secrets", "/etc/orch/credentials", "/etc/orch/orch.env"],
      public_host: null,
      allowed_origins: [],
      trusted_proxies: [],
      routing_model: null,
      routing_url: "http://127.0.0.1:11434",
      routing_format: "json",
      routing_keep_alive: null,
      routing_timeout_ms: 10_000,
      execution_backend: "local",
      flow_engine: null,
      webhook: null,
      capabilities: [],
      protected_paths: [],
      agent: {
        backend: "react",
        model: null,
        url: "http://127.0.0.1:11434",
        timeout_ms: 120_000,
        context_tokens: 16_384,
        limits: { turns: 30, calls: 60, minutes: 60 },
        hidden: [],
        sockets: [],
        writable: [],
        spaces_mb: null,
        network: [],
        user: null,
      },
      approval_ttl_hours: 72,
      concurrency: 8,
      before_look: "on",
      check_looks: "on",
      sop_promotion: "ask",
      sop_demotion: "set_back",
      sop_tools: "off",
      drain_seconds: 20,
      submits_per_minute: 300,
      requests_per_second: 100,
      schedules: 100,
      freeze_windows: [],
      sandbox: "auto",
      compose_roots: null,
      step_limits: { memory_mb: 8_192, file_mb: 32_768, processes: 4_096 },
      skill_memory_mb: 512,
      log_level: "info",
      tool_servers: new Map(),
    });
  });

  test("an empty variable counts as unset", () => {
    const env = { ORCH_TOKEN: "", ORCH_PORT: "", DATABASE_URL: "", MCP_NOTES_URL: "", MCP_NOTES_TOKEN: "" };
    expect(readConfig({ ...HOME, ...env })).toEqual(readConfig(HOME));
  });

  test("the state directory follows an absolute XDG_STATE_HOME, and ORCH_DATA_DIR overrides it", () => {
    expect(readConfig({ ...HOME, XDG_STATE_HOME: "/state" }).data_dir).toBe("/state/orch");
    expect(readConfig({ ...HOME, XDG_STATE_HOME: "state" }).data_dir).toBe("/home/me/.local/state/orch");
    const config = readConfig({ ...HOME, XDG_STATE_HOME: "/state", ORCH_DATA_DIR: "/data" });
    expect([config.data_dir, config.database_url]).toEqual(["/data", "file:/data/orch.db"]);
  });
});

/** Each variable, a value for it, and what is read. */
const VARIABLES: readonly (readonly [name: string, value: string, path: string, read: unknown])[] = [
  ["ORCH_HOST", "0.0.0.0", "host", "0.0.0.0"],
  ["ORCH_PORT", "0", "port", 0],
  ["ORCH_DATA_DIR", "/data", "data_dir", "/data"],
  ["DATABASE_URL", "postgresql://orch:pw@db/orch", "database_url", "postgresql://orch:pw@db/orch"],
  ["ORCH_TOKEN", TOKEN, "token", TOKEN],
  ["ORCH_APPROVER_TOKEN", "a".repeat(32), "approver_token", "a".repeat(32)],
  ["ORCH_SERVER_URL", "https://Orch.example/nas/", "server_url", "https://orch.example/nas"],
  ["ORCH_PUBLIC_HOST", "orch.example", "public_host", "orch.example"],
  ["ORCH_ALLOWED_ORIGINS", "https://a.b, http://c.d:8080", "allowed_origins", ["https://a.b", "http://c.d:8080"]],
  ["ROUTING_MODEL", "small:3b", "routing_model", "small:3b"],
  ["ROUTING_URL", "https://models.example", "routing_url", "https://models.example"],
  ["ROUTING_TIMEOUT_MS", "250", "routing_timeout_ms", 250],
  ["ROUTING_FORMAT", "schema", "routing_format", "schema"],
  ["ROUTING_KEEP_ALIVE", "1h30m", "routing_keep_alive", "1h30m"],
  ["EXECUTION_BACKEND", "flowengine", "execution_backend", "flowengine"],
  ["FLOWENGINE_URL", "https://flow.example/", "flow_engine.url", "https://flow.example/"],
  ["FLOWENGINE_TOKEN", "engine-token", "flow_engine.token", "engine-token"],
  ["FLOWENGINE_WORKSPACE", "lab", "flow_engine.workspace", "lab"],
  ["FLOWENGINE_FLOW_PATH", "f/team/run_steps", "flow_engine.flow_path", "f/team/run_steps"],
  ["FLOWENGINE_POLL_MS", "1000", "flow_engine.poll_ms", 1000],
  ["AGENT_BACKEND", "plain", "agent.backend", "plain"],
  ["AGENT_MODEL", "large:32b", "agent.model", "large:32b"],
  ["AGENT_TIMEOUT_MS", "30000", "agent.timeout_ms", 30_000],
  ["AGENT_CONTEXT_TOKENS", "32768", "agent.context_tokens", 32_768],
  ["AGENT_MAX_TURNS", "5", "agent.limits.turns", 5],
  ["AGENT_MAX_CALLS", "6", "agent.limits.calls", 6],
  ["AGENT_MAX_MINUTES", "7", "agent.limits.minutes", 7],
  ["AGENT_HIDDEN", "/srv/keys:/root/.netrc", "agent.hidden", ["/srv/keys", "/root/.netrc"]],
  ["AGENT_SOCKETS", "/var/run/docker.sock", "agent.sockets", ["/var/run/docker.sock"]],
  [
    "AGENT_NETWORK",
    "*.example:443, localhost:8080",
    "agent.network.1",
    { host: "localhost", port: 8080, from: "AGENT_NETWORK" },
  ],
  ["ORCH_WEBHOOK_URL", "https://hooks.example/orch", "webhook.url", "https://hooks.example/orch"],
  ["ORCH_WEBHOOK_SECRET", `whsec_${"A".repeat(32)}`, "webhook.secret", `whsec_${"A".repeat(32)}`],
  ["APPROVAL_TTL_HOURS", "1", "approval_ttl_hours", 1],
  ["ORCH_CONCURRENCY", "2", "concurrency", 2],
  ["ORCH_DRAIN_SECONDS", "0", "drain_seconds", 0],
  ["ORCH_SUBMITS_PER_MINUTE", "0", "submits_per_minute", 0],
  ["ORCH_REQUESTS_PER_SECOND", "5", "requests_per_second", 5],
  ["ORCH_SANDBOX", "required", "sandbox", "required"],
  ["ORCH_COMPOSE_ROOTS", "/srv:/opt/stacks", "compose_roots", ["/srv", "/opt/stacks"]],
  ["ORCH_STEP_MEMORY_MB", "512", "step_limits.memory_mb", 512],
  ["ORCH_STEP_FILE_MB", "64", "step_limits.file_mb", 64],
  ["ORCH_STEP_PROCESSES", "200", "step_limits.processes", 200],
  ["LOG_LEVEL", "silent", "log_level", "silent"],
];

test.each(VARIABLES)("%s is read", (_name, _value, path, read) => {
  const config = readConfig(Object.fromEntries(VARIABLES));
  expect(config).toHaveProperty(path, read);
  expect(config.agent.url, "the agents' model is where the routing model is").toBe("https://models.example");
});

test("a limit of 0 is no limit", () => {
  const { step_limits } = readConfig({ ORCH_STEP_MEMORY_MB: "0", ORCH_STEP_FILE_MB: "0", ORCH_STEP_PROCESSES: "0" });
  expect(step_limits).toEqual({ memory_mb: null, file_mb: null, processes: null });
});

test("the configuration cannot be changed", () => {
  const config = readConfig({ ...HOME, MCP_NOTES_URL: "http://notes" });
  expect(() => Object.assign(config, { host: "0.0.0.0" })).toThrow(TypeError);
  expect(() => Object.assign(config.tool_servers.get("notes") ?? {}, { url: "http://evil" })).toThrow(TypeError);
  expect(() => (config.allowed_origins as string[]).push("https://evil.example")).toThrow(TypeError);
});

describe("the configuration is refused", () => {
  test.each([
    ["ORCH_HOST", "not a host"],
    ["ORCH_PORT", "65536"],
    ["ORCH_PORT", "-1"],
    ["ORCH_PORT", "3400x"],
    ["ORCH_PORT", "1e3"],
    ["DATABASE_URL", "mysql://x"],
    ["DATABASE_URL", "file:"],
    ["ORCH_TOKEN", "t".repeat(31)],
    ["ORCH_TOKEN", `${TOKEN} with a space`],
    ["ORCH_APPROVER_TOKEN", "short"],
    ["ORCH_PUBLIC_HOST", "https://orch.example"],
    ["ORCH_PUBLIC_HOST", "orch.example:3400"],
    ["ORCH_ALLOWED_ORIGINS", "https://one.example/path"],
    ["ORCH_ALLOWED_ORIGINS", "*"],
    ["ORCH_ALLOWED_ORIGINS", "null"],
    ["ROUTING_URL", "file:///etc/passwd"],
    ["ROUTING_URL", "models"],
    ["ROUTING_TIMEOUT_MS", "0"],
    ["ROUTING_FORMAT", "xml"],
    ["ROUTING_KEEP_ALIVE", "for ever"],
    ["ROUTING_KEEP_ALIVE", "30 m"],
    ["EXECUTION_BACKEND", "remote"],
    ["AGENT_BACKEND", "toString"],
    ["AGENT_NETWORK", "mirror.example:443,https://x"],
    ["ORCH_FREEZE_WINDOWS", "Fri 16:00 to Mon 07:00: weekend; Fri 16:00 to Mon 07:00"],
    ["APPROVAL_TTL_HOURS", "0"],
    ["ORCH_CONCURRENCY", "0"],
    ["ORCH_DRAIN_SECONDS", "soon"],
    ["ORCH_SUBMITS_PER_MINUTE", "-1"],
    ["ORCH_REQUESTS_PER_SECOND", "10001"],
    ["ORCH_SANDBOX", "on"],
    ["ORCH_COMPOSE_ROOTS", "/srv:stacks"],
    ["ORCH_COMPOSE_ROOTS", "/srv:"],
    ["ORCH_STEP_MEMORY_MB", "8"],
    ["ORCH_STEP_FILE_MB", "1.5"],
    ["ORCH_STEP_PROCESSES", "7"],
    ["LOG_LEVEL", "loud"],
    ["MCP_NOTES_URL", "ftp://notes"],
    ["MCP_NOTES_TOKEN", "token-without-a-url"],
    ["MCP_notes_URL", "http://notes"],
    [`MCP_${"A".repeat(33)}_URL`, "http://notes"],
  ])("for %s=%s, with the name and without the value", (name, value) => {
    const error = refusal({ ORCH_PUBLIC_HOST: "orch.example", [name]: value });
    expect(error.code).toBe("config_invalid");
    expect(error.issues.map(({ path }) => path)).toEqual([name]);
    expect(error.issues[0]?.message).toMatch(/^(must|needs) /);
    expect(error.message).toContain(`${name} ${error.issues[0]?.message}`);
    if (value.length > 5) expect(error.message).not.toContain(value);
  });

  test("with every fault at once, combinations and tool servers included", () => {
    const wrong = { ORCH_HOST: "0.0.0.0", ORCH_PORT: "x", LOG_LEVEL: "loud", MCP_A_TOKEN: "x" };
    const paths = refusal(wrong).issues.map(({ path }) => path);
    expect(paths.toSorted()).toEqual(["LOG_LEVEL", "MCP_A_TOKEN", "ORCH_PORT", "ORCH_PUBLIC_HOST"]);
  });

  test("for a bind address that others can reach, when no public host is named", () => {
    for (const ORCH_HOST of ["0.0.0.0", "::", "192.168.1.5", "127.evil.example"]) {
      expect(refusal({ ORCH_HOST }).message).toContain("ORCH_HOST is not a loopback address");
      expect(readConfig({ ...HOME, ORCH_HOST, ORCH_PUBLIC_HOST: "orch.example" }).host).toBe(ORCH_HOST);
    }
    for (const ORCH_HOST of ["localhost", "::1", "127.0.0.2"]) expect(readConfig({ ...HOME, ORCH_HOST })).toBeDefined();
  });

  test("for an approver's token that equals the main one", () => {
    expect(refusal({ ORCH_TOKEN: TOKEN, ORCH_APPROVER_TOKEN: TOKEN }).message).toContain("must differ");
  });
});

test.each(["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGCHAIN_VERBOSE"])(
  "%s is refused, because it would send prompts elsewhere",
  (name) => {
    expect(refusal({ [name]: "true" }).issues).toMatchObject([{ path: name }]);
    expect(() => readConfig({ ...HOME, [name]: "false" })).not.toThrow();
  },
);

test.each([
  ["ROUTING_URL", "http://user:word@127.0.0.1:11434"],
  ["DATABASE_URL", "postgresql://user:word@[host/orch"],
])("%s is refused when it is unusable, without repeating it", (name, value) => {
  expect(() => readConfig({ ...HOME, [name]: value })).toThrow(name);
  expect(() => readConfig({ ...HOME, [name]: value })).not.toThrow("word@");
});
