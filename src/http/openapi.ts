// OpenAPI 3.1, derived from the table of operations: the schemas that parse are the schemas that are published.

import type { z } from "zod";
import type { OperationShape } from "../operations/operation.ts";
import { jsonSchemaOf, type Schema } from "../schema/json-schema.ts";
import { ProblemDocument } from "../schema/problem-document.ts";

/** A GET that is answered with server-sent events; `events` are the data of each, by name. */
export type EventStreamShape = Pick<OperationShape, "name" | "summary" | "path" | "scope" | "input"> & {
  readonly events: Readonly<Record<string, z.ZodType>>;
};

export function openApiOf(
  operations: readonly OperationShape[],
  streams: readonly EventStreamShape[],
  version: string,
): object {
  const paths = new Map<string, Record<string, object>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? {};
    paths.set(operation.path, { ...methods, [operation.method.toLowerCase()]: describe(operation) });
  }
  for (const stream of streams) paths.set(stream.path, { get: describeStream(stream) });
  for (const path of ["/healthz", "/readyz"]) paths.set(path, { get: health(path) });
  return {
    openapi: "3.1.0",
    info: { title: "orch", version, description: "Executes task contracts through stored procedures." },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Problem: jsonSchemaOf(ProblemDocument, "input") },
      responses: {
        Problem: {
          description: "What is wrong",
          content: { "application/problem+json": { schema: ref("schemas/Problem") } },
        },
      },
    },
  };
}

const ref = (name: string) => ({ $ref: `#/components/${name}` });
const problems = { "4XX": ref("responses/Problem"), "5XX": ref("responses/Problem") };
const answer = (schema: object) => ({ description: "Success", content: { "application/json": { schema } } });

type Fields = Pick<OperationShape, "method" | "path" | "input">;

/** Each field where the server reads it. */
function placed({ method, path, input }: Fields) {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field));
  const { properties = {}, required = [], ...rest } = jsonSchemaOf(input, "input");
  const parameters: object[] = [];
  const body: Record<string, Schema> = {};
  for (const [field, schema] of Object.entries(properties)) {
    const place = inPath.has(field) ? "path" : method === "GET" ? "query" : "body";
    if (place === "body") body[field] = schema;
    else parameters.push({ name: field, in: place, required: required.includes(field), schema });
  }
  return { parameters, body, required, rest };
}

function describeStream({ name, summary, path, scope, input, events }: EventStreamShape): object {
  const { parameters } = placed({ method: "GET", path, input });
  const schema = { "x-events": mapValues(events, (event) => jsonSchemaOf(event, "output")) };
  return {
    operationId: name,
    summary,
    "x-scope": scope,
    parameters,
    responses: {
      "200": { description: "Events", content: { "text/event-stream": { schema } } },
      "204": { description: "The task has ended, and nothing follows", content: {} },
      ...problems,
    },
  };
}

const mapValues = <T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));

function describe({ name, summary, method, path, scope, hints, input, output }: OperationShape): object {
  const { parameters, body, required, rest } = placed({ method, path, input });
  const bodySchema = { ...rest, properties: body, required: required.filter((field) => Object.hasOwn(body, field)) };
  const content = { "application/json": { schema: bodySchema } };
  return {
    operationId: name,
    summary,
    "x-scope": scope,
    "x-hints": hints,
    parameters,
    ...(method === "POST" && { requestBody: { required: bodySchema.required.length > 0, content } }),
    responses: { "200": answer(jsonSchemaOf(output, "output")), ...problems },
  };
}

const health = (path: string): object => ({
  operationId: path.slice(1),
  summary: path === "/healthz" ? "The process lives." : "The database answers and recovery is done.",
  security: [],
  responses: {
    "200": answer({ type: "object", required: ["status"], properties: { status: { type: "string" } } }),
    ...problems,
  },
});
