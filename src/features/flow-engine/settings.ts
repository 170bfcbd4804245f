// The settings of the flow engine, and which of them belong together.
import { z } from "zod";
import { clearTextIssues } from "../../config/clear-text.ts";
import { PEER_ABOUT } from "../../config/other-settings.ts";
import { type Env, setting, type ValuesOf, variablesIn } from "../../config/setting.ts";
import { HttpUrl, orNull, Peer, whole } from "../../config/values.ts";
import type { FieldIssue } from "../../domain/errors.ts";

const FlowEngineUrl = HttpUrl.refine((text) => !/@|\?|#/.test(text), {
  error: "must be the address of the engine alone, without account or parameters; the token is FLOWENGINE_TOKEN",
});

const FlowEngineToken = z.string().regex(/^[\x21-\x7e]{1,4096}$/, "must be a token of the engine, without blanks");

const Workspace = z.string().regex(/^[A-Za-z0-9_-]{1,50}$/, "must be the id of a workspace: letters, digits, _ and -");

const DEFAULT_FLOW_PATH = "f/orch/execute_task_steps";

const FlowPath = z
  .string()
  .regex(/^[fu](\/[A-Za-z0-9_-]{1,255}){2,8}$/, `must be the path of a flow such as ${DEFAULT_FLOW_PATH}`);

export const FLOW_ENGINE_SETTINGS = {
  url: setting(
    "FLOWENGINE_URL",
    orNull(FlowEngineUrl),
    "the flow engine; set URL, token and workspace, or none of them",
  ),
  token: setting("FLOWENGINE_TOKEN", orNull(FlowEngineToken), "the token of orch at the flow engine", {
    secret: "value",
  }),
  peer: setting("FLOWENGINE_PEER", orNull(Peer), PEER_ABOUT, { default_text: "root, or the account of orch" }),
  workspace: setting("FLOWENGINE_WORKSPACE", orNull(Workspace), "the workspace of the flow"),
  flow_path: setting("FLOWENGINE_FLOW_PATH", FlowPath.default(DEFAULT_FLOW_PATH), "the path of the flow"),
  poll_ms: setting(
    "FLOWENGINE_POLL_MS",
    whole(50, 60_000, 500),
    "milliseconds between two polls of a job; the interval grows up to tenfold",
  ),
} as const;

/** Null when there is none: a contract that names it is blocked. */
export function flowEngineOf({ url, token, workspace, ...rest }: ValuesOf<typeof FLOW_ENGINE_SETTINGS>) {
  return url === null || token === null || workspace === null
    ? null
    : Object.freeze({ url, token, workspace, ...rest });
}

const { url, token, workspace, peer } = FLOW_ENGINE_SETTINGS;
const NEEDED = [url, token, workspace].map(({ variable }) => variable);

export const flowEngineIssues = (env: Env): FieldIssue[] => [...togetherIssues(env), ...addressIssues(env)];

/** The three belong together, and are needed where the engine is the default. */
function togetherIssues(env: Env): FieldIssue[] {
  const given = variablesIn(FLOW_ENGINE_SETTINGS).filter((variable) => env[variable] !== undefined);
  if (env["EXECUTION_BACKEND"] === "flowengine") given.push("EXECUTION_BACKEND");
  if (given.length === 0) return [];
  const missing = NEEDED.filter((path) => env[path] === undefined);
  return missing.map((path) => ({ path, message: `must be set, because ${given[0]} is` }));
}

function addressIssues(env: Env): FieldIssue[] {
  const { data: address } = url.schema.safeParse(env[url.variable]);
  if (address === undefined || address === null) return [];
  return clearTextIssues({
    url: address,
    peer: env[peer.variable],
    what: token.variable,
    address: url.variable,
    peer_setting: peer.variable,
  });
}
