// The published document: OpenAPI 3.1 by its structure, complete, and describing what the server really accepts.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type RunningHttp, startHttp } from "../../support/http-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";

const Schema = z.looseObject({
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});
const Content = z.strictObject({ schema: Schema, example: z.record(z.string(), z.unknown()).optional() });
const Header = z.strictObject({ description: z.string().min(1), schema: Schema });
const Reference = z.strictObject({ $ref: z.string() });
const Answer = z.union([
  Reference,
  z.strictObject({
    description: z.string().min(1),
    headers: z.record(z.string(), Reference).optional(),
    content: z.record(z.string(), Content).optional(),
  }),
]);
const Operation = z.strictObject({
  operationId: z.string().min(1),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.never()).optional(),
  "x-scope": z.string().optional(),
  "x-hints": z.unknown().optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(["path", "query", "header"]),
        required: z.boolean(),
        description: z.string().optional(),
        schema: Schema,
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z
    .strictObject({ required: z.boolean(), content: z.strictObject({ "application/json": Content }) })
    .optional(),
  responses: z.record(z.string().regex(/^([1-5]\d\d|[1-5]XX)$/), Answer),
});
const Document = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  servers: z.array(z.strictObject({ url: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string().min(1) })),
  webhooks: z.record(z.string(), z.strictObject({ post: Operation })),
  paths: z.record(z.string().startsWith("/"), z.partialRecord(z.enum(["get", "post"]), Operation)),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.literal("http"), scheme: z.literal("bearer") })),
    schemas: z.record(z.string(), Schema),
    responses: z.record(z.string(), Answer),
    headers: z.record(z.string(), Header),
  }),
});

let endpoint: RunningHttp;
let raw: unknown;
beforeAll(async () => {
  endpoint = await startHttp();
  raw = await (await endpoint.get("/openapi.json")).json();
});
afterAll(() => endpoint.stop());

test("the document has the structure of OpenAPI 3.1", () => {
  expect(z.prettifyError(Document.safeParse(raw).error ?? new z.ZodError([]))).toBe("");
});

test("it holds every operation under its path and method, and health without a token", () => {
  const { paths } = Document.parse(raw);
  for (const { path, method, name, scope } of someOperations()) {
    expect(paths[path]?.[method === "GET" ? "get" : "post"]).toMatchObject({ operationId: name, "x-scope": scope });
  }
  expect(paths["/healthz"]?.get?.security).toEqual([]);
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(someOperations().length + 2);
});

test("every operation has one of the declared tags, and a webhook is described like an operation", () => {
  const { tags, paths, webhooks } = Document.parse(raw);
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods));
  const used = new Set(operations.flatMap((operation) => operation.tags));
  expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
});

test("a client that has the document gets 304, and another one all of it", async () => {
  const first = await endpoint.get("/openapi.json");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  const again = await endpoint.get("/openapi.json", { "if-none-match": etag });
  expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
  expect((await endpoint.get("/openapi.json", { "if-none-match": '"another"' })).status).toBe(200);
});

test("fields are placed where the server reads them: path, query, body", () => {
  const thing = Document.parse(raw).paths["/v1/things/{thing_id}"];
  const places = (parameters: { name: string; in: string; required: boolean }[] = []) =>
    parameters.map((found) => [found.name, found.in, found.required]);
  const inPath = ["thing_id", "path", true];
  expect(places(thing?.get?.parameters)).toEqual([inPath, ["count", "query", false], ["kind", "query", false]]);
  expect(places(thing?.post?.parameters)).toEqual([inPath]);
  const body = thing?.post?.requestBody;
  expect(Object.keys(body?.content["application/json"].schema.properties ?? {})).toEqual([
    "count",
    "kind",
    "steps",
    "payload",
  ]);
  expect(body?.required, "all of its fields may be left out").toBe(false);
  expect(Document.parse(raw).paths["/v1/tasks"]?.post?.requestBody?.required).toBe(true);
});

test("every path parameter is declared and required", () => {
  for (const [path, methods] of Object.entries(Document.parse(raw).paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      const declared = parameters.filter((found) => found.in === "path" && found.required).map(({ name }) => name);
      expect(declared).toEqual(inPath);
    }
  }
});

test("every named record says what it is", () => {
  const { schemas } = Document.parse(raw).components;
  expect(
    Object.entries(schemas)
      .filter(([, { description = "" }]) => !description)
      .map(([name]) => name),
  ).toEqual([]);
});

test("every reference resolves inside the document", () => {
  const references = [...JSON.stringify(raw).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference ?? "");
  expect(references).toContain("#/components/responses/Problem");
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split("/")
      .reduce<unknown>((held, key) => z.record(z.string(), z.unknown()).parse(held)[key], raw);
    expect(found, reference).toBeTypeOf("object");
  }
});

test("a problem document has the published fields", async () => {
  const { properties = {}, required = [] } = Document.parse(raw).components.schemas["Problem"] ?? {};
  const sent = z
    .record(z.string(), z.unknown())
    .parse(await (await endpoint.post("/v1/fail", { code: "task_exists" })).json());
  // `needs_scope` is that of a call without the right scope.
  expect([...Object.keys(sent), "needs_scope"].toSorted()).toEqual(Object.keys(properties).toSorted());
  expect(Object.keys(sent)).toEqual(expect.arrayContaining(required));
});
