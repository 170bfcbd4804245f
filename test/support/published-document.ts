// The OpenAPI document of a running server: its operations, and a judge that compares an answer with what is published of it.
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { z } from "zod";

const Schema = z.record(z.string(), z.unknown());
export type PublishedSchema = z.infer<typeof Schema>;

const Content = z.record(z.string(), z.object({ schema: Schema }));
const Operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean(),
        schema: Schema,
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional(), $ref: z.string().optional() })),
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.partialRecord(z.enum(["get", "post"]), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

export type PublishedOperation = z.infer<typeof Operation> & {
  readonly path: string;
  readonly method: "get" | "post";
};

/** What came back over the wire. */
export type Answered = {
  readonly status: number;
  readonly type: string;
  readonly request_id: string | null;
  readonly body: unknown;
};

const SUCCESS = "application/json; charset=utf-8";
const PROBLEM = "application/problem+json";

/** Streams are listed apart: their answer has no end. */
export function readDocument(raw: unknown) {
  const { paths, components } = Document.parse(raw);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(Object(raw), "document");
  const all: PublishedOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method === "get" ? "get" : "post",
    })),
  );
  const operations = all.filter((one) => answersWith(one, "application/json"));
  const streams = all.filter((one) => answersWith(one, "text/event-stream"));
  const at = (...parts: string[]) => {
    const pointer = parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    return ajv.getSchema(`document#/${pointer}`);
  };
  const faultsAt = (value: unknown, ...parts: string[]): string[] => {
    const validate = at(...parts);
    if (validate === undefined) return [`nothing is published at ${parts.join(" ")}`];
    return validate(value) === true ? [] : [`${parts.at(-1)}: ${ajv.errorsText(validate.errors)}`];
  };

  /** What of the answer is not as it is published; empty when all of it is. */
  function faultsOf({ path, method, responses }: PublishedOperation, answered: Answered): string[] {
    const { status, type, request_id, body } = answered;
    if (status >= 500) return [`the status is ${status}`];
    const published = [String(status), `${String(status)[0]}XX`].find((key) => responses[key] !== undefined);
    if (published === undefined) return [`the status ${status} is not published`];
    if (published === "200") {
      const content = ["paths", path, method, "responses", "200", "content", "application/json", "schema"];
      return [...(type === SUCCESS ? [] : [`the type is ${type}`]), ...faultsAt(body, ...content)];
    }
    const problem = z
      .object({ status: z.number(), request_id: z.string(), type: z.string(), code: z.string() })
      .parse(body);
    return [
      ...(type === PROBLEM ? [] : [`the type of a problem is ${type}`]),
      ...(problem.status === status ? [] : [`the problem says ${problem.status}, the answer ${status}`]),
      ...(problem.request_id === request_id ? [] : ["the problem has another request_id than the header"]),
      ...(problem.type === `urn:orch:error:${problem.code}` ? [] : [`the type of the problem is ${problem.type}`]),
      ...faultsAt(body, "components", "schemas", "Problem"),
    ];
  }

  /** What of an accepted body the document would have refused. */
  const faultsOfBody = ({ path, method, requestBody }: PublishedOperation, sent: unknown): string[] =>
    requestBody === undefined
      ? []
      : faultsAt(sent, "paths", path, method, "requestBody", "content", "application/json", "schema");

  /** What of a request the document refuses; each field as it is sent. */
  function faultsOfRequest(operation: PublishedOperation, { parameters, body }: SentRequest): string[] {
    const declared = operation.parameters.filter((one) => one.in !== "header");
    const known = new Set(declared.map(({ name }) => name));
    return [
      ...Object.keys(parameters).flatMap((name) => (known.has(name) ? [] : [`${name} is no parameter`])),
      ...declared.flatMap(({ name, required, schema }) => {
        const text = parameters[name];
        if (text === undefined) return required ? [`${name} is required`] : [];
        const validate = ajv.compile(schema);
        return validate(readText(schema, text)) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
      }),
      ...(body === undefined ? [] : faultsOfBody(operation, body)),
    ];
  }

  return { operations, streams, schemas: components.schemas, faultsOf, faultsOfBody, faultsOfRequest };
}

/** The parameters as text, as a path and a query hold them; no body for a GET. */
export type SentRequest = { readonly parameters: Readonly<Record<string, string>>; readonly body: unknown };

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function readText({ type }: PublishedSchema, text: string): unknown {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return (type === "integer" || type === "number") && NUMBER.test(text) ? Number(text) : text;
}

const answersWith = ({ responses }: z.infer<typeof Operation>, type: string): boolean =>
  responses["200"]?.content?.[type] !== undefined;
