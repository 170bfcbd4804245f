// Every setting, once: its environment variable, its schema with the default, one sentence, and whether it is a secret. The
// tree has the shape of the configuration. The type, the parsing, doctor's check, the secrets for redaction and
// docs/configuration.md derive from it.
import { FEATURE_SETTINGS, GROUPED_SETTINGS, KEEPING_SETTINGS, PROOF_SETTINGS } from "../features/settings.ts";
import { setting } from "./setting.ts";
import {
  Addresses,
  BindAddress,
  DatabaseUrl,
  Directory,
  File,
  KeepAlive,
  limit,
  ModelName,
  ModelUrl,
  Origins,
  OwnUrl,
  oneOf,
  orNull,
  Paths,
  PublicHost,
  ServerLabels,
  ServerName,
  Token,
  whole,
} from "./values.ts";

// Lists the settings that limit each step, part of the table in settings.ts.

const STEP_LIMIT_SETTINGS = {
  memory_mb: setting(
    "ORCH_STEP_MEMORY_MB",
    limit(32, 16_777_216, 8_192),
    "the MiB of memory that each process of a step may have for itself; 0: no limit",
  ),
  file_mb: setting(
    "ORCH_STEP_FILE_MB",
    limit(1, 16_777_216, 32_768),
    "the MiB of a file that a step writes; 0: no limit",
  ),
  processes: setting(
    "ORCH_STEP_PROCESSES",
    limit(8, 4_194_304, 4_096),
    "the number of processes of the account, threads included (does not bind root); 0: no limit",
  ),
} as const;

export const SETTINGS = {
  host: setting(
    "ORCH_HOST",
    BindAddress.default("127.0.0.1"),
    "the address to listen on; beyond loopback `ORCH_PUBLIC_HOST` must be set",
  ),
  port: setting("ORCH_PORT", whole(0, 65_535, 3400), "the port to listen on; 0 takes any free port"),
  data_dir: setting("ORCH_DATA_DIR", orNull(Directory), "the directory of the token file and the database", {
    default_text: "`$XDG_STATE_HOME/orch` or `~/.local/state/orch`",
  }),
  database_url: setting("DATABASE_URL", orNull(DatabaseUrl), "`file:…` for SQLite or `postgresql://…`", {
    secret: "password",
    default_text: "`orch.db` in the data directory",
  }),
  token: setting("ORCH_TOKEN", orNull(Token), "the bearer token of callers, at least 32 characters", {
    secret: "value",
    default_text: "the token file",
  }),
  ...KEEPING_SETTINGS,
  server_name: setting(
    "ORCH_SERVER_NAME",
    orNull(ServerName),
    "the name of this server, among those that share a PostgreSQL database",
    { default_text: "the name of the host" },
  ),
  server_url: setting(
    "ORCH_SERVER_URL",
    orNull(OwnUrl),
    "where the other servers of a PostgreSQL database reach this one, such as `http://10.0.0.5:3400`, to show what steps write here",
  ),
  approver_token: setting(
    "ORCH_APPROVER_TOKEN",
    orNull(Token),
    "when set, only this token can approve; `orch approve` uses it",
    { secret: "value" },
  ),
  accept_readable_tokens: setting(
    "ORCH_ACCEPT_READABLE_TOKENS",
    oneOf(["on", "off"]).default("off"),
    "`on` starts orch although a step can read the approver token, and so approve; and lets steps that name sudo and its like run where they can read it",
  ),
  metrics_token: setting(
    "ORCH_METRICS_TOKEN",
    orNull(Token),
    "a bearer token that may read `/metrics` and nothing else; without it, a token of callers is needed there too",
    { secret: "value" },
  ),
  public_host: setting("ORCH_PUBLIC_HOST", orNull(PublicHost), "the host name that clients use, without a port"),
  allowed_origins: setting(
    "ORCH_ALLOWED_ORIGINS",
    Origins.default([]),
    "origins of web pages that may call, separated by commas",
  ),
  trusted_proxies: setting(
    "ORCH_TRUSTED_PROXY",
    Addresses.default([]),
    "addresses of proxies with TLS, separated by commas: what they say in X-Forwarded-Proto is believed, and the console beyond loopback needs it",
  ),
  routing_model: setting(
    "ROUTING_MODEL",
    orNull(ModelName),
    "a small model on Ollama; without one every question takes its fallback",
  ),
  routing_url: setting("ROUTING_URL", ModelUrl.default("http://127.0.0.1:11434"), "where the routing model is served", {
    secret: "password",
  }),
  routing_timeout_ms: setting(
    "ROUTING_TIMEOUT_MS",
    whole(1, 600_000, 10_000),
    "milliseconds that one question to the routing model may take",
  ),
  routing_format: setting(
    "ROUTING_FORMAT",
    oneOf(["json", "schema"]).default("json"),
    "the form that Ollama holds the routing model's answers to: `json` is any JSON, `schema` is the schema of the answer; `orch eval routing` says which to take",
  ),
  routing_keep_alive: setting(
    "ROUTING_KEEP_ALIVE",
    orNull(KeepAlive),
    "how long Ollama keeps the routing model loaded after a question, such as `30m` or `24h`; `-1` is for ever",
    { default_text: "as Ollama is set" },
  ),
  execution_backend: setting(
    "EXECUTION_BACKEND",
    oneOf(["local", "flowengine"]).default("local"),
    "where tasks run whose contract names no backend: `local` or `flowengine`",
  ),
  ...GROUPED_SETTINGS,
  approval_ttl_hours: setting(
    "APPROVAL_TTL_HOURS",
    whole(1, 8_760, 72),
    "an approval that is not decided in this time is rejected",
  ),
  concurrency: setting("ORCH_CONCURRENCY", whole(1, 1_000, 8), "how many tasks run at the same time, on each server"),
  labels: setting(
    "ORCH_LABELS",
    ServerLabels.default([]),
    "what this server has, such as `docker,zfs`: a task runs only where its labels are; `host:<host name>` is added, and `shell:agent` and `flowengine` if they work",
    { default_text: "the added ones" },
  ),
  target_labels_file: setting(
    "ORCH_TARGET_LABELS",
    orNull(File),
    "a YAML file with labels for targets: a list of `{match: {host: nas}, labels: [host:nas]}`; the first match counts, and a value may end with `*`",
  ),
  ...PROOF_SETTINGS,
  sop_promotion: setting(
    "SOP_PROMOTION",
    oneOf(["ask", "proved_only"]).default("ask"),
    "which versions ask for their promotion: `ask` is all, `proved_only` is those that a run has proved on their target",
  ),
  sop_demotion: setting(
    "SOP_DEMOTION",
    oneOf(["off", "tell", "set_back"]).default("set_back"),
    "what to do when an active version fails or is found wrong outside of orch: `off` does nothing, `tell` sends a message, `set_back` asks for its approval again",
  ),
  sop_tools: setting(
    "ORCH_SOP_TOOLS",
    oneOf(["on", "off"]).default("off"),
    "whether MCP offers active SOPs, the 30 most used, as tools of their own: `run_<intent>_<target>`",
  ),
  drain_seconds: setting(
    "ORCH_DRAIN_SECONDS",
    whole(0, 3_600, 20),
    "seconds that running steps have left at shutdown; what could kill the server must wait longer",
  ),
  submits_per_minute: setting(
    "ORCH_SUBMITS_PER_MINUTE",
    whole(0, 60_000, 300),
    "how many tasks one token may submit, on all servers of a PostgreSQL database together; 0: no limit",
  ),
  ...FEATURE_SETTINGS,
  requests_per_second: setting(
    "ORCH_REQUESTS_PER_SECOND",
    whole(0, 10_000, 100),
    "how many requests one caller may send to each server, ten seconds' worth at once; 0: no limit",
  ),
  sandbox: setting(
    "ORCH_SANDBOX",
    oneOf(["auto", "off", "required"]).default("auto"),
    "`auto`: a pid namespace for each step when root and bubblewrap make it possible; `required`; `off`",
  ),
  compose_roots: setting(
    "ORCH_COMPOSE_ROOTS",
    orNull(Paths),
    "absolute directories, separated by `:`; every `compose_dir` must be in one of them",
  ),
  protected_paths: setting("ORCH_PROTECTED_PATHS", Paths.default([]), "trees the guard protects too, separated by `:`"),
  skill_memory_mb: setting("ORCH_SKILL_MEMORY_MB", whole(64, 65_536, 512), "MiB that one run of a skill may use"),
  capabilities: setting(
    "ORCH_CAPABILITIES",
    Paths.default([]),
    "absolute directories, separated by `:`, with skills of your own",
  ),
  step_limits: STEP_LIMIT_SETTINGS,
  log_level: setting(
    "LOG_LEVEL",
    oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
    "how much is logged: one JSON line for each event, on stderr",
  ),
} as const;
