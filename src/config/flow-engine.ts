// The flow engine from the environment (spec section 2, Flow-engine execution contract: the path of the flow is a fixed name
// that may be overridden).
import { z } from "zod";
import type { FieldIssue } from "../domain/errors.ts";
import { HttpUrl, whole } from "./values.ts";

export type FlowEngineConfig = {
  readonly url: string;
  readonly token: string;
  readonly workspace: string;
  readonly flow_path: string;
  readonly poll_ms: number;
};

const FLOW_PATH = "f/orch/execute_task_steps";

export const FlowEngineEnvironment = {
  FLOWENGINE_URL: HttpUrl.refine((text) => !/@|\?|#/.test(text), {
    error: "must be the address of the engine alone, without account or parameters; the token is FLOWENGINE_TOKEN",
  }).optional(),
  FLOWENGINE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, "must be a token of the engine, without blanks")
    .optional(),
  FLOWENGINE_WORKSPACE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,50}$/, "must be the id of a workspace: letters, digits, _ and -")
    .optional(),
  FLOWENGINE_FLOW_PATH: z
    .string()
    .regex(/^[fu](\/[A-Za-z0-9_-]{1,255}){2,8}$/, `must be the path of a flow such as ${FLOW_PATH}`)
    .default(FLOW_PATH),
  FLOWENGINE_POLL_MS: whole(50, 60_000, 500),
};

const Read = z.object(FlowEngineEnvironment);

export function flowEngineOf(env: z.output<typeof Read>): FlowEngineConfig | null {
  const { FLOWENGINE_URL: url, FLOWENGINE_TOKEN: token, FLOWENGINE_WORKSPACE: workspace } = env;
  if (url === undefined || token === undefined || workspace === undefined) return null;
  return { url, token, workspace, flow_path: env.FLOWENGINE_FLOW_PATH, poll_ms: env.FLOWENGINE_POLL_MS };
}

const NEEDED = ["FLOWENGINE_URL", "FLOWENGINE_TOKEN", "FLOWENGINE_WORKSPACE"];

/** The three belong together, and whoever makes the engine the default needs one. */
export function flowEngineIssues(env: Readonly<Record<string, string | undefined>>): FieldIssue[] {
  const named = Object.keys(FlowEngineEnvironment).filter((name) => env[name] !== undefined);
  if (env["EXECUTION_BACKEND"] === "flowengine") named.push("EXECUTION_BACKEND");
  if (named.length === 0) return [];
  const missing = NEEDED.filter((path) => env[path] === undefined);
  return missing.map((path) => ({ path, message: `must be set, because ${named[0]} is` }));
}
