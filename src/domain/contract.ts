// Defines the task contract, its target with the signature that names it [2.key.format] [2.key.signature], and its labels. Submitting a
// contract approves every operation inside its implicit_scope [1.A.1] [1.A.5.contract].
import { z } from "zod";
import { CONSEQUENCES } from "../guard/codes.ts";
import { AgentBackendName } from "./agent-events.ts";
import { DEFAULT_MAX_MINUTES } from "./duration.ts";
import { digestOf, JsonObject } from "./json.ts";

// Labels say where a task may run: what it needs, and what a server has. A task runs only on a server that has all of its labels.

const MAX_LABEL = 100;
/** Of one task. */
const MAX_NEEDED = 8;

const FORM = /^[a-z][a-z0-9:_.-]*$/;

export const Label = z
  .string()
  .regex(
    FORM,
    "must be a label: a lower case letter, then letters, digits or any of : _ . -, such as docker or host:nas",
  )
  .max(MAX_LABEL, `must have at most ${MAX_LABEL} characters`);

/** Those that a task needs. */
export const Labels = z
  .array(Label)
  .max(MAX_NEEDED, `must be at most ${MAX_NEEDED} labels`)
  .refine((all) => new Set(all).size === all.length, "must not repeat a label")
  .meta({ uniqueItems: true });

/** A target of this kind needs these labels: none means that it runs anywhere. */
export type TargetLabels = { readonly match: Readonly<Record<string, string>>; readonly labels: readonly string[] };

/** Of a server that has a flow engine (D-336). */
export const FLOW_ENGINE = "flowengine";

type Having = {
  readonly host: string;
  readonly confines: boolean;
  readonly has_engine: boolean;
};

/** What a server has: what it was given, its host, and what can be done there. */
export function ownLabels(given: readonly string[], { host, confines, has_engine }: Having): readonly string[] {
  const { data: of_host } = Label.safeParse(`host:${host.toLowerCase()}`);
  const added = [...(confines ? ["shell:agent"] : []), ...(has_engine ? [FLOW_ENGINE] : [])];
  return sorted([...given, ...(of_host === undefined ? [] : [of_host]), ...added]);
}

/** Sorted and each once, so that the same labels are the same text. */
export const sorted = (labels: readonly string[]): string[] => [...new Set(labels)].sort();

type Needing = {
  readonly runs_on?: readonly string[] | undefined;
  readonly target: Readonly<Record<string, string>>;
};

/** The labels of the contract, else those of the first rule that its target matches; null where it runs anywhere. */
export function labelsNeeded({ runs_on, target }: Needing, rules: readonly TargetLabels[]): string[] | null {
  const labels = runs_on ?? rules.find(({ match }) => matches(target, match))?.labels ?? [];
  return labels.length === 0 ? null : sorted(labels);
}

/** A value that ends with `*` matches by its beginning, any other exactly. Other attributes of the target do not matter. */
const matches = (target: Needing["target"], match: TargetLabels["match"]): boolean =>
  Object.entries(match).every(([name, wanted]) => {
    const value = Object.hasOwn(target, name) ? target[name] : undefined;
    if (value === undefined) return false;
    return wanted.endsWith("*") ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
  });

export const servesLabels = (own: readonly string[], wanted: readonly string[] | null): boolean =>
  wanted === null || wanted.every((label) => own.includes(label));

type Placed = { readonly backend: string; readonly runs_on: readonly string[] | null };

/** The labels that a server must have to work on the task. Those of a job are for the workers of the flow engine, which it must have. */
export const neededHere = ({ backend, runs_on }: Placed): readonly string[] | null =>
  backend === "flowengine" ? [FLOW_ENGINE] : runs_on;

type Live = { readonly server_id: string; readonly labels: readonly string[]; readonly draining: boolean };

/** What no live server has, or all that is needed where each has a part. Null where one of them serves it, or works on it. */
export function labelsWithoutServer(
  live: readonly Live[],
  task: Placed & { readonly owner: string | null },
): string[] | null {
  const wanted = neededHere(task);
  if (wanted === null || live.some(({ server_id }) => server_id === task.owner)) return null;
  const claiming = live.filter(({ draining }) => !draining);
  if (claiming.some(({ labels }) => servesLabels(labels, wanted))) return null;
  const had = new Set(claiming.flatMap(({ labels }) => labels));
  const missing = wanted.filter((label) => !had.has(label));
  return missing.length === 0 ? [...wanted] : missing;
}

/** For who decides on it; empty where it runs anywhere. */
export const placeSentence = (runs_on: readonly string[] | undefined): string =>
  runs_on === undefined ? "" : ` It runs only where there is ${runs_on.join(", ")}.`;

/** The tag of a job: a worker of the flow engine takes a job by one tag. No label contains the sign. */
export const tagOf = (labels: readonly string[] | null | undefined): string | null =>
  labels === null || labels === undefined || labels.length === 0 ? null : labels.join("+");

// Defines the target of a contract: its attributes, their one spelling, and its signature [2.key.signature].

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
  .refine((target) => Object.keys(target).length <= 32, "at most 32 attributes")
  .meta({ maxProperties: 32 });
export type Target = z.infer<typeof Target>;

/** The spelling that is stored: composed letters, and a directory without `//`, `.`, `..` and a slash at its end. */
export const normalTarget = (target: Target): Target =>
  Object.fromEntries(Object.entries(target).map(([name, value]) => [name, normalValue(name, value.normalize("NFC"))]));

const normalValue = (name: string, value: string): string =>
  name === "compose_dir" && value.startsWith("/") ? normalPath(value) : value;

function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

const BLANK_ENDS = /^[\s\p{Cf}]|[\s\p{Cf}]$/u;

/** Why a caller may not use the value; null where it may. Stored targets may have such values. */
function valueFault(name: string, value: string): string | null {
  if (value === "") return "must not be empty; leave it out";
  if (BLANK_ENDS.test(value)) return "must not begin or end with a blank or an invisible character; remove it";
  if (name !== "compose_dir") return null;
  if (!value.startsWith("/")) return "must be an absolute path such as /srv/web; orch does not expand ~";
  return normalValue(name, value) === "/" ? "must not be the root directory; name the directory of the service" : null;
}

const value = (pattern: string) => ({ type: "string", maxLength: 1024, pattern });

/** Published of a target as callers send it. */
const GIVEN_PATTERNS = {
  patternProperties: {
    "^compose_dir$": { ...value("^\\/[^\\u0000]*[^\\s\\u0000/.][^\\u0000]*$"), not: { pattern: "\\s$" } },
  },
  additionalProperties: value("^[^\\s\\u0000]([^\\u0000]*[^\\s\\u0000])?$"),
};

export const GivenTarget = Target.superRefine((target, context) => {
  for (const [name, value] of Object.entries(target)) {
    const message = valueFault(name, value);
    if (message !== null) context.addIssue({ code: "custom", path: [name], message });
  }
})
  .overwrite(normalTarget)
  .meta(GIVEN_PATTERNS);

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

export const targetOfSignature = (signature: string): Target =>
  Object.fromEntries(
    signature.split(";").flatMap((attribute) => {
      const at = attribute.indexOf("=");
      return at < 0 ? [] : [[attribute.slice(0, at), decodeURIComponent(attribute.slice(at + 1))]];
    }),
  );

// The contract that a procedure is looked at with while no task asks for it: its intent, its target, and nothing else.

export const withoutTask = (intent: string, target: Target): TaskContract => ({
  task_id: "none",
  intent,
  target,
  delegation_mode: "known_only",
  success_criteria: [],
  payload: {},
  constraints: { implicit_scope: [], require_approval_for: [], max_minutes: DEFAULT_MAX_MINUTES },
  requested_by: "none",
  requested_at: "1970-01-01T00:00:00Z",
});

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
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/,
    "must be a letter or digit, then letters, digits, dots, underscores, colons, hyphens; at most 128",
  )
  .describe("The id of the task, as it was submitted.");

/** Marks a schema whose words only a running server knows: its skills add to them. */
export const VOCABULARY = "x-vocabulary";

/** Marks a schema whose fields are those of the input of another operation: a model reads them there. */
export const ELSEWHERE = "x-fields-of";

export const Intent = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, `must be an intent of the vocabulary, such as ${INTENTS.join(", ")}`)
  .meta({ [VOCABULARY]: "intents" });

/** Where the steps of a task run. */
export const BackendName = z.enum(["local", "flowengine"]);
export type BackendName = z.infer<typeof BackendName>;

export const DELEGATION_MODES = ["teach_if_unknown", "known_only", "agent"] as const;
const DelegationMode = z
  .enum(DELEGATION_MODES)
  .describe(
    "Without an active SOP, teach_if_unknown asks you for the steps (need_input) and known_only ends blocked. agent: a model does the work with tools, and payload.goal says what to do.",
  );

const CONSTRAINTS =
  'is required; {"implicit_scope":[],"require_approval_for":[]} allows any program and asks for nothing';

const SCOPE_RULE = {
  if: { pattern: "^write:" },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { pattern: "^write:(\\/[^/\\u0000]+)+$", not: { pattern: "\\/\\.{1,2}(\\/|$)" } },
};

/** A path that is not whole would open nothing, without a word. */
const isScope = (entry: string): boolean =>
  !entry.startsWith("write:") || /^write:(\/(?!\.{1,2}(\/|$))[^/]+)+$/.test(entry);

const Fields = {
  implicit_scope: z
    .array(
      Line(128)
        .refine(isScope, "must be write: with an absolute path, without . or .., such as write:/srv/app")
        .meta(SCOPE_RULE),
    )
    .max(100)
    .describe(
      "What the task may use without asking. The name of a tool server: every mcp_call needs it. cmd:<program>: once one is listed, shell steps may start only listed programs; with none, every program that policy does not block. shell: an agent may run commands. write:<absolute path>: an agent's commands may write there too, besides compose_dir. A host, host:port or URL: they may connect to it, as to those in target. git:config: where an agent could write, git may run what the repository configures. So [] means no tool server, any program, and nothing for an agent.",
    ),
  require_approval_for: z
    .array(Line(128))
    .max(50)
    .describe(
      `Kinds of operations that a human must approve first; [] for none. In your words, or found in code: ${CONSEQUENCES.join(", ")}.`,
    ),
  max_minutes: z
    .int()
    .min(1)
    .max(1440)
    .default(DEFAULT_MAX_MINUTES)
    .describe("Time limit of each command and each tool call."),
};
const Constraints = z.strictObject(Fields, {
  error: ({ code, input }) => (code === "invalid_type" && input === undefined ? CONSTRAINTS : undefined),
});

/** orch stores further fields with the contract and does not interpret them (D-001). */
export const TaskContract = z.looseObject({
  task_id: TaskId.describe("A new id of your choice. The same id with the same contract is the same task."),
  intent: Intent.describe(
    "What to do; with target it selects the SOP. triage, collect_logs, health_check and bootstrap_context only look. update_sop replaces an SOP: payload is {intent, target, steps}.",
  ),
  target: Target.describe(
    "What it acts on, as names and values. Only an SOP of exactly this target is used. Commands read $ORCH_TARGET_<NAME> and run in compose_dir, an absolute path (default: the home directory).",
  ),
  delegation_mode: DelegationMode,
  constraints: Constraints.describe("Submitting approves what they allow."),
  success_criteria: z
    .array(Line(1024))
    .max(100)
    .refine((all) => new Set(all).size === all.length, "must not repeat a criterion")
    .meta({ uniqueItems: true })
    .describe("Facts that hold when it is done. Each needs a check of its own: the n-th check step proves the n-th."),
  requested_by: Line(256).describe("Who asks (default: the name of your token)."),
  requested_at: z.iso
    .datetime({ offset: true, error: "must be an ISO 8601 time such as 2026-03-06T09:00:00Z" })
    .describe("ISO 8601 (default: now)."),
  payload: JsonObject.default({}).describe(
    "Further input. Commands read it as JSON in $ORCH_PAYLOAD. For an agent: {goal: what to do}.",
  ),
  execution_backend: BackendName.optional().describe("Where steps run. Leave it out unless asked."),
  runs_on: Labels.min(1, "must not be empty; leave it out")
    .optional()
    .describe(
      "Labels that its server must have, such as docker or host:nas (default: those of its target, else any server).",
    ),
  agent_backend: AgentBackendName.optional().describe("The loop of an agent. Leave it out unless asked."),
  skip_if_done: z
    .boolean()
    .optional()
    .describe(
      "true: run nothing where every check can fail and is true already. Not for an agent, a skill or update_sop.",
    ),
  verify_within_hours: z
    .number()
    .positive()
    .max(8_760)
    .optional()
    .describe("DONE and not verified from outside after so many hours: it waits in the inbox."),
  verify_by: z
    .string()
    .regex(/^sop:[a-z][a-z0-9_]{0,63}$/, "must be sop: and a diagnostic intent, such as sop:health_check")
    .optional()
    .describe("sop:<intent>: once it is DONE, orch runs that diagnostic SOP on the target and records its verdict."),
  verify_after_seconds: z
    .int()
    .min(0)
    .max(604_800)
    .optional()
    .describe("How long after DONE verify_by looks (default: 60)."),
});
export type TaskContract = z.infer<typeof TaskContract>;

/** Published of a contract that is submitted: which of its fields need another one. explain says so instead of refusing it. */
export const CONTRACT_RULES = { dependentRequired: { verify_after_seconds: ["verify_by"] } };

/** As it is sent: orch adds who asks, and when (D-207). */
export const SentContract = TaskContract.partial({ requested_by: true, requested_at: true })
  .extend({ target: GivenTarget.describe(TaskContract.shape.target.description ?? "") })
  .meta({
    description: "A task contract: an object with the fields that submit_task takes.",
    [ELSEWHERE]: "submit_task",
  });
export type SentContract = z.infer<typeof SentContract>;

export const contractDigest = (contract: TaskContract): string => digestOf(contract);

/** Whether it is the contract that is stored: an earlier version stored the target as it was sent. */
export function isSameContract(stored: TaskContract, sent: TaskContract): boolean {
  const digest = contractDigest(sent);
  const respelled = { ...stored, target: normalTarget(stored.target) };
  return contractDigest(stored) === digest || contractDigest(respelled) === digest;
}

export const signatureOf = (contract: TaskContract): string => targetSignature(contract.target);

/** What no two tasks may have at once (D-012): diagnostics share their target, and the empty one names nothing that could be shared. */
export const exclusiveTarget = (task: { readonly intent: string; readonly target_signature: string }): string | null =>
  READ_ONLY_INTENTS.has(task.intent) || task.target_signature === "" ? null : task.target_signature;

/** Lower case, because names of tool servers are compared without case. */
export const scopeOf = ({ constraints }: TaskContract): ReadonlySet<string> =>
  new Set(constraints.implicit_scope.map((entry) => entry.toLowerCase()));
