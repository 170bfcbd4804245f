// Resources: tasks, SOPs and evidence by URI, with the operations and scopes of the tools.
import { describe, expect, test } from "vitest";
import { check } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { askEnveloped, enveloped } from "../../support/mcp-2026.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";

const engine = held(await openEngine());
const endpoint = held(await startMcp({ operations: engine.operations }));
const supervisor = held(await endpoint.connect());
const sop_id = (await engine.learn("deploy", engine.targetOf("web"), [check("test -d /")])).sop_id;
await engine.run("web");
await engine.run("unknown");

test("four URI templates are listed", async () => {
  const { resourceTemplates } = await supervisor.client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "orch://tasks/{id}{?view}",
    "orch://sops/{id}{?view}",
    "orch://evidence/{id}{?view}",
    "orch://sops/{id}/record",
  ]);
});

test("the newest tasks and the active SOPs are listed, and each can be read", async () => {
  await supervisor.call("teach", { intent: "restart", target: { service: "candidate" }, steps: [check("test -d /")] });
  const { resources } = await supervisor.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    "orch://scorecard",
    "orch://tasks/unknown",
    "orch://tasks/web",
    `orch://sops/${sop_id}`,
  ]);
  expect(resources[2]).toMatchObject({ name: "web", description: expect.stringMatching(/^deploy on .*: ok$/) });
  for (const { uri } of resources) expect(await supervisor.read(uri)).toBeTypeOf("object");
});

test("the list of more tasks than a page has goes on from its cursor to the last, and none is there twice", async () => {
  await using many = await openEngine();
  for (let n = 0; n < 120; n += 1) await many.submit(many.contract(`many-${n}`));
  await many.learn("deploy", many.targetOf("web"), [check("test -d /")]);
  const running = await startMcp({ operations: many.operations });
  const { client } = await running.connect();
  const pages: string[][] = [];
  for (let cursor: string | undefined | null = null; cursor !== undefined; ) {
    const page = await client.listResources(cursor === null ? undefined : { cursor });
    pages.push(page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([52, 50, 20]);
  expect(new Set(pages.flat()).size).toBe(122);
  await client.close();
  await running.stop();
});

const cursorOf = (position: object) => Buffer.from(JSON.stringify(position)).toString("base64url");

test.each([[""], ["2"], ["bm8"], [cursorOf({ tasks: "no id/", sops: null })], [cursorOf({ tasks: null })]])(
  "the cursor %j of another list is an error that says so, in each revision",
  async (cursor) => {
    const error = { code: -32602, message: expect.stringContaining("Begin again without a cursor") };
    await expect(supervisor.client.listResources({ cursor })).rejects.toMatchObject(error);
    expect(await askEnveloped(endpoint, enveloped("resources/list", { cursor }))).toMatchObject({ error });
  },
);

test("the scorecard is that of the tool, and a record is the part of get_sop", async () => {
  const { targets } = (await supervisor.read("orch://scorecard")) as { targets: { id: string }[] };
  expect(targets.map(({ id }) => id).slice(0, 2)).toEqual(["T1", "T2"]);
  const { record } = await supervisor.call("get_sop", { sop_id, view: "full" });
  expect(await supervisor.read(`orch://sops/${sop_id}/record`)).toEqual(record);
});

test.each([
  ["what the tool returns", "", {}],
  ["everything on request", "?view=full", { view: "full" }],
])("reading a URI returns %s", async (_what, query, view) => {
  const told = (name: string, input: object) => supervisor.call(name, { ...input, ...view });
  expect(await supervisor.read(`orch://tasks/web${query}`)).toEqual(await told("get_task", { task_id: "web" }));
  expect(await supervisor.read(`orch://sops/${sop_id}${query}`)).toEqual(await told("get_sop", { sop_id }));
  expect(await supervisor.read(`orch://evidence/web${query}`)).toEqual(await told("get_evidence", { task_id: "web" }));
});

test.each([
  "orch://tasks/nobody",
  "orch://evidence/nobody",
  "orch://sops/00000000-0000-4000-8000-000000000000",
  "orch://sops/no-uuid",
  "orch://tasks/",
  "orch://tasks/web/steps",
  "orch://tasks/..%2fweb",
  "orch://journal/web",
  "orch://tasks/web?x=1",
  "file:///etc/passwd",
  "",
])("the unknown URI %j is an error that names it", async (uri) => {
  await expect(supervisor.client.readResource({ uri })).rejects.toMatchObject({ code: -32002, data: { uri } });
});

describe("a token without the scope of the operation", () => {
  test("gets no resource, no list of resources and no prompt", async () => {
    const operations = engine.operations.map((operation) => ({ ...operation, scope: "approve" as const }));
    const strict = await startMcp({ operations, approver: true });
    const stranger = await strict.connect();
    const refusal = { code: -32000, data: { code: "forbidden", detail: expect.stringContaining("scope approve") } };
    await expect(stranger.read("orch://tasks/web")).rejects.toMatchObject(refusal);
    await expect(stranger.client.listResources()).rejects.toMatchObject(refusal);
    await expect(stranger.client.getPrompt({ name: "teach_sop", arguments: { task_id: "web" } })).rejects.toMatchObject(
      refusal,
    );
    await stranger.client.close();
    await strict.stop();
  });
});
