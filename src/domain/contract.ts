// The task contract, its target, and the key of the target's SOP [2.key.format] [2.key.signature]. Submitting a contract
// approves every operation inside its implicit_scope [1.A.1] [1.A.5.contract].
import { z } from "zod";
import { AgentBackendName } from "./agent-events.ts";
import { DEFAULT_MAX_MINUTES } from "./duration.ts";
import { digestOf, JsonObject } from "./json.ts";

const AttributeName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, "attribute names are lower case letters, digits and underscores, a letter first")
  .max(64);

const AttributeValue = z
  .string()
  .max(1024)
  .refine((value) => !value.includes("\0"), "must not contain NUL");

export const Target = z
  .record(AttributeName, AttributeValue)
  .refine((target) => Object.keys(target).length <= 32, "at most 32 attributes");
export type Target = z.infer<typeof Target>;

// These characters, which could give two targets the same signature, are escaped as %XX. `%` is one of them (D-004).
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters on purpose
const SPECIAL = /[%;|\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu;

/** The attributes as `key=value`, sorted by name and joined by `;`. The empty target has the empty signature. */
export function targetSignature(target: Target): string {
  return Object.keys(target)
    .sort()
    .map((key) => `${key}=${(target[key] ?? "").replace(SPECIAL, encodeURIComponent)}`)
    .join(";");
}

/** `<intent>|<signature>`. Keys match exactly [2.key.exact]. */
export const sopKey = (intent: string, signature: string): string => `${intent}|${signature}`;

/**
 * The vocabulary of the specification without `reorganize_notes_tree` [2.intent.reorganize_notes_tree]. Skills declare
 * that intent and others, and the composition root adds them (D-116).
 */
export const INTENTS = [
  "bootstrap_context",
  "collect_logs",
  "triage",
  "deploy",
  "restart",
  "health_check",
  "commit_push",
  "record_to_notes",
  "update_sop",
] as const;

/** Diagnostic intents: their SOPs change nothing (D-060), and their tasks may share a target (D-012). */
export const READ_ONLY_INTENTS: ReadonlySet<string> = new Set([
  "triage",
  "collect_logs",
  "health_check",
  "bootstrap_context",
]);

const Line = (max: number) =>
  z
    .string()
    .min(1, "must not be empty")
    .max(max)
    .refine((text) => !text.includes("\0"), "must not contain NUL");

export const TaskId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, "letters, digits, dot, underscore, colon, hyphen; at most 128");

export const Intent = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be an intent of the vocabulary");

/** Where the steps of a task run. */
export const BackendName = z.enum(["local", "flowengine"]);
export type BackendName = z.infer<typeof BackendName>;

const DelegationMode = z.enum(["teach_if_unknown", "known_only", "agent"]);

const Constraints = z.strictObject({
  implicit_scope: z.array(Line(128)).max(100).describe("tool servers, or cmd:<program>, that the task may use"),
  require_approval_for: z.array(Line(128)).max(50).describe("categories that need a human; may be empty"),
  max_minutes: z.int().min(1).max(1440).default(DEFAULT_MAX_MINUTES).describe("limit per command or tool call"),
});

/** orch stores further fields with the contract and does not interpret them (D-001). */
export const TaskContract = z.looseObject({
  task_id: TaskId,
  intent: Intent,
  target: Target,
  delegation_mode: DelegationMode,
  constraints: Constraints,
  success_criteria: z
    .array(Line(1024))
    .max(100)
    .refine((all) => new Set(all).size === all.length, "must not repeat a criterion")
    .describe("notes for the supervisor, not evaluated by code"),
  requested_by: Line(256),
  requested_at: z.iso.datetime({ offset: true, error: "must be an ISO 8601 time such as 2026-03-06T09:00:00Z" }),
  payload: JsonObject.default({}),
  execution_backend: BackendName.optional(),
  agent_backend: AgentBackendName.optional(),
  skip_if_done: z
    .boolean()
    .optional()
    .describe(
      "run nothing where every check of the plan is true already and can fail; no effect on an intent that only looks; an agent, a skill and update_sop refuse it",
    ),
});
export type TaskContract = z.infer<typeof TaskContract>;

export const contractDigest = (contract: TaskContract): string => digestOf(contract);

export const signatureOf = (contract: TaskContract): string => targetSignature(contract.target);

/** Lower case, because names of tool servers are compared without case. */
export const scopeOf = ({ constraints }: TaskContract): ReadonlySet<string> =>
  new Set(constraints.implicit_scope.map((entry) => entry.toLowerCase()));
