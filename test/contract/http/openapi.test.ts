// The published document: complete, and describing what the server really accepts.
import { expect, test } from "vitest";
import { z } from "zod";
import { held } from "../../support/held.ts";
import { startHttp } from "../../support/http-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";

type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: { name: string; in: string; required: boolean }[];
  readonly requestBody?: { required: boolean; content: { "application/json": { schema: { properties?: object } } } };
};
type Methods = { readonly get?: Operation; readonly post?: Operation };
/** The part of its structure that is read here; a linter reads all of it (published-clients.test.ts). */
type Document = {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Methods>>;
  readonly webhooks: Readonly<Record<string, Methods>>;
  readonly components: { readonly schemas: Readonly<Record<string, Named>> };
};
type Named = { readonly description?: string; readonly properties?: object; readonly required?: readonly string[] };

const endpoint = held(await startHttp());
const document = (await (await endpoint.get("/openapi.json")).json()) as Document;

test("it holds every operation under its path and method, and health without a token", () => {
  const { paths } = document;
  for (const { path, method, name, scope } of someOperations()) {
    expect(paths[path]?.[method === "GET" ? "get" : "post"]).toMatchObject({ operationId: name, "x-scope": scope });
  }
  expect(paths["/healthz"]?.get?.security).toEqual([]);
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(someOperations().length + 2);
});

test("every operation has one of the declared tags, and a webhook is described like an operation", () => {
  const { tags, paths, webhooks } = document;
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
  const thing = document.paths["/v1/things/{thing_id}"];
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
  expect(document.paths["/v1/tasks"]?.post?.requestBody?.required).toBe(true);
});

test("every path parameter is declared and required", () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters = [] } of Object.values(methods)) {
      const declared = parameters.filter((found) => found.in === "path" && found.required).map(({ name }) => name);
      expect(declared).toEqual(inPath);
    }
  }
});

test("every named record says what it is", () => {
  const { schemas } = document.components;
  expect(
    Object.entries(schemas)
      .filter(([, { description = "" }]) => !description)
      .map(([name]) => name),
  ).toEqual([]);
});

test("every reference resolves inside the document", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, reference]) => reference ?? "",
  );
  expect(references).toContain("#/components/responses/Problem");
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split("/")
      .reduce<unknown>((held, key) => z.record(z.string(), z.unknown()).parse(held)[key], document);
    expect(found, reference).toBeTypeOf("object");
  }
});

test("a problem document has the published fields", async () => {
  const { properties = {}, required = [] } = document.components.schemas["Problem"] ?? {};
  const sent = z
    .record(z.string(), z.unknown())
    .parse(await (await endpoint.post("/v1/fail", { code: "task_exists" })).json());
  // `needs_scope` is that of a call without the right scope.
  expect([...Object.keys(sent), "needs_scope"].toSorted()).toEqual(Object.keys(properties).toSorted());
  expect(Object.keys(sent)).toEqual(expect.arrayContaining([...required]));
});
