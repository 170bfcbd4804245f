// Drives every operation over HTTP as the document publishes it: first each example, in one life, then generated requests. The server
// accepts what the document accepts and refuses what it refuses. ORCH_FUZZ=n sends n requests, ORCH_FUZZ_SEED repeats a run.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createJournalStream, createMessageStream } from "../../../src/api/http/journal-stream.ts";
import { EXAMPLE } from "../../../src/api/operations/example.ts";
import type { OperationShape } from "../../../src/api/operations/operation.ts";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { EXAMPLE_FREEZE } from "../../../src/features/freeze/shapes.ts";
import { done, scope } from "../../support/agent-engine.ts";
import { startScriptedModel } from "../../support/agent-model.ts";
import { contractBody } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { bearer, startHttp } from "../../support/http-endpoint.ts";
import { type Answered, type PublishedOperation, readDocument } from "../../support/published-document.ts";
import { type Known, spoiled, valuesOf } from "../../support/schema-values.ts";

const REQUESTS = Number(process.env["ORCH_FUZZ"] ?? 400);
const SEED = Number(process.env["ORCH_FUZZ_SEED"] ?? 20_260_306);

type Fields = Readonly<Record<string, unknown>>;

const EXAMPLES = new Map<string, object>(SHAPES.map(({ name, example = {} }: OperationShape) => [name, example]));

const faults: string[] = [];
const succeeded = new Map<string, number>();
/** Values of these fields in the answers so far, for the requests that follow. */
const seen: Record<string, string[]> = { task_id: [], sop_id: [], approval_id: [], digest: [], thread_id: [] };

const STEPS = [
  { kind: "cmd", value: "true" },
  { kind: "check", value: "test -d /" },
];

const model = held(await startScriptedModel(() => done(["the page is served", "test -d ."])));
const first = held(await openEngine({ env: { ...model.env, ORCH_DRAIN_SECONDS: "0" } }));
await cutOff(first);
const engine = held(await openEngine({ directory: first.directory, env: model.env }));
// Its recovery asks about the step.
while ((await engine.call("get_task", { task_id: "cut", wait_seconds: 5 })).status !== "need_input");
const endpoints = [createJournalStream(engine), createMessageStream(engine)];
const limits = { requests: { amount: 0, per_ms: 1 }, submits: { amount: 0, per_ms: 1 } };
const http = held(await startHttp({ operations: engine.operations, endpoints, limits }));
const document = readDocument(await (await http.get("/openapi.json")).json());

/** Leaves a task whose step was cut off, so that its outcome is unknown. */
async function cutOff(before: Engine): Promise<void> {
  await before.run("cut");
  await before.call("teach", { task_id: "cut", steps: [before.holding("cut"), ...STEPS] });
  await before.begun("cut");
  await before.shutDown();
}

const tally = { positive: 0, negative: 0 };

async function send(operation: PublishedOperation, fields: Fields): Promise<Answered> {
  const { path, method, operationId } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
  const parts = Object.fromEntries(inPath.map((name) => [name, texts[name] || "none"]));
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(parts[name] ?? ""));
  const others = Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.includes(name)));
  const query = Object.fromEntries(Object.keys(others).map((name) => [name, texts[name] ?? ""]));
  const url = method === "get" ? `${filled}?${new URLSearchParams(query)}` : filled;
  const headers = { ...bearer(), "content-type": "application/json" };
  const init = method === "get" ? { headers: bearer() } : { method: "POST", headers, body: JSON.stringify(others) };
  const response = await fetch(http.url + url, init);
  const answered: Answered = {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    request_id: response.headers.get("x-request-id"),
    body: await response.json(),
  };
  const sent =
    method === "get" ? { parameters: { ...parts, ...query }, body: undefined } : { parameters: parts, body: others };
  const refused = document.faultsOfRequest(operation, sent);
  tally[refused.length === 0 ? "positive" : "negative"] += 1;
  const found = [...document.faultsOf(operation, answered), ...disagreement(operationId, fields, refused, answered)];
  if (answered.status === 200) {
    succeeded.set(operationId, (succeeded.get(operationId) ?? 0) + 1);
    remember(answered.body);
  }
  for (const fault of found) faults.push(`${operationId} ${JSON.stringify(fields).slice(0, 500)}: ${fault}`);
  return answered;
}

const Refusal = z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })).default([]) });

/**
 * What a schema cannot say: what the server knows, what another language says, and what two fields mean together. The server may refuse
 * other values of these fields than the ones here.
 */
const VALID: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ["intent", ["deploy", "restart", "triage"]],
  ["after", [0, "0"]],
  ["cron", ["0 3 * * *", "*/5 * * * *"]],
  ["timezone", ["UTC", "Europe/Berlin"]],
  ["file", [EXAMPLE.file]],
  ["skip_if_done", [false]],
  ["verify_by", ["sop:health_check"]],
  ["compose_dir", ["/srv", "/srv/web"]],
  ["params", [{}, { path: "/srv" }]],
]);

/** A copy must be for another target than that of its procedure, which only the server knows. */
const OWN_TARGET = "is the target of the procedure itself; name another one";

function isBeyondSchemas(fields: Fields, { path, message }: { path: string; message: string }): boolean {
  if (message === OWN_TARGET) return true;
  const parts = path.split(".");
  // What is wrong within a file is named by its place there.
  const name = "file" in fields ? "file" : (parts.at(-1) ?? "");
  const value = name === "file" ? fields["file"] : parts.reduce<unknown>((held, part) => Object(held)[part], fields);
  const valid = VALID.get(name);
  return valid !== undefined && !valid.some((one) => isDeepStrictEqual(one, value));
}

/** Probes of proxies may add a query. */
const HEALTH: ReadonlySet<string> = new Set(["healthz", "readyz"]);

/** Where the server and the document do not agree on a request. */
function disagreement(operationId: string, fields: Fields, refused: readonly string[], answered: Answered): string[] {
  const { status, body } = answered;
  if (HEALTH.has(operationId)) return [];
  if (refused.length > 0) return status < 400 ? [`accepted, but the document refuses it: ${refused.join("; ")}`] : [];
  if (status !== 400) return [];
  const issues = Refusal.parse(body).issues.filter((issue) => !isBeyondSchemas(fields, issue));
  return issues.map(({ path, message }) => `the document accepts it, but ${path} ${message}`);
}

const textOf = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value ?? "none")).toWellFormed();

function remember(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    const known = seen[name];
    if (known === undefined || typeof held !== "string") remember(held);
    else if (!known.includes(held)) known.push(held);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the test reads deep into answers that the document has judged
async function call(name: string, fields: Fields = {}): Promise<any> {
  const operation = document.operations.find(({ operationId }) => operationId === name);
  if (operation === undefined) return unpublished(name);
  const { status, body } = await send(operation, fields);
  expect(status, `${name}: ${JSON.stringify(body)}`).toBe(200);
  return body;
}

/** The ids of the records that stand for those of the examples. */
const real = new Map<string, string>();
const shown = new Set<string>();

/** Sends the example of the operation, for the records that are there. */
// biome-ignore lint/suspicious/noExplicitAny: the test reads deep into answers that the document has judged
async function show(name: string, instead: Fields = {}): Promise<any> {
  const text = JSON.stringify(EXAMPLES.get(name));
  const own = [...real].reduce((known, [example, id]) => known.replaceAll(`"${example}"`, JSON.stringify(id)), text);
  shown.add(name);
  return call(name, { ...JSON.parse(own), ...instead });
}

async function showApproval(thread_id: string): Promise<void> {
  const { approval_id, digest } = await engine.approvalOf(thread_id);
  real.set(EXAMPLE.approval_id, approval_id).set(EXAMPLE.digest, digest);
  await show("get_approval");
  await show("look_at_approval");
  await show("approve");
}

async function showVersions(): Promise<void> {
  const { sop } = await show("import_sop");
  const { approval_id } = await engine.approvalOf(`promotion/${sop.sop_id}`);
  await call("approve", { decision: "approve", approval_id });
  await show("rollback_sop");
  real.set(EXAMPLE.sop_id, sop.sop_id);
  for (const name of ["get_sop", "export_sop", "prove_sop", "copy_sop"] as const) await show(name);
}

test("each example is answered as it is published, a cut-off step and a draft of an agent's run among them", async () => {
  await show("resolve_step", { task_id: "cut" });
  const agent = { delegation_mode: "agent", target: {}, constraints: scope("shell") };
  await call("submit_task", { ...contractBody({ task_id: "by-agent", ...agent }), wait_seconds: 20 });
  await show("propose_sop", { task_id: "by-agent" });
  await show("explain");
  expect(await show("submit_task")).toMatchObject({ status: "need_input" });
  expect((await show("teach")).task.status).toBe("need_approval");
  await show("list_approvals");
  await showApproval(EXAMPLE.task_id);
  await show("record_verification");
  const { sops } = await call("list_sops");
  const [{ sop_id }] = sops.filter((sop: { target: { service?: string } }) => sop.target.service === "web");
  real.set(EXAMPLE.sop_id, sop_id);
  await showApproval(`promotion/${sop_id}`);
  await showVersions();
  await call("submit_task", contractBody({ task_id: "waiting", target: { service: "third" } }));
  await show("cancel_task", { task_id: "waiting" });
  for (const name of ["get_task", "get_evidence", "get_graph", "read_journal"] as const) {
    await show(name);
    for (const task_id of ["cut", "by-agent", "waiting"]) await call(name, { task_id });
  }
  await show("add_schedule");
  await call("add_schedule", { name: "often", contract: scheduled(), every: "1d" });
  for (const name of ["list_schedules", "get_schedule", "pause_schedule", "resume_schedule"] as const) await show(name);
  await show("remove_schedule");
  const { freeze } = await show("freeze");
  await call("list_freezes", { limit: 1 });
  real.set(EXAMPLE_FREEZE, freeze.freeze_id);
  await show("thaw");
  await call("freeze", { reason: "power", intent: "commit_push", now: true });
  const [server] = (await show("list_servers")).servers;
  real.set(EXAMPLE.server, server.server_id);
  await show("get_server");
  await show("drain_server");
  await call("list_messages", { limit: 500 });
  for (const name of EXAMPLES.keys()) if (!shown.has(name)) await show(name);
  for (const { operationId } of document.operations) if (!succeeded.has(operationId)) await call(operationId);
  expect(faults).toEqual([]);
});

test.each(["stream_journal", "stream_messages"])("%s begins as its example is published", async (name) => {
  const { path, parameters } = document.streams.find(({ operationId }) => operationId === name) ?? unpublished(name);
  const examples = new Map(parameters.map((parameter) => [parameter.name, parameter.example]));
  const filled = path.replace(/\{(\w+)\}/g, (_all, part: string) => encodeURIComponent(String(examples.get(part))));
  const leave = new AbortController();
  const response = await fetch(http.url + filled, { headers: bearer(), signal: leave.signal });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const { value } = (await response.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/^retry: 1000\n\n/);
  leave.abort();
});

function unpublished(name: string): never {
  throw new Error(`${name} is not published`);
}

function scheduled(): Fields {
  const { task_id: _task_id, requested_at: _requested_at, ...contract } = contractBody();
  return contract;
}

/** Commands that do no harm, since some are executed; ids that exist; waits that end soon. */
const knownFields = (): Known => {
  const commands = fc.constantFrom("true", "false", "test -d /", "echo hi", "0.1s", "", 7);
  const known = (name: string) =>
    fc.oneof(
      { arbitrary: fc.constantFrom(...(seen[name] ?? [])), weight: 5 },
      { arbitrary: fc.constantFrom("none", "", "a b/c"), weight: 1 },
    );
  return new Map<string, fc.Arbitrary<unknown>>([
    ...Object.keys(seen).map((name) => [name, known(name)] as const),
    ...["after", "diff_to"].map((name) => [name, fc.oneof(known("sop_id"), known("task_id"), fc.nat(9))] as const),
    ...["value", "preview", "reconcile"].map((name) => [name, commands] as const),
    ...[...VALID].flatMap(([name, values]) =>
      name === "after"
        ? []
        : [[name, fc.oneof(fc.constantFrom(...values), fc.constantFrom("inspect", "x y", "", 7, null))] as const],
    ),
    [
      "target",
      fc.constantFrom({ service: "web" }, { service: "other" }, { compose_dir: "/srv" }, {}, { "no name": "" }, null),
    ],
    ["delegation_mode", fc.constantFrom("teach_if_unknown", "known_only", "agent", "never")],
    ["wait_seconds", fc.constantFrom(0, 0.01, 0.05, -1, 51, "x")],
  ]);
};

type Holder = readonly [field: string, operation: string, of: (value: unknown) => Fields, wrong: unknown];

const called = (params: unknown) => [{ kind: "mcp_call", server: "files", tool: "read", params }, STEPS[1]];

test.each<Holder>([
  ["intent", "submit_task", (intent) => ({ ...EXAMPLES.get("submit_task"), intent }), "inspect"],
  ["skip_if_done", "submit_task", (skip_if_done) => ({ ...EXAMPLES.get("submit_task"), skip_if_done }), "yes"],
  [
    "verify_by",
    "submit_task",
    (verify_by) => ({ ...EXAMPLES.get("submit_task"), task_id: "verified", verify_by }),
    "sop:deploy",
  ],
  ["compose_dir", "submit_task", (compose_dir) => ({ ...EXAMPLES.get("submit_task"), target: { compose_dir } }), "srv"],
  ["params", "teach", (params) => ({ intent: "deploy", target: { service: "params" }, steps: called(params) }), 7],
  ["file", "import_sop", (file) => ({ file }), "steps: ["],
  ["cron", "add_schedule", (cron) => ({ ...EXAMPLES.get("add_schedule"), cron }), "0 3 30 2 *"],
  ["timezone", "add_schedule", (timezone) => ({ ...EXAMPLES.get("add_schedule"), timezone }), "Mars/Base"],
  ["after", "list_messages", (after) => ({ after }), 9_999_999],
])("a valid %s of %s is not refused as malformed, and a wrong one is", async (field, name, of, wrong) => {
  const operation = document.operations.find(({ operationId }) => operationId === name) ?? unpublished(name);
  expect((await send(operation, of(wrong))).status).toBe(400);
  for (const value of VALID.get(field) ?? []) expect((await send(operation, of(value))).status).not.toBe(400);
  expect(faults).toEqual([]);
});

/** The example with one field of generated ones, so that the server gets to what other wrong fields would hide. */
const withOneField =
  (name: string) =>
  ([generated, at]: [unknown, number]): Fields => {
    const fields = Object.entries(Object(generated));
    return { ...EXAMPLES.get(name), ...Object.fromEntries(fields.slice(at % Math.max(1, fields.length)).slice(0, 1)) };
  };

test(`${REQUESTS} generated requests of seed ${SEED} are answered as it is published`, {
  timeout: 20_000 + REQUESTS * 100,
}, async () => {
  const before = new Map(succeeded);
  const known = knownFields();
  const requests = document.operations.map((operation) => {
    const { parameters, requestBody } = operation;
    const body = requestBody?.content["application/json"]?.schema ?? {};
    const declared = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
    const inBody = Object(body["properties"]);
    const names = [...required, ...(Array.isArray(body["required"]) ? body["required"] : [])];
    const whole = { type: "object", properties: { ...inBody, ...declared }, required: names };
    const stray = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 1 });
    const fields = fc.tuple(
      fc.oneof(
        valuesOf(whole, document.schemas, known),
        spoiled(valuesOf(whole, document.schemas, known)),
        fc.tuple(valuesOf(whole, document.schemas, known), fc.nat()).map(withOneField(operation.operationId)),
      ),
      fc.oneof({ arbitrary: fc.constant({}), weight: 14 }, { arbitrary: stray, weight: 1 }),
    );
    return fields.map(([given, more]) => ({ operation, fields: { ...more, ...Object(given) } }));
  });
  for (const { operation, fields } of fc.sample(fc.oneof(...requests), { numRuns: REQUESTS, seed: SEED }))
    await send(operation, fields);
  const times = [...succeeded].reduce((sum, [name, count]) => sum + count - (before.get(name) ?? 0), 0);
  if (process.env["ORCH_FUZZ"] !== undefined)
    process.stdout.write(
      `${document.operations.length} operations: ${tally.positive} requests that the document accepts, ${tally.negative} that it refuses; seed ${SEED}\n`,
    );
  expect(faults, `ORCH_FUZZ=${REQUESTS} ORCH_FUZZ_SEED=${SEED} repeats it`).toEqual([]);
  expect(times, "requests that succeed are among them").toBeGreaterThan(REQUESTS / 20);
});
