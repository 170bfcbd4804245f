// The document of the real operations in other hands: a linter, and what generators of clients ask of each operation.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import type { OpenAPI3 } from "openapi-typescript";
import { expect, test } from "vitest";
import { openApiOf } from "../../../src/api/http/openapi.ts";
import { journalStream, messageStream } from "../../../src/api/operations/shapes/journal.ts";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

const document = openApiOf(SHAPES, [journalStream, messageStream], "0.0.0") as OpenAPI3;

test("the recommended rules of Redocly find nothing", { timeout: 60_000 }, async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  const cli = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "lint", file, "--format=json"], { env });
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
});

// Spectral is not installed, because it is large. It asks for a contact, for tags that are declared (openapi.test.ts) and for:
test("every operation has a description of its own, which no other operation has", () => {
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  const texts = operations.map(({ description }: { description: string }) => description);
  expect(texts).toHaveLength(SHAPES.length + 4);
  expect(new Set(texts).size).toBe(texts.length);
  expect(document.info).toMatchObject({ contact: { name: expect.any(String) } });
});

type Place = readonly [path: string, held: unknown];

const within = (path: string, value: unknown): Place[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).map(([key, held]) => [`${path}/${key}`, held] as const)
    : [];

const everywhere = (place: Place): Place[] => [place, ...within(...place).flatMap(everywhere)];

const isObject = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && !Array.isArray(schema) && Object(schema).type === "object";

/** Inline objects in a member of oneOf or anyOf that is itself inline: generators drop such a member, and what refers to it. */
const nestedInMembers = (root: unknown): string[] =>
  everywhere(["", root])
    .filter(([path]) => /\/(oneOf|anyOf)\/\d+$/.test(path))
    .flatMap(([path, member]) => within(path, member).flatMap(everywhere))
    .flatMap(([path, held]) => (isObject(held) ? [path] : []));

test("no member of an alternative is written where it is used and holds an object that is, too", () => {
  expect(nestedInMembers(document)).toEqual([]);
  const member = { type: "object", properties: { expect: { type: "object" } } };
  expect(nestedInMembers({ Step: { oneOf: [member] } })).toEqual(["/Step/oneOf/0/properties/expect"]);
});

test("the four kinds of steps are records of their own, as they are sent and as they are answered", () => {
  const { schemas = {} } = document.components ?? {};
  const kinds = ["CmdStep", "CheckStep", "WaitStep", "McpCallStep"];
  const refs = (names: string[]) => ({ oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) });
  expect(schemas["Step"]).toMatchObject(refs(kinds));
  expect(schemas["StepInput"]).toMatchObject(refs(kinds.map((name) => `${name}Input`)));
});
