// The settings of agents.
import { z } from "zod";
import { setting } from "../../config/setting.ts";
import { ModelName, ModelUrl, oneOf, orNull, Paths, UserName, whole, wholeNumber } from "../../config/values.ts";
import { patternNamed, type WayOut } from "../../domain/network-scope.ts";

/** Where agents' commands may connect, with the setting that says so. */
const NetworkPatterns = z.string().transform((text, context): readonly WayOut[] => {
  const found = text.split(",").map((part) => patternNamed(part.trim()));
  const ways = found.filter((way) => way !== null);
  if (ways.length < found.length) context.addIssue({ code: "custom", message: NO_PATTERN });
  return ways.map((way) => ({ ...way, from: "AGENT_NETWORK" }));
});

const NO_PATTERN = "must be hosts such as mirror.example:443 or *.example:443, separated by commas";

export const AGENT_SETTINGS = {
  backend: setting("AGENT_BACKEND", oneOf(["plain", "react"]).default("react"), "the agent's loop: `react` or `plain`"),
  model: setting("AGENT_MODEL", orNull(ModelName), "the model of agent tasks; it must be able to call tools", {
    default_text: "`ROUTING_MODEL`",
  }),
  url: setting("AGENT_URL", orNull(ModelUrl), "where the agent model is served", {
    secret: "password",
    default_text: "`ROUTING_URL`",
  }),
  timeout_ms: setting(
    "AGENT_TIMEOUT_MS",
    whole(1, 3_600_000, 120_000),
    "milliseconds that one reply of the agent model may take",
  ),
  context_tokens: setting(
    "AGENT_CONTEXT_TOKENS",
    whole(4_096, 1_048_576, 16_384),
    "the context of the agent model in tokens, its reply included",
  ),
  limits: {
    turns: setting("AGENT_MAX_TURNS", whole(1, 1_000, 30), "how many replies an agent may take for one task"),
    calls: setting("AGENT_MAX_CALLS", whole(1, 1_000, 60), "how many calls an agent may make for one task"),
    minutes: setting(
      "AGENT_MAX_MINUTES",
      whole(1, 1_440, 60),
      "how many minutes of model and calls an agent has for one task",
    ),
  },
  hidden: setting(
    "AGENT_HIDDEN",
    Paths.default([]),
    "absolute paths, separated by `:`, that are hidden from the commands of agents too",
  ),
  sockets: setting(
    "AGENT_SOCKETS",
    Paths.default([]),
    "absolute paths, separated by `:`, of sockets that the commands of agents may use",
  ),
  writable: setting(
    "AGENT_WRITABLE",
    Paths.default([]),
    "absolute paths, separated by `:`, that the commands of agents may write besides the `compose_dir` of their task",
  ),
  spaces_mb: setting(
    "AGENT_SPACES_MB",
    orNull(wholeNumber(64, 16_777_216)),
    "MiB of memory that the `/tmp` and home directories of all agents may hold together; a third of it for one agent",
    { default_text: "60 % of the memory" },
  ),
  network: setting(
    "AGENT_NETWORK",
    NetworkPatterns.default([]),
    "hosts, separated by commas, that the commands of every agent may connect to: `mirror.example:443`, `*.example:443`, `*:443`, `localhost:8080`",
  ),
  user: setting(
    "AGENT_USER",
    orNull(UserName),
    "the user that the commands of agents run as, where orch runs as root; it has to be able to write their `compose_dir`",
    { default_text: "the account of orch" },
  ),
} as const;
