// Every operation over HTTP, as the document publishes it: first a life in which each succeeds, then generated requests. No
// answer is a fault of the server, and each is as the document says. ORCH_FUZZ=n sends n requests, ORCH_FUZZ_SEED repeats a run.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createJournalStream } from "../../../src/http/journal-stream.ts";
import { createMessageStream } from "../../../src/http/message-stream.ts";
import { done, scope } from "../../support/agent-engine.ts";
import { startScriptedModel } from "../../support/agent-model.ts";
import { contractBody } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { bearer, type RunningHttp, startHttp } from "../../support/http-endpoint.ts";
import { type Answered, type PublishedOperation, readDocument } from "../../support/published-document.ts";
import { type Known, valuesOf } from "../../support/schema-values.ts";

const REQUESTS = Number(process.env["ORCH_FUZZ"] ?? 400);
const SEED = Number(process.env["ORCH_FUZZ_SEED"] ?? Date.now() % 2 ** 31);

type Fields = Readonly<Record<string, unknown>>;

let model: Awaited<ReturnType<typeof startScriptedModel>>;
let first: Engine;
let engine: Engine;
let http: RunningHttp;
let document: ReturnType<typeof readDocument>;
const faults: string[] = [];
const succeeded = new Map<string, number>();
/** Values of these fields in the answers so far, for the requests that follow. */
const seen: Record<string, string[]> = { task_id: [], sop_id: [], approval_id: [], digest: [], thread_id: [] };

const STEPS = [
  { kind: "cmd", value: "true" },
  { kind: "check", value: "test -d /" },
];

beforeAll(async () => {
  model = await startScriptedModel(() => done(["the page is served", "test -d ."]));
  first = await openEngine({ env: { ...model.env, ORCH_DRAIN_SECONDS: "0" } });
  await cutOff(first);
  engine = await openEngine({ directory: first.directory, env: model.env });
  // Its recovery asks about the step.
  while ((await engine.call("get_task", { task_id: "cut", wait_seconds: 5 })).status !== "need_input");
  const endpoints = [createJournalStream(engine), createMessageStream(engine)];
  const limits = { requests: { amount: 0, per_ms: 1 }, submits: { amount: 0, per_ms: 1 } };
  http = await startHttp({ operations: engine.operations, endpoints, limits });
  document = readDocument(await (await http.get("/openapi.json")).json());
});
afterAll(async () => {
  await http.stop();
  await engine[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** Leaves a task whose step was cut off, so that its outcome is unknown. */
async function cutOff(before: Engine): Promise<void> {
  await before.run("cut");
  await before.call("teach", { task_id: "cut", steps: [before.holding("cut"), ...STEPS] });
  await before.begun("cut");
  await before.shutDown();
}

async function send(operation: PublishedOperation, fields: Fields): Promise<Answered> {
  const { path, method, operationId } = operation;
  const rest = new Map(Object.entries(fields));
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(textOf(value) || "none");
  });
  const others = Object.fromEntries(rest);
  const query = Object.entries(others).map(([name, value]) => [name, textOf(value)] satisfies [string, string]);
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
  const found = document.faultsOf(operation, answered);
  if (answered.status === 200) {
    succeeded.set(operationId, (succeeded.get(operationId) ?? 0) + 1);
    if (method === "post") found.push(...document.faultsOfBody(operation, others));
    remember(answered.body);
  }
  for (const fault of found) faults.push(`${operationId} ${JSON.stringify(fields).slice(0, 500)}: ${fault}`);
  return answered;
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
  if (operation === undefined) throw new Error(`${name} is not published`);
  const { status, body } = await send(operation, fields);
  expect(status, `${name}: ${JSON.stringify(body)}`).toBe(200);
  return body;
}

async function schedules(): Promise<void> {
  const { task_id: _task_id, requested_at: _requested_at, ...contract } = contractBody();
  await call("add_schedule", { name: "web-up", contract, every: "1d" });
  await call("add_schedule", { name: "nightly", contract, cron: "0 3 * * *", timezone: "Europe/Berlin" });
  await call("list_schedules", { limit: 1 });
  for (const name of ["get_schedule", "pause_schedule", "resume_schedule"]) await call(name, { name: "web-up" });
  await call("remove_schedule", { name: "nightly" });
}

async function freezes(): Promise<void> {
  const { freeze } = await call("freeze", { reason: "power", intent: "commit_push", now: true });
  await call("list_freezes", { limit: 1 });
  await call("thaw", { freeze_id: freeze.freeze_id });
}

async function servers(): Promise<void> {
  const [server] = (await call("list_servers", { all: true })).servers;
  await call("get_server", { name: server.name });
  await call("drain_server", { name: server.server_id });
}

async function approvalOf(thread_id: string): Promise<Fields> {
  const { approval_id } = await engine.approvalOf(thread_id);
  return { approval_id, decision: "approve", wait_seconds: 20 };
}

test("each operation succeeds, a cut-off step and a draft of an agent's run among them, as it is published", async () => {
  const wait_seconds = 20;
  const target = { service: "web" };
  await call("resolve_step", { task_id: "cut", resolution: "succeeded", index: 0, reason: "seen", wait_seconds });
  const agent = { delegation_mode: "agent", target: {}, constraints: scope("shell") };
  await call("submit_task", { ...contractBody({ task_id: "by-agent", ...agent }), wait_seconds });
  await call("propose_sop", { task_id: "by-agent" });
  await call("explain", { contract: contractBody(), steps: STEPS });
  const asking = { ...scope(), require_approval_for: ["writes"] };
  await call("submit_task", { ...contractBody({ task_id: "taught", target, constraints: asking }), wait_seconds });
  const { task } = await call("teach", { task_id: "taught", steps: STEPS, wait_seconds });
  expect(task.status).toBe("need_approval");
  await call("list_approvals", { status: "pending" });
  const asked = await approvalOf("taught");
  await call("get_approval", { approval_id: asked["approval_id"] });
  await call("look_at_approval", { approval_id: asked["approval_id"] });
  await call("approve", asked);
  await call("record_verification", { task_id: "taught", verified: true, source: "a probe" });
  const { sops } = await call("list_sops", {});
  const [{ sop_id }] = sops.filter((sop: { target: { service?: string } }) => sop.target.service === "web");
  await call("approve", await approvalOf(`promotion/${sop_id}`));
  await call("get_sop", { sop_id, diff_to: sop_id });
  const { file } = await call("export_sop", { sop_id });
  await call("import_sop", { file });
  await call("prove_sop", { sop_id });
  await call("copy_sop", { sop_id, target: { service: "another" } });
  const newer = await call("import_sop", { file: file.replace("test -d /", "test -d /tmp") });
  await call("approve", { decision: "approve", approval_id: newer.approval_id });
  await call("rollback_sop", { sop_id });
  await call("submit_task", contractBody({ task_id: "waiting", target: { service: "third" } }));
  await call("cancel_task", { task_id: "waiting", reason: "not now" });
  for (const task_id of ["cut", "by-agent", "taught", "waiting"]) {
    await call("get_task", { task_id, wait_seconds });
    await call("get_evidence", { task_id });
    await call("get_graph", { task_id });
    await call("read_journal", { task_id, limit: 500 });
  }
  await schedules();
  await freezes();
  await servers();
  await call("list_tasks", { limit: 2 });
  await call("list_messages", { limit: 500 });
  for (const { operationId } of document.operations) if (!succeeded.has(operationId)) await call(operationId);
  expect(faults).toEqual([]);
});

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
    ["intent", fc.constantFrom("deploy", "restart", "inspect", "x y")],
    ["target", fc.constantFrom({ service: "web" }, { service: "other" }, {}, { "no name": "" }, null)],
    ["delegation_mode", fc.constantFrom("teach_if_unknown", "known_only", "agent", "never")],
    ["wait_seconds", fc.constantFrom(0, 0.01, 0.05, -1, 51, "x")],
  ]);
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
      valuesOf(whole, document.schemas, known),
      fc.oneof({ arbitrary: fc.constant({}), weight: 14 }, { arbitrary: stray, weight: 1 }),
    );
    return fields.map(([given, more]) => ({ operation, fields: { ...more, ...Object(given) } }));
  });
  for (const { operation, fields } of fc.sample(fc.oneof(...requests), { numRuns: REQUESTS, seed: SEED }))
    await send(operation, fields);
  const times = [...succeeded].reduce((sum, [name, count]) => sum + count - (before.get(name) ?? 0), 0);
  expect(faults, `ORCH_FUZZ=${REQUESTS} ORCH_FUZZ_SEED=${SEED} repeats it`).toEqual([]);
  expect(times, "requests that succeed are among them").toBeGreaterThan(REQUESTS / 20);
});
