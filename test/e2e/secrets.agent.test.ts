// In agent mode no secret leaves the server: not in the output of commands and tools, in a model's text, thoughts,
// calls or summary, or in what a tool server or the model's server says about itself.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answers, startOllama } from "../simulators/ollama/ollama.ts";
import { calls, refuses, type Script, startScriptedModel, thinks } from "../support/agent-model.ts";
import { contractBody } from "../support/builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";
import { afterHandshake, rpcError, rpcResult, sendJson, startRawServer } from "../support/tool-server.ts";
import { PRINTING } from "./secrets/steps.ts";
import { expectNoTrace, filesIn, rowsOf } from "./secrets/traces.ts";

const SECRETS = {
  token: "Tk8n+main/Zq1Wv2rT~7yUi9oPaSdFgHjKl.w=",
  approver: "Ap8rover-Xc5vBn7mQw9eRt2yUi4oPaSd6fGh",
  tool: "To1l-Lk8jHg6fDs4aPo2iUy0tRe7wQm5nBv3cX",
};
/** Not in the server's configuration: recognized by its format. */
const KEY_LINE = "Ni2FwRqMlKiHgEtBzYdWcOn1RxFsUzVj";
const KEY = `-----BEGIN PRIVATE KEY-----\n${`${KEY_LINE}\n`.repeat(40)}-----END PRIVATE KEY-----\n`;
const ALL = [...Object.values(SECRETS), KEY_LINE];

/** The commands that an agent may run: it cannot read the token file. */
const printing = PRINTING.flatMap((step) =>
  step.kind === "cmd" && !step.value.includes("vault/token") ? [step.value] : [],
);

const shell = (command: string): [string, object] => ["shell", { command }];

/** A model that knows every secret and repeats them in every field. */
function gossip(): Script {
  const told = Object.values(SECRETS).join(" and ");
  const turns = [
    // The model's server repeats them too.
    refuses(500, { error: `no luck with ${told}` }),
    thinks(`I know ${told}`, { content: `I say ${told}`, ...calls(...printing.map(shell)) }),
    calls(["teller__tell", { told }], ["teller__refuse", { [told]: [told] }], ["teller__break", {}]),
    calls([`shell_${SECRETS.tool}`, {}], shell(`echo ${told}`), ["shell", { cmd: told }], shell(`rm -rf / ${told}`)),
    { content: `${told}: nothing to do` },
    calls([
      "finish",
      { summary: `It is ${told}.`, criteria: [{ criterion: 1, evidence_check: `echo ${told} | grep -q .` }] },
    ]),
  ] as const;
  return ({ messages }) =>
    turns[messages.filter(({ role, content }) => role === "assistant" || /unusable/.test(content)).length] ?? turns[5];
}

/** A tool server that repeats the token it receives, also in its list of tools or in its refusal to list them. */
const startTeller = (lists: boolean) =>
  startRawServer(
    afterHandshake(({ body, headers }, response) => {
      const shown = headers.authorization ?? "";
      if (body.method === "tools/list")
        return sendJson(response, lists ? listed(body.id, shown) : rpcError(body.id, -32_603, shown));
      if (body.params.name === "break") return sendJson(response, rpcError(body.id, -32_602, shown));
      const content = [{ type: "text", text: shown }];
      return sendJson(response, rpcResult(body.id, { content, isError: body.params.name === "refuse" }));
    }),
  );

const listed = (id: unknown, shown: string) => {
  const inputSchema = { type: "object", properties: { told: { description: shown } } };
  const names = ["tell", "refuse", "break", shown.replace("Bearer ", "")];
  return rpcResult(id, { tools: names.map((name) => ({ name, description: `Knows ${shown}.`, inputSchema })) });
};

let home: string;
let model: Awaited<ReturnType<typeof startScriptedModel>>;
let gate: Awaited<ReturnType<typeof startOllama>>;
let orch: OrchProcess;
const heard: string[] = [];
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

beforeAll(async () => {
  home = stack.use(await temporaryDirectory()).path;
  model = stack.use(await startScriptedModel(gossip()));
  gate = stack.use(await startOllama(answers({ requires_approval: true, matched_category: "writes" })));
  const [teller, grumpy] = [stack.use(await startTeller(true)), stack.use(await startTeller(false))];
  for (const name of ["state", "vault", "work"]) mkdirSync(join(home, name), { mode: 0o700 });
  writeFileSync(join(home, "state", "token"), `${SECRETS.token}\n`, { mode: 0o600 });
  writeFileSync(join(home, "key"), KEY);
  for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(home, "vault", name), `${value}\n`);
  orch = await startOrchProcess({
    data_dir: home,
    env: {
      ORCH_TOKEN: "",
      ORCH_APPROVER_TOKEN: SECRETS.approver,
      LOG_LEVEL: "debug",
      ...model.env,
      MCP_TELLER_URL: teller.url,
      MCP_TELLER_TOKEN: SECRETS.tool,
      MCP_GRUMPY_URL: grumpy.url,
      MCP_GRUMPY_TOKEN: SECRETS.tool,
      ROUTING_MODEL: "small:1b",
      ROUTING_URL: gate.base_url,
      AGENT_CONTEXT_TOKENS: "131072",
      AGENT_WRITABLE: ["vault", "key"].map((name) => join(home, name)).join(":"),
    },
  });
  stack.defer(async () => void (await orch.kill("SIGKILL")));
});

async function ask(path: string, sent?: object, token = SECRETS.token) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) };
  const text = await (await fetch(orch.url + path, { headers, ...body })).text();
  heard.push(text);
  return JSON.parse(text);
}

/** Approves every call, requests every view of the task, and returns its evidence. */
async function carryOut(task_id: string, over: Record<string, unknown>) {
  const contract = contractBody({
    task_id,
    delegation_mode: "agent",
    success_criteria: ["it is written"],
    target: { compose_dir: join(home, "work") },
    constraints: { implicit_scope: ["shell", "teller", "grumpy"], require_approval_for: ["writes"], max_minutes: 1 },
    ...over,
  });
  let task = await ask("/v1/tasks", { ...contract, wait_seconds: 30 });
  while (task.waiting?.kind === "approval") {
    const { approval_id } = task.waiting;
    await ask("/v1/approvals");
    await ask("/v1/approve", { approval_id, decision: "approve" }, SECRETS.approver);
    task = await ask(`/v1/tasks/${task_id}?wait_seconds=30`);
  }
  expect(task, JSON.stringify(task.outcome)).toMatchObject({ status: "ok" });
  for (const path of ["/v1/tasks", "/v1/messages", "/v1/approvals"]) await ask(path);
  await ask(`/v1/tasks/${task_id}/sop_proposal`);
  return await ask(`/v1/tasks/${task_id}/evidence`);
}

test("no secret is outside its own file when agents print them and models repeat them", async () => {
  for (const agent_backend of ["plain", "react"]) {
    const { agent_calls, agent_turns } = await carryOut(agent_backend, { agent_backend });
    const printed = agent_calls
      .slice(3, printing.length)
      .map(({ result }: { result: object | null }) => JSON.stringify(result));
    for (const text of printed) expect(text).toContain("[redacted]");
    expect(agent_turns[1]).toMatchObject({
      text: expect.stringContaining("[redacted]"),
      thinking: expect.stringContaining("[redacted]"),
    });
  }
  expectNoTrace("a question to the agent model", JSON.stringify(model.asked), ALL);
  expectNoTrace("a question to the routing model", JSON.stringify(gate.asked), ALL);
  expectNoTrace("an answer", heard.join("\n"), ALL);
  expectNoTrace("a row", await rowsOf(`file:${join(home, "state", "orch.db")}`), ALL);
  expectNoTrace("the log", orch.output(), ALL);
  for (const [path, text] of filesIn(home, ["vault", "key", join("state", "token")])) expectNoTrace(path, text, ALL);
});

test("a secret in a contract is stored as it was sent, and sent to no model", async () => {
  const before = model.asked.length;
  const told = SECRETS.approver;
  const evidence = await carryOut("told", { payload: { told }, success_criteria: [told], requested_by: told });
  expectNoTrace("a question to the agent model", JSON.stringify(model.asked.slice(before)), [told]);
  expectNoTrace("what it said and called", JSON.stringify([evidence.agent_turns, evidence.agent_calls]), [told]);
  const events: { kind: string; body: unknown }[] = evidence.journal;
  const holding = events.filter(({ body }) => JSON.stringify(body).includes(told)).map(({ kind }) => kind);
  expect([...new Set(holding)].sort()).toEqual(["task_accepted", "verdict_reached"]);
});
