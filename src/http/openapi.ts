// OpenAPI 3.1, derived from the table of operations: the schemas that parse are the schemas that are published, and the texts
// for models are the descriptions (D-204).

import type { z } from "zod";
import { EXAMPLE, EXAMPLES } from "../operations/examples.ts";
import { GUIDANCE, INSTRUCTIONS } from "../operations/guidance.ts";
import type { OperationShape } from "../operations/operation.ts";
import { webhookMessage } from "../operations/shapes/webhook-message.ts";
import type { Schema } from "../schema/json-schema.ts";
import { componentsOf, ref } from "./components.ts";
import { tagOf, tagsIn } from "./tags.ts";

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
      ...{ title: "orch", version, description: INSTRUCTIONS },
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

type Fields = Pick<OperationShape, "method" | "path" | "input"> & { readonly example: Example };
type Example = Readonly<Record<string, unknown>>;

const exampleOf = (name: string): Example => new Map<string, Example>(Object.entries(EXAMPLES)).get(name) ?? {};

/** Each field where the server reads it. A parameter is described beside its schema, as tools expect it. */
function placed({ method, path, input, example }: Fields, { sent }: Shapes) {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field));
  const { properties = {}, required = [], ...rest } = sent(input);
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
    const shown = Object.hasOwn(example, field) ? { example: example[field] } : {};
    parameters.push({ name: field, in: place, required: required.includes(field), ...described, schema, ...shown });
  }
  const sample = Object.fromEntries(Object.entries(example).filter(([field]) => Object.hasOwn(body, field)));
  return { parameters, body, required, rest, sample };
}

const texts = (path: string, name: string, summary: string, guidance = GUIDANCE.get(name)) => ({
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
  const { name, summary, method, path, scope, hints, output } = operation;
  const { parameters, body, required, rest, sample } = placed({ ...operation, example: exampleOf(name) }, of);
  const bodySchema = { ...rest, properties: body, required: required.filter((field) => Object.hasOwn(body, field)) };
  const content = { "application/json": { schema: bodySchema, example: sample } };
  return {
    ...texts(path, name, summary),
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
    ...{ name, in: "header", required: true, description, schema: { type: "string" } },
  })),
  requestBody: { required: true, content: { "application/json": { schema: answered(webhookMessage) } } },
  responses: {
    "2XX": { description: "The message is taken" },
    "4XX": { description: "The same message is sent again later" },
    "5XX": { description: "The same message is sent again later" },
  },
});
