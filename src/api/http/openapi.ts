// Derives the OpenAPI 3.1 document from the table of operations: the schemas that parse are the schemas that are published, and
// the texts for models are the descriptions (D-204).
import type { z } from "zod";
import { SentContract, TaskContract } from "../../domain/contract.ts";
import { Finding } from "../../domain/finding.ts";
import { Outcome } from "../../domain/outcome.ts";
import { ProofSummary } from "../../domain/proof.ts";
import { Reconciliation } from "../../domain/reconcile.ts";
import { Procedure } from "../../domain/sop.ts";
import { CheckStep, CmdStep, Expect, McpCallStep, STEP_FIELDS, Step, StepResult, WaitStep } from "../../domain/step.ts";
import { webhookMessage } from "../../features/webhook/message.ts";
import { jsonSchemasOf, type Schema } from "../../schema/json-schema.ts";
import { ProblemDocument } from "../../schema/problem-document.ts";
import { EXAMPLE } from "../operations/example.ts";
import { INSTRUCTIONS } from "../operations/guidance.ts";
import type { NamedSchemas, OperationShape, Tags } from "../operations/operation.ts";
import { FEATURE_TAGS, NAMED_SCHEMAS } from "../operations/shapes.ts";

type Entry = readonly [schema: z.ZodType, description: string, revise?: (published: Schema) => Schema];
type Records = Readonly<Record<string, Entry>>;

/** Those that no operation has by itself. */
const OF_ENGINE = {
  TaskContract: [TaskContract, "What a supervisor asks for, complete: with the defaults of what was left out."],
  Step: [Step, "One step of a procedure: a command, a check, a pause or a call of a tool."],
  CmdStep: [CmdStep, "A bash command that may change something."],
  CheckStep: [CheckStep, "A bash command that only reads, and passes where a criterion holds."],
  WaitStep: [WaitStep, "A pause."],
  McpCallStep: [McpCallStep, "A call of a tool of an MCP server; with expect it is a check."],
  Procedure: [Procedure, "The steps that a task runs, and where they are from."],
  StepResult: [StepResult, "How one attempt of a step ended, and what it wrote."],
  Reconciliation: [Reconciliation, "What the reconcile command of a step said of it, and what that settles."],
  Finding: [Finding, "What policy says of one step: a block, or a question."],
  ProofSummary: [ProofSummary, "What a check that passed is worth, and why."],
  RecordedOutcome: [Outcome, "An outcome as the journal has it."],
  WebhookMessage: [webhookMessage, "The body of a webhook request."],
  Problem: [ProblemDocument, "Why a call was refused (RFC 9457)."],
} satisfies NamedSchemas;

const NAMED = { ...NAMED_SCHEMAS, ...OF_ENGINE };

/** As they were published; those that are not among them follow. */
const ORDER: readonly (keyof typeof NAMED)[] = [
  "Task",
  "TaskSummary",
  "TaskContract",
  "Approval",
  "Decision",
  "ProcedureContent",
  "SkillContent",
  "AgentContent",
  "Sop",
  "SopProof",
  "Schedule",
  "Freeze",
  "HeldBy",
  "Step",
  "CmdStep",
  "CheckStep",
  "WaitStep",
  "McpCallStep",
  "SkillToolStep",
  "StepDifference",
  "CriterionCheck",
  "CheckWarning",
  "Explanation",
  "Evidence",
  "Procedure",
  "StepResult",
  "Reconciliation",
  "SkillStep",
  "SkillEnd",
  "AgentCall",
  "AgentTurn",
  "Verdict",
  "Verification",
  "Waiting",
  "GraphPlace",
  "ComparedVersion",
  "SopWithRecord",
  "AgentFinished",
  "AgentStopped",
  "Finding",
  "ProofSummary",
  "Outcome",
  "RecordedOutcome",
  "NextAction",
  "JournalEvent",
  "Message",
  "WebhookMessage",
  "Problem",
];

/** The records that the OpenAPI document names, so that a generated client has a type for each. As they are answered. */
const ANSWERED: Records = { ...Object.fromEntries(ORDER.map((name) => [name, NAMED[name]])), ...NAMED };

/** As they are sent: with their defaults left out, and with what a transform accepts. */
const SENT: Records = {
  ContractInput: [SentContract, "What a supervisor asks for; what is left out has a default."],
  StepInput: [Step, "One step of a procedure as it is taught; null is the same as left out."],
  CmdStepInput: [CmdStep, "A bash command that may change something.", withNulls],
  CheckStepInput: [CheckStep, "A bash command that only reads, and passes where a criterion holds.", withNulls],
  WaitStepInput: [WaitStep, "A pause.", withNulls],
  ExpectationInput: [Expect, "What must be in the answer of a tool: a value or a text, at a path."],
  McpCallStepInput: [McpCallStep, "A call of a tool of an MCP server; with expect it is a check.", withNulls],
};

/** A form that has the fields of every kind may be sent as it is filled in: null for what is left out, and for what others have. */
function withNulls(published: Schema): Schema {
  const { properties = {}, required = [] } = published;
  const own = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : orNull(schema),
  ]);
  const others = STEP_FIELDS.filter((name) => properties[name] === undefined).map((name) => [name, OF_ANOTHER_KIND]);
  return { ...published, properties: Object.fromEntries([...own, ...others]) };
}

const OF_ANOTHER_KIND = { type: "null", description: "of another kind of step" };

function orNull({ description, ...schema }: Schema): Schema {
  return { anyOf: [schema, { type: "null" }], ...(description !== undefined && { description }) };
}

const ref = (kind: "schemas" | "responses" | "headers", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

const asItIs = (published: Schema): Schema => published;

/** `inlined` are schemas of operations, which stay where they are used unless they are a named record. */
function componentsOf(io: "input" | "output", inlined: ReadonlySet<z.ZodType>) {
  const described = Object.entries(io === "input" ? SENT : ANSWERED);
  const records = described.map(([name, [schema]]) => [name, schema] as const);
  const names = new Map(records.map(([name, schema]) => [schema, name]));
  const others = [...inlined].filter((schema) => !names.has(schema));
  const numbered = others.map((schema, nth) => [`#${nth}`, schema] as const);
  const published = jsonSchemasOf([...records, ...numbered], io, (name) => ref("schemas", name).$ref);
  const inline = new Map(numbered.map(([id, schema]) => [schema, published.get(id)]));
  return {
    schemas: Object.fromEntries(
      described.map(([name, [, description, revise = asItIs]]) => [
        name,
        { description, ...revise(published.get(name) ?? {}) },
      ]),
    ),
    /** What is to be written where the schema is used. */
    schemaOf: (schema: z.ZodType): Schema => {
      const name = names.get(schema);
      return name === undefined ? (inline.get(schema) ?? {}) : ref("schemas", name);
    },
  };
}

/** The tags of the OpenAPI document: each operation has that of the first part of its path. */
const TAGS: Tags = {
  ...FEATURE_TAGS,
  tasks: ["Tasks", "Contracts and what became of them."],
  graph: ["Tasks", "Contracts and what became of them."],
  explain: ["Tasks", "Contracts and what became of them."],
  messages: ["Messages", "What orch reports to its supervisor."],
  inbox: ["Messages", "What orch reports to its supervisor."],
  events: ["Messages", "What orch reports to its supervisor."],
  healthz: ["Health", "Whether the server works."],
  readyz: ["Health", "Whether the server works."],
};
const OTHER = ["Other", "Everything else."] as const;

const found = (path: string): readonly [tag: string, description: string] =>
  TAGS[path.replace(/^\/(v1\/)?/, "").split("/")[0] ?? ""] ?? OTHER;

const tagOf = (path: string): string => found(path)[0];

/** Every tag that is used, or that a webhook uses, once. */
function tagsIn(paths: readonly string[]): object[] {
  const used = new Map([...paths, "/v1/messages"].map(found));
  return [...used].map(([name, description]) => ({ name, description }));
}

/** A GET that is answered with server-sent events; `events` are the data of each, by name. */
export type EventStreamShape = Pick<OperationShape, "name" | "summary" | "path" | "scope" | "input"> & {
  readonly guidance: string;
  readonly events: Readonly<Record<string, z.ZodType>>;
  /** When the answer is 204, for a stream that has an end. */
  readonly over?: string;
};

type SchemaOf = (schema: z.ZodType) => Schema;

export function openApiOf(
  operations: readonly OperationShape[],
  streams: readonly EventStreamShape[],
  version: string,
): object {
  const sent = componentsOf("input", new Set([...operations, ...streams].map(({ input }) => input)));
  const outputs = [
    ...operations.map(({ output }) => output),
    ...streams.flatMap(({ events }) => Object.values(events)),
  ];
  const answered = componentsOf("output", new Set([...outputs, webhookMessage]));
  const of: Shapes = { sent: sent.schemaOf, answered: answered.schemaOf };
  const paths = new Map<string, Record<string, object>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? {};
    paths.set(operation.path, { ...methods, [operation.method.toLowerCase()]: describe(operation, of) });
  }
  for (const stream of streams) paths.set(stream.path, { get: describeStream(stream, of) });
  for (const path of ["/healthz", "/readyz"]) paths.set(path, { get: health(path) });
  return {
    openapi: "3.1.0",
    info: {
      title: "orch",
      version,
      description: INSTRUCTIONS,
      contact: { name: "The operator of this server" },
      license: { name: "UNLICENSED", identifier: "LicenseRef-UNLICENSED" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: tagsIn([...paths.keys()]),
    paths: Object.fromEntries(paths),
    webhooks: { message: { post: webhook(of) } },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { ...answered.schemas, ...sent.schemas },
      headers: HEADERS,
      responses: {
        Problem: {
          description: "What is wrong",
          headers: headers("X-Request-Id", "Retry-After", "WWW-Authenticate", "Allow", "Accept", "Accept-Encoding"),
          content: { "application/problem+json": { schema: ref("schemas", "Problem") } },
        },
      },
    },
  };
}

type Shapes = { readonly sent: SchemaOf; readonly answered: SchemaOf };

const problems = { "4XX": ref("responses", "Problem"), "5XX": ref("responses", "Problem") };
const answer = (schema: object) => ({
  description: "Success",
  headers: headers("X-Request-Id"),
  content: { "application/json": { schema } },
});

const header = (description: string, type = "string") => ({ description, schema: { type } });

const HEADERS = {
  "X-Request-Id": header("identifies the request, in the log of the server too"),
  "Retry-After": header("of 429 and 503: seconds until another try makes sense", "integer"),
  "WWW-Authenticate": header("of 401: the scheme, Bearer"),
  Allow: header("of 405: the methods of the path"),
  Accept: header("of 415: the media type of a body"),
  "Accept-Encoding": header("of 415: the only content encoding of a body, identity"),
};

const headers = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, ref("headers", name)]));

type Fields = Pick<OperationShape, "method" | "path" | "input" | "example">;

/** Each field where the server reads it. A parameter is described beside its schema, as tools expect it. */
function placed({ method, path, input, example = {} }: Fields, { sent }: Shapes) {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field));
  const { properties = {}, required = [], ...rest } = sent(input);
  const examples = new Map<string, unknown>(Object.entries(example));
  const parameters: object[] = [];
  const body: Record<string, Schema> = {};
  for (const [field, whole] of Object.entries(properties)) {
    const place = inPath.has(field) ? "path" : method === "GET" ? "query" : "body";
    if (place === "body") {
      body[field] = whole;
      continue;
    }
    const { description, ...schema } = whole;
    const described = description === undefined ? {} : { description };
    const shown = examples.has(field) ? { example: examples.get(field) } : {};
    parameters.push({ name: field, in: place, required: required.includes(field), ...described, schema, ...shown });
  }
  const sample = Object.fromEntries([...examples].filter(([field]) => Object.hasOwn(body, field)));
  return { parameters, body, required, rest, sample };
}

const texts = (path: string, name: string, summary: string, guidance: string | undefined) => ({
  operationId: name,
  tags: [tagOf(path)],
  summary,
  description: guidance === undefined ? summary : `${summary} ${guidance}`,
});

const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "The id of the last event that the reader has. A reader that connects again sends it; it comes before after.",
  schema: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
};

function describeStream(stream: EventStreamShape, of: Shapes): object {
  const { name, summary, guidance, path, scope, input, events, over } = stream;
  const { parameters } = placed({ method: "GET", path, input, example: { task_id: EXAMPLE.task_id } }, of);
  const data = Object.fromEntries(Object.entries(events).map(([event, schema]) => [event, of.answered(schema)]));
  return {
    ...texts(path, name, summary, guidance),
    "x-scope": scope,
    parameters: [...parameters, LAST_EVENT_ID],
    responses: {
      "200": {
        description: "Events",
        headers: headers("X-Request-Id"),
        content: { "text/event-stream": { schema: { type: "string", "x-events": data } } },
      },
      ...(over !== undefined && { "204": { description: over } }),
      ...problems,
    },
  };
}

function describe(operation: OperationShape, of: Shapes): object {
  const { name, summary, guidance, method, path, scope, hints, output } = operation;
  const { parameters, body, required, rest, sample } = placed(operation, of);
  const bodySchema = { ...rest, properties: body, required: required.filter((field) => Object.hasOwn(body, field)) };
  const content = { "application/json": { schema: bodySchema, example: sample } };
  return {
    ...texts(path, name, summary, guidance),
    "x-scope": scope,
    "x-hints": hints,
    parameters,
    ...(method === "POST" && { requestBody: { required: bodySchema.required.length > 0, content } }),
    responses: { "200": answer(of.answered(output)), ...problems },
  };
}

const HEALTH: ReadonlyMap<string, string> = new Map([
  ["/healthz", "The process lives."],
  ["/readyz", "The database answers and recovery is done."],
]);

const health = (path: string): object => ({
  ...texts(path, path.slice(1), HEALTH.get(path) ?? "", "It needs no token."),
  security: [],
  responses: {
    "200": answer({ type: "object", required: ["status"], properties: { status: { type: "string" } } }),
    ...problems,
  },
});

const WEBHOOK_HEADERS = {
  "webhook-id": "identifies the message; the same in each attempt",
  "webhook-timestamp": "when this attempt was sent, in seconds since 1970",
  "webhook-signature":
    "v1, and HMAC-SHA256 of id, timestamp and body under ORCH_WEBHOOK_SECRET, as Standard Webhooks define it",
};

const webhook = ({ answered }: Shapes): object => ({
  operationId: "webhook_message",
  tags: [tagOf("/v1/messages")],
  summary: "A message to the supervisor, sent to ORCH_WEBHOOK_URL.",
  description:
    "Messages are sent in their order, one at a time, each until the receiver answers with 2xx: at least once, so a receiver drops a webhook-id that it knows. Any other answer is tried again later.",
  security: [],
  parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  })),
  requestBody: { required: true, content: { "application/json": { schema: answered(webhookMessage) } } },
  responses: {
    "2XX": { description: "The message is taken" },
    "4XX": { description: "The same message is sent again later" },
    "5XX": { description: "The same message is sent again later" },
  },
});
